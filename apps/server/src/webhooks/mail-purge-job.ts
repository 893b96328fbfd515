import type { Database, Db } from "../db/open-database.js";
import { daySeconds } from "../time/formats.js";

/** Rows removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

/** How long rows are kept, in seconds: what came of a message for some days, news for readers of feeds, requests for their limit. */
const kept = { mail_deliveries: 7 * daySeconds, news: 60 * daySeconds, mail_requests: daySeconds } as const;

/** Removes what is too old. What still waits after such a time is no news. Safe on several servers at once. */
export async function purgeMail(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const rows = db.dialect.name === "sqlite" ? "rowid" : "ctid";
  for (const [table, seconds] of Object.entries(kept)) {
    const old = (trx: Db) => trx(table).where("created_at", "<", now - seconds);
    const remove = (trx: Db): Promise<number> =>
      old(trx)
        .whereRaw(`${rows} in (?)`, [old(trx).select(trx.raw(rows)).limit(batchSize)])
        .delete();
    while (!isStopping() && (await db.transaction(remove)) > 0);
  }
}
