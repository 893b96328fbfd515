import type { Db } from "../database.js";

/** Events that were removed for good, of whose texts a job is to remove what the history has (history-entries/forget-job.ts). */
export async function up(db: Db): Promise<void> {
  await db.raw("create table forgotten_events (event_id bigint primary key, account_id bigint not null)");
}
