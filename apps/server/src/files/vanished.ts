import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { findEvents } from "../events/queries.js";
import type { Seen } from "./decide.js";
import { eventsOfSync, keyOf } from "./import-queries.js";

const sliceSize = 200;

interface Vanishing {
  readonly syncId: number;
  readonly now: number;
  /** Is called for each event that is not for the public. */
  readonly onHidden: () => void;
}

/**
 * Returns the future events that a sync has made and that its file has no more. Those of a UID that could not be imported stay. Those
 * that are not for the public go, past ones too.
 */
export async function* vanishedEvents(
  db: Db,
  { syncId, now, onHidden }: Vanishing,
  { keys, skipped, hidden, events }: Seen,
): AsyncIterable<EventRow> {
  for (let after = 0; ;) {
    const rows = await eventsOfSync(db, syncId, { after, limit: sliceSize });
    const vanished = rows.filter(({ event_id, import_uid, import_recurrence_id, start_at }) => {
      if (events.has(event_id) || keys.has(keyOf(import_uid, import_recurrence_id))) return false;
      if (hidden.has(import_uid)) onHidden();
      return hidden.has(import_uid) || (start_at > now && !skipped.has(import_uid));
    });
    const ids = vanished.map(({ event_id }) => event_id);
    if (ids.length > 0) yield* await findEvents(db, ids);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.event_id;
  }
}
