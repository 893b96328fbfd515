import type { Database } from "../db/open-database.js";
import { rememberedSeconds } from "./change-queries.js";
import { forgetDeleted } from "./queries.js";

const batchSize = 1_000;

/** Forgets the deleted events that no cursor asks for any more, in batches. Returns how many. */
export async function forgetDeletedEvents(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  for (let forgotten = 0; ;) {
    const count = await db.transaction((trx) => forgetDeleted(trx, now - rememberedSeconds, batchSize));
    forgotten += count;
    if (count < batchSize || isStopping()) return forgotten;
  }
}
