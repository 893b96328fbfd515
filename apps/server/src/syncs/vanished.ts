import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { findEvents } from "../events/queries.js";
import type { Seen } from "../imports/decide.js";
import { keyOf } from "../imports/match.js";
import { futureEventsOfSync } from "../imports/queries.js";

/** Events that are read at a time. */
const sliceSize = 200;

/**
 * Returns the future events that a sync has made and that its file has no more. Those of a UID that could not be imported stay. `now`
 * is in Unix seconds.
 */
export async function* vanishedEvents(
  db: Db,
  { syncId, now }: { readonly syncId: number; readonly now: number },
  { keys, skipped }: Seen,
): AsyncIterable<EventRow> {
  for (let after = 0; ;) {
    const rows = await futureEventsOfSync(db, syncId, { now, after, limit: sliceSize });
    const vanished = rows.filter(
      ({ import_uid, import_recurrence_id }) =>
        !keys.has(keyOf(import_uid, import_recurrence_id)) && !skipped.has(import_uid),
    );
    const ids = vanished.map(({ event_id }) => event_id);
    if (ids.length > 0) yield* await findEvents(db, ids);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.event_id;
  }
}
