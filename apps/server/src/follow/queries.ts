import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { EventRow } from "../db/rows.js";

/** A stretch of time: in Unix seconds for events with a time, on the wall clock for whole days. */
export interface Stretch {
  readonly from: number;
  readonly fromLocal: number;
  /** Without an end it is open. */
  readonly before?: { readonly at: number; readonly local: number };
}

const daySeconds = 86_400;

/** An event that began longer before the stretch is not found: the search has to begin somewhere in the index. */
const lookBackSeconds = 100 * daySeconds;

/** Midnight of a date is up to 14 hours before and 12 after midnight UTC. */
const zoneSeconds = daySeconds;

/** The events that go on at some time of the stretch, earliest start first. */
export function listEventsWithin(
  db: Db,
  calendarId: number,
  { from, fromLocal, before }: Stretch,
  limit: number,
): Knex.QueryBuilder<EventRow, EventRow[]> {
  const query = db<EventRow>("events")
    .where({ calendar_id: calendarId })
    .where("start_at", ">=", from - lookBackSeconds)
    .whereRaw("((all_day = 0 and (end_at > ? or start_at >= ?)) or (all_day = 1 and end_local >= ?))", [
      from,
      from,
      fromLocal,
    ])
    .orderBy([
      { column: "start_at", order: "asc" },
      { column: "id", order: "asc" },
    ])
    .limit(limit);
  if (before === undefined) return query;
  return query
    .where("start_at", "<", before.at + zoneSeconds)
    .whereRaw("((all_day = 0 and start_at < ?) or (all_day = 1 and start_local < ?))", [
      before.at,
      before.local,
    ]);
}
