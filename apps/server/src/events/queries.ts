import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { CalendarRow, EventRow, StoredEventRow } from "../db/rows.js";
import { type NewEvent, newRow, stored } from "./changes.js";

const events = (db: Db) => db<EventRow>("events");
const storedEvents = (db: Db) => db<StoredEventRow>("events");

/** All of an event but its ready list item. */
export const eventColumns = [
  "id",
  "account_id",
  "calendar_id",
  "uid",
  "title",
  "description",
  "location",
  "organizer",
  "organizer_email",
  "timezone",
  "color_id",
  "reminder",
  "start_local",
  "end_local",
  "start_month",
  "start_at",
  "end_at",
  "all_day",
  "updated_times",
  "created_at",
  "modified_at",
  "moves",
  "moved_at",
] as const satisfies readonly (keyof EventRow)[];

/** Which events a list shows. */
export interface EventFilter {
  /** Month of the start on the event's own wall clock: year * 12 + month - 1 (rulings R3.5). */
  readonly startMonth?: number;
  /** Unix seconds: starts then or later (rulings R3.6). */
  readonly startsFrom?: number;
}

export type EventOrder = "date-asc" | "date-desc" | "id-asc" | "id-desc";

/** Orders are total: ties fall to the id (rulings R3.4). */
const orders = {
  "date-asc": [
    { column: "start_at", order: "asc" },
    { column: "id", order: "asc" },
  ],
  "date-desc": [
    { column: "start_at", order: "desc" },
    { column: "id", order: "desc" },
  ],
  "id-asc": [{ column: "id", order: "asc" }],
  "id-desc": [{ column: "id", order: "desc" }],
} as const;

function filtered(db: Db, calendarId: number, { startMonth, startsFrom }: EventFilter) {
  const month = startMonth === undefined ? {} : { start_month: startMonth };
  const query = events(db).where({ calendar_id: calendarId, ...month });
  return startsFrom === undefined ? query : query.where("start_at", ">=", startsFrom);
}

/** One page, as a query that runs when awaited. */
export function listEvents(
  db: Db,
  calendarId: number,
  filter: EventFilter & { readonly order: EventOrder; readonly limit: number; readonly offset: number },
): Knex.QueryBuilder<EventRow, EventRow[]> {
  const { order, limit, offset } = filter;
  return filtered(db, calendarId, filter)
    .orderBy([...orders[order]])
    .limit(limit)
    .offset(offset);
}

/** A place among the events of a calendar ordered by start and id, and which way to go from it. */
export interface FeedPosition {
  readonly direction: "later" | "earlier";
  readonly startAt: number;
  readonly id: number;
}

/** The next events after that place; going earlier, those before it, latest first. */
export function listFeedEvents(
  db: Db,
  calendarId: number,
  { direction, startAt, id }: FeedPosition,
  limit: number,
): Knex.QueryBuilder<EventRow, EventRow[]> {
  const [sign, order] = direction === "later" ? [">", "asc"] : ["<", "desc"];
  return events(db)
    .select<EventRow[]>([...eventColumns])
    .where({ calendar_id: calendarId })
    .whereRaw(`(start_at, id) ${sign} (?, ?)`, [startAt, id]) // a row value, so that one index search finds the place
    .orderBy([
      { column: "start_at", order },
      { column: "id", order },
    ])
    .limit(limit);
}

/** The events that there are of these ids. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<readonly EventRow[]> {
  return events(db)
    .whereIn("id", [...ids])
    .orderBy("id")
    .select(...eventColumns);
}

/** How many events match. Without a filter the kept counter says it. */
export async function countEvents(db: Db, calendar: CalendarRow, filter: EventFilter): Promise<number> {
  if (filter.startMonth === undefined && filter.startsFrom === undefined) return calendar.events_total;
  const [row] = await filtered(db, calendar.id, filter).count({ count: "*" });
  return Number(row?.count ?? 0);
}

/** The calendar that holds the event; undefined when the event is absent or another account's. */
export async function findCalendarOfEvent(
  db: Db,
  accountId: number,
  id: number,
): Promise<number | undefined> {
  const row = await events(db).where({ id, account_id: accountId }).first("calendar_id");
  return row?.calendar_id;
}

/** Stores events without counting them. Requests create theirs through writes.ts. */
export async function insertEvent(db: Db, event: NewEvent): Promise<EventRow> {
  const { id: _, ...row } = stored({ ...newRow(event), ...event });
  const [made] = await storedEvents(db).insert(row).returning("id");
  if (made === undefined) throw new Error("insert returned no row");
  return { ...row, id: made.id };
}

/** Stores an event that new zone data moved. Its calendar's row must be locked since before it was read. */
export async function storeMove(db: Db, moved: EventRow): Promise<void> {
  const { id, start_at, end_at, moves, moved_at, json, json_of } = stored(moved);
  await storedEvents(db).where({ id }).update({ start_at, end_at, moves, moved_at, json, json_of });
}

/** Whether an event was deleted. */
export async function deleteEvent(db: Db, accountId: number, id: number): Promise<boolean> {
  return (await events(db).where({ id, account_id: accountId }).delete()) === 1;
}
