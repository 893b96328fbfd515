import type { Database } from "../db/connect.js";
import type { DeletedEventRow } from "../db/rows.js";
import { rememberedSeconds } from "./changes.js";

const batchSize = 1_000;

/** Forgets the deleted events that no cursor asks for any more, in batches. Returns how many. */
export async function forgetDeletedEvents(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  for (let forgotten = 0; ;) {
    const count = await db.transaction((trx) => {
      const rows = () => trx<DeletedEventRow>("deleted_events");
      const some = rows()
        .where("deleted_at", "<", now - rememberedSeconds)
        .orderBy("deleted_at")
        .limit(batchSize);
      return rows().whereIn("id", some.select("id")).delete();
    });
    forgotten += count;
    if (count < batchSize || isStopping()) return forgotten;
  }
}
