import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { CalendarRow, DeletedEventRow, EventRow } from "../db/rows.js";
import { isLong, longestDaySeconds, lookBackSeconds } from "../events/queries.js";

/** A range of time: Unix seconds for events with a time, local time in seconds for all-day events. */
export interface TimeRange {
  readonly from: number;
  readonly fromLocal: number;
  /** Timed events shorter than a day that began before the range and end before this (Unix seconds) are left out. */
  readonly fromNight?: number;
  /** The exclusive end; the range is open when undefined. */
  readonly before?: { readonly at: number; readonly local: number };
}

export interface Page {
  readonly limit: number;
  readonly offset?: number;
}

const daySeconds = 86_400;

/** Bounds the offset of a zone: local midnight is up to 14 hours before and 12 after midnight UTC. */
const zoneSeconds = daySeconds;

/** Returns the events that overlap the range, earliest start first. Long events are found by their end, others by their start. */
export function listEventsWithin(
  db: Db,
  calendarId: number,
  range: TimeRange,
  { limit, offset = 0 }: Page,
): Knex.QueryBuilder<object, EventRow[]> {
  const earliest = range.from - lookBackSeconds;
  const began = overlapping(db, calendarId, range, limit + offset).where("start_at", ">=", earliest);
  const long = overlapping(db, calendarId, range, limit + offset)
    .whereRaw(isLong)
    .where("end_at", ">=", range.from - longestDaySeconds)
    .where("start_at", "<", earliest);
  return db
    .select<EventRow[]>("*")
    .from(began.as("began"))
    .unionAll(db.select("*").from(long.as("long")))
    .orderBy(byStart)
    .limit(limit)
    .offset(offset);
}

const byStart = [
  { column: "start_at", order: "asc" },
  { column: "id", order: "asc" },
];

function overlapping(
  db: Db,
  calendarId: number,
  { from, fromLocal, fromNight = from, before }: TimeRange,
  limit: number,
): Knex.QueryBuilder<EventRow, EventRow[]> {
  const query = db<EventRow>("events")
    .where({ calendar_id: calendarId })
    .whereRaw(
      `((all_day = 0 and (start_at >= ? or (end_at > ? and (end_at >= ? or end_at - start_at >= ${daySeconds}))))
        or (all_day = 1 and (start_local >= ? or (end_local >= ? and end_local - start_local > 3600))))`, // lastLocal
      [from, from, fromNight, fromLocal, fromLocal],
    )
    .orderBy(byStart)
    .limit(limit);
  if (before === undefined) return query;
  return query
    .where("start_at", "<", before.at + zoneSeconds)
    .whereRaw("((all_day = 0 and start_at < ?) or (all_day = 1 and start_local < ?))", [
      before.at,
      before.local,
    ]);
}

/** Returns the event with that UID, of any calendar, if there is one. By the UID alone, so that no other index is taken. */
export function listEventsByUid(db: Db, uid: string): Knex.QueryBuilder<EventRow, EventRow[]> {
  return db<EventRow>("events").where({ uid }).limit(1);
}

/** Returns the deletion of an event of the calendar, if there is one and it is still remembered. */
export function listDeletions(
  db: Db,
  calendarId: number,
  uid: string,
): Knex.QueryBuilder<DeletedEventRow, DeletedEventRow[]> {
  return db<DeletedEventRow>("deleted_events").where({ uid, calendar_id: calendarId }).limit(1);
}

/** Returns the calendars that search engines may index, by title. */
export function listSearchableCalendars(
  db: Db,
  limit: number,
): Knex.QueryBuilder<CalendarRow, CalendarRow[]> {
  return db<CalendarRow>("calendars")
    .where({ searchable: 1 })
    .whereNull("deleted_at")
    .orderBy([{ column: "title" }, { column: "id" }])
    .limit(limit);
}
