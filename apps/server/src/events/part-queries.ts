import type { Knex } from "knex";
import type { Db } from "../db/database.js";
import type { EventRow } from "../db/rows.js";
import { rowColumns } from "./queries.js";

/** Events longer than a week, as in the condition of the index events_long: they are found by their end. */
export const isLong = "end_at - start_at > 604800";

/** The longest local day, at the end of daylight saving time: the end of an all-day event is the start of its last day. */
export const longestDaySeconds = 25 * 3600;

/** Events that are not long and began earlier than this have ended, all-day events and the offsets of all zones included. */
export const lookBackSeconds = 10 * 86_400;

/**
 * The events of a calendar at an instant (`from`, Unix seconds), disjoint: what began before and has not ended, long or short;
 * what begins from then on; what has ended.
 */
export type FeedPart = "runningLong" | "running" | "upcoming" | "past";

/**
 * Bounds how far an all-day event's instants are from its days on the wall clock of another zone: two zones are up to 26 hours apart,
 * and its start and its end have times of day.
 */
export const daysApartSeconds = 3 * 86_400;

/** A moment as events are compared with it: timed ones by the instant, all-day ones by the wall clock. In seconds. */
export interface Moment {
  readonly at: number;
  readonly local: number;
}

/** SQL: events that have not ended at a moment; `values` binds it. An all-day event ends with its last day (rulings R4.4). */
export const lastsUntil = {
  sql: `((all_day = 0 and (start_at >= ? or end_at > ?))
    or (all_day = 1 and (start_local >= ? or (end_local >= ? and end_local - start_local > 3600))))`, // lastLocal of dates.ts
  values: ({ at, local }: Moment): readonly number[] => {
    const day = Math.floor(local / 86_400) * 86_400;
    return [at, at, day, day];
  },
};

/** SQL: events that have begun before a moment. */
export const beginsBefore = {
  sql: "((all_day = 0 and start_at < ?) or (all_day = 1 and start_local < ?))",
  values: ({ at, local }: Moment): readonly number[] => [at, Math.ceil(local / 86_400) * 86_400],
};

/** Where to go on in a part: after the event with this `column` of its order and this id. */
export interface FeedPosition {
  readonly at: number;
  readonly id: number;
}

export function feedOrder(part: FeedPart, from: number): FeedOrder {
  if (part === "runningLong")
    return { column: "end_at", order: "asc", begin: { at: from - longestDaySeconds, id: 0 } };
  const at = part === "running" ? from - lookBackSeconds : from;
  return { column: "start_at", order: part === "past" ? "desc" : "asc", begin: { at, id: 0 } };
}

interface FeedOrder {
  readonly column: "start_at" | "end_at";
  readonly order: "asc" | "desc";
  readonly begin: FeedPosition;
}

/** A part, and where to go on in it. */
export interface FeedPlace {
  readonly part: FeedPart;
  readonly from: number;
  readonly after: FeedPosition;
}

/** Returns the next events of a part after a place in its order, with all their columns. */
export function listEventsOfPart(
  db: Db,
  calendarId: number,
  place: FeedPlace,
  limit: number,
): Knex.QueryBuilder<EventRow, EventRow[]> {
  return feedSlice(db, calendarId, place, limit).select<EventRow[]>([...rowColumns]);
}

/** The same without columns: the caller selects them. */
export function feedSlice(
  db: Db,
  calendarId: number,
  { part, from, after }: FeedPlace,
  limit: number,
): Knex.QueryBuilder<EventRow> {
  const { column, order } = feedOrder(part, from);
  const query = db<EventRow>("published_events as events")
    .where({ calendar_id: calendarId })
    // a row value, so that one index search finds the place
    .whereRaw(`(${column}, id) ${order === "asc" ? ">" : "<"} (?, ?)`, [after.at, after.id])
    .orderBy([
      { column, order },
      { column: "id", order },
    ])
    .limit(limit);
  const isRunning = [from, from - longestDaySeconds];
  if (part === "upcoming") return query;
  if (part === "past") return query.whereRaw(`not ${hasNotEnded}`, isRunning);
  return query
    .whereRaw(part === "runningLong" ? isLong : `not (${isLong})`)
    .where("start_at", "<", from)
    .whereRaw(hasNotEnded, isRunning);
}

/** SQL: events that end at an instant or later. The two values are the instant, and that less the longest day. */
export const hasNotEnded = "(end_at >= ? or (all_day = 1 and end_at >= ?))";
