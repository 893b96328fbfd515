import type { Knex } from "knex";
import type { Db } from "../db/connect.js";
import type { CalendarRow, EventRow } from "../db/rows.js";

const events = (db: Db) => db<EventRow>("events");

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
    .where({ calendar_id: calendarId })
    .whereRaw(`(start_at, id) ${sign} (?, ?)`, [startAt, id]) // a row value, so that one index search finds the place
    .orderBy([
      { column: "start_at", order },
      { column: "id", order },
    ])
    .limit(limit);
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
  const [row] = await events(db).insert(event).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Changes the fields given and counts the save in the same statement. Undefined when the account has no such event. */
export async function updateEvent(
  db: Db,
  accountId: number,
  id: number,
  change: EventChange,
  now: number,
): Promise<EventRow | undefined> {
  const [row] = await events(db)
    .where({ id, account_id: accountId })
    .update({
      ...change,
      updated_times: db.raw("updated_times + 1"),
      // never goes back, even when the clock does
      modified_at: db.raw("case when modified_at > ? then modified_at else ? end", [now, now]),
      moved_at: db.raw("case when modified_at < ? and moved_at < ? then moved_at else ? end", [
        now,
        now,
        afterFeedTime(db),
      ]),
    })
    .returning("*");
  return row;
}

/**
 * A second after the time that the event's feed entry tells, the later of the two columns: some apps take an entry only when
 * its time has grown, which a second save within a second, or a clock that was set back, would not do.
 */
function afterFeedTime(db: Db): Knex.Raw {
  return db.raw("1 + case when modified_at > moved_at then modified_at else moved_at end");
}

/** Gives an event other instants of the same wall clock, unless it was saved meanwhile. Whether it did. */
export async function moveEvent(
  db: Db,
  { id, start_at, end_at, start_local, end_local, timezone }: EventRow,
  instants: Pick<EventRow, "start_at" | "end_at">,
  now: number,
): Promise<boolean> {
  const changed = await events(db)
    .where({ id, start_at, end_at, start_local, end_local, timezone })
    .update({
      ...instants,
      moves: db.raw("moves + 1"),
      moved_at: db.raw("case when modified_at < ? and moved_at < ? then ? else ? end", [
        now,
        now,
        now,
        afterFeedTime(db),
      ]),
    });
  return changed === 1;
}

/** Whether an event was deleted. */
export async function deleteEvent(db: Db, accountId: number, id: number): Promise<boolean> {
  return (await events(db).where({ id, account_id: accountId }).delete()) === 1;
}
