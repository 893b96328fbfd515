import type { Knex } from "knex";
import { countEventsChange, type LockedCalendar, lockCalendarOfEvent } from "../calendars/locks.js";
import { batched, hold, type Member } from "../db/batch.js";
import { columnsExcept, eventColumns, insertRows, rowArray, updateRows } from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { EventRow, StoredEventRow } from "../db/rows.js";
import { type EventChange, type NewEvent, newRow, savedRow, stored } from "./revisions.js";

const events = (db: Db) => db<EventRow>("events");

/** All of an event except its list item. */
const rowColumns = columnsExcept(eventColumns, "json", "json_of");

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
    .select<EventRow[]>([...rowColumns])
    .where({ calendar_id: calendarId })
    .whereRaw(`(start_at, id) ${sign} (?, ?)`, [startAt, id]) // a row value, so that one index search finds the place
    .orderBy([
      { column: "start_at", order },
      { column: "id", order },
    ])
    .limit(limit);
}

/** Returns the events that exist of these ids. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<readonly EventRow[]> {
  return events(db)
    .whereIn("id", [...ids])
    .orderBy("id")
    .select(...rowColumns);
}

/** Locks an event and its calendar. Undefined when it is absent, another account's, or its calendar is deleted. */
export async function lockEvent(
  trx: Member,
  accountId: number,
  id: number,
): Promise<{ readonly event: EventRow; readonly calendar: LockedCalendar } | undefined> {
  await hold(trx, `event ${id}`);
  // The calendar first, as every change of its events does; the event is read when no one else can change it.
  const lockedCalendar = await lockCalendarOfEvent(trx, accountId, id);
  const event = await findEvent(trx, { accountId, id });
  const calendar = event && lockedCalendar(event.calendar_id);
  return event && calendar && { event, calendar };
}

const findEvent = batched<{ accountId: number; id: number }, EventRow, EventRow | undefined>({
  writes: false,
  rows: (inputs) => inputs.map(({ id }) => [id]),
  sql: ({ items }) => `select ${rowColumns.join(", ")} from events
    where id in (select cast(value ->> 0 as bigint) from ${items}($1))`,
  results: (inputs, rows) => {
    const found = new Map(rows.map((row) => [row.id, row]));
    return inputs.map(({ accountId, id }) => {
      const row = found.get(id);
      return row?.account_id === accountId ? row : undefined;
    });
  },
});

/** Stores an event of a locked calendar and counts it. */
export async function insertEvent(trx: Member, event: NewEvent, now: number): Promise<EventRow> {
  const row = newRow(event);
  const [id] = await Promise.all([
    insertEventRow(trx, stored(row)),
    countEventsChange(trx, { calendarId: event.calendar_id, events: 1, now }),
  ]);
  return { ...row, id };
}

const inserted = rowArray(eventColumns, columnsExcept(eventColumns, "id"));

const insertEventRow = batched<StoredEventRow, Pick<EventRow, "id" | "uid">, number>({
  writes: true,
  rows: (rows) => rows.map(inserted.cells),
  sql: (dialect) => `${insertRows("events", inserted, dialect)} returning id, uid`,
  results: (rows, made) => {
    const ids = new Map(made.map(({ id, uid }) => [uid, id])); // the order of the rows is not promised
    return rows.map(({ uid }) => {
      const id = ids.get(uid);
      if (id === undefined) throw new Error("insert returned no id");
      return id;
    });
  },
});

/** Saves a locked event. */
export async function updateEvent(
  trx: Member,
  event: EventRow,
  change: EventChange,
  now: number,
): Promise<EventRow> {
  const row = savedRow(event, change, now);
  const isInPlace = row.start_at === event.start_at && row.start_month === event.start_month;
  await Promise.all([
    (isInPlace ? updateInPlace : updateEventRow)(trx, stored(row)),
    countEventsChange(trx, { calendarId: event.calendar_id, events: 0, now }),
  ]);
  return row;
}

const never = ["account_id", "calendar_id", "uid", "created_at", "moves"] as const;

const updateEventRow = updateOf(columnsExcept(eventColumns, ...never));

/** Of events that start when they did: three indexes stay as they are, which halves what is written to the disk. */
const updateInPlace = updateOf(columnsExcept(eventColumns, ...never, "start_at", "start_month"));

function updateOf(names: readonly ("id" | keyof StoredEventRow)[]) {
  const saved = rowArray(eventColumns, names);
  return batched<StoredEventRow, never, void>({
    writes: true,
    rows: (rows) => rows.map(saved.cells),
    sql: (dialect) => updateRows("events", saved, dialect),
    results: (rows) => rows.map(() => undefined),
  });
}

/** Deletes a locked event. */
export async function deleteEvent(trx: Member, event: EventRow, now: number): Promise<void> {
  await Promise.all([
    deleteEventRow(trx, event),
    countEventsChange(trx, { calendarId: event.calendar_id, events: -1, now }),
  ]);
}

const deleteEventRow = batched<EventRow, never, void>({
  writes: true,
  rows: (rows) => rows.map(({ id }) => [id]),
  sql: ({ items }) => `delete from events where id in (select cast(value ->> 0 as bigint) from ${items}($1))`,
  results: (rows) => rows.map(() => undefined),
});

/** Stores an event that new zone data rescheduled. Its calendar's row must be locked since before it was read. */
export async function updateInstants(db: Db, rescheduled: EventRow): Promise<void> {
  const { id, start_at, end_at, moves, moved_at, json, json_of } = stored(rescheduled);
  await db<StoredEventRow>("events")
    .where({ id })
    .update({ start_at, end_at, moves, moved_at, json, json_of });
}
