import type { Db } from "../database.js";

/**
 * One index for all that reads the history: an index by event made a save write one page more for each event of its group, of all that
 * a save costs 5 % (docs/decisions/0021-people.md).
 */
export async function up(db: Db): Promise<void> {
  for (const sql of [
    "drop index history_of_event",
    "drop index history_of_account",
    "create index history_of_account on history (account_id, id, calendar_id, event_id)",
  ])
    await db.raw(sql);
}
