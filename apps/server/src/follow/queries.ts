import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { EventRow } from "../db/rows.js";

/** A range of time: Unix seconds for events with a time, local time in seconds for all-day events. */
export interface TimeRange {
  readonly from: number;
  readonly fromLocal: number;
  /** The exclusive end; the range is open when undefined. */
  readonly before?: { readonly at: number; readonly local: number };
}

const daySeconds = 86_400;

/** Bounds the index scan. An event that began earlier than this before the range is not found. */
const lookBackSeconds = 100 * daySeconds;

/** Bounds the offset of a zone: local midnight is up to 14 hours before and 12 after midnight UTC. */
const zoneSeconds = daySeconds;

/** Returns the events that overlap the range, earliest start first. */
export function listEventsWithin(
  db: Db,
  calendarId: number,
  { from, fromLocal, before }: TimeRange,
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
