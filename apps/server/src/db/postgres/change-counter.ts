import { coalesce } from "../coalesce.js";
import type { Query } from "../query.js";

/**
 * Which transactions a query sees: the text changes when one that has written commits. With the timeline, so that a standby
 * that was promoted without the last commits never repeats the text of a state that it does not have.
 */
const snapshotSql = `select pg_current_snapshot()::text || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as counter`;

/** Returns a function that reads the change counter by a query, which callers that wait at a time share. */
export function openChangeCounter(query: Query): () => Promise<string | undefined> {
  return coalesce(async () => {
    const [row] = await query<{ readonly counter: string }>(snapshotSql, []);
    return row?.counter;
  });
}
