import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { CalendarRow, EventRow, StoredEventRow } from "../db/rows.js";
import { listedJson, listedJsonVersion } from "./listed-json.js";

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

export type EventChange = Partial<
  Omit<
    EventRow,
    | "id"
    | "account_id"
    | "calendar_id"
    | "uid"
    | "updated_times"
    | "created_at"
    | "modified_at"
    | "moves"
    | "moved_at"
  >
>;

export async function insertEvent(
  db: Db,
  event: Omit<EventRow, "id" | "updated_times" | "moves" | "moved_at">,
): Promise<EventRow> {
  const made = { updated_times: 0, moves: 0, moved_at: 0, ...event };
  const [row] = await storedEvents(db)
    .insert({ ...made, ...jsonOf(made) })
    .returning("id");
  if (row === undefined) throw new Error("insert returned no row");
  return { ...made, id: row.id };
}

/**
 * Changes the fields given and counts the save. Undefined when the account has no such event. The calendar's row must be
 * locked, as `countEventChange` does.
 */
export async function updateEvent(
  db: Db,
  accountId: number,
  id: number,
  change: EventChange,
  now: number,
): Promise<EventRow | undefined> {
  const row = await events(db)
    .where({ id, account_id: accountId })
    .first(...eventColumns);
  if (row === undefined) return undefined;
  const saved = {
    ...change,
    updated_times: row.updated_times + 1,
    modified_at: Math.max(row.modified_at, now), // never goes back, even when the clock does
    moved_at: row.modified_at < now && row.moved_at < now ? row.moved_at : afterFeedTime(row),
  };
  return storeChange(db, row, saved);
}

/**
 * A second after the time that the event's feed entry tells, the later of the two columns: some apps take an entry only when
 * its time has grown, which a second save within a second, or a clock that was set back, would not do.
 */
function afterFeedTime({ modified_at, moved_at }: EventRow): number {
  return 1 + Math.max(modified_at, moved_at);
}

/** Gives an event other instants of the same wall clock. Its calendar's row must be locked since before it was read. */
export async function moveEvent(
  db: Db,
  row: EventRow,
  instants: Pick<EventRow, "start_at" | "end_at">,
  now: number,
): Promise<void> {
  await storeChange(db, row, {
    ...instants,
    moves: row.moves + 1,
    moved_at: row.modified_at < now && row.moved_at < now ? now : afterFeedTime(row),
  });
}

async function storeChange(db: Db, row: EventRow, change: Partial<EventRow>): Promise<EventRow> {
  const changed = { ...row, ...change };
  await storedEvents(db)
    .where({ id: row.id })
    .update({ ...change, ...jsonOf(changed) });
  return changed;
}

/** The list item, written with everything that it shows. */
function jsonOf(row: Omit<EventRow, "id">): Pick<StoredEventRow, "json" | "json_of"> {
  return { json: listedJson(row), json_of: listedJsonVersion(row) };
}

/** Whether an event was deleted. */
export async function deleteEvent(db: Db, accountId: number, id: number): Promise<boolean> {
  return (await events(db).where({ id, account_id: accountId }).delete()) === 1;
}
