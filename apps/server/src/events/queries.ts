import { rowsFoundBy } from "../custom-data/stored.js";
import { bytesOfEvent } from "../calendars/stored-bytes.js";
import { countEventsChange, type LockedCalendar, lockCalendarOfEvent } from "../calendars/lock-queries.js";
import { batched, batchedWrite, hold, type Member, requireRoom, takeRoom } from "../db/batch.js";
import {
  columnsExcept,
  deletedEventColumns,
  eventColumns,
  insertRows,
  rowArray,
  updateRows,
} from "../db/columns.js";
import type { Db } from "../db/database.js";
import type { DeletedEventRow, EventRow, StoredEventRow } from "../db/rows.js";
import { keepsTrash } from "../deletions/days.js";
import { insertDraft, type NewDraft, trashEvent } from "../deletions/trash-queries.js";
import { forgetChanges } from "../history-entries/entry-queries.js";
import { recordEvent } from "./record-history.js";
import { stored } from "./revisions.js";

const events = (db: Db) => db<EventRow>("events");

/** All of an event except its list item. */
export const rowColumns = columnsExcept(eventColumns, "json");

/** SQL: the sync that an event of that table or name is of, as long as there is that sync. */
export const syncedSql = (events: string): string => `(select y.id from imported_events as k
  join calendar_syncs as y on y.id = k.sync_id where k.event_id = ${events}.id) as synced_by`;

/** SQL: both of the event `e`. */
export const rowSql = [...rowColumns.map((name) => `e.${name}`), syncedSql("e")].join(", ");

export async function findEvents(db: Db, ids: readonly number[]): Promise<readonly EventRow[]> {
  return events(db)
    .whereIn("id", [...ids])
    .orderBy("id")
    .select(...rowColumns, db.raw(syncedSql("events")));
}

/** SQL: the bytes of an event's long texts, which are not read for it. */
export const sizeSql = "octet_length(description) + octet_length(custom_data)";

/** Where a slice of a calendar's events begins and ends. */
interface EventSlice {
  /** The first event is the one after this. */
  readonly id: number;
  readonly limit: number;
  /** Of long texts: no event follows the first that goes beyond. */
  readonly bytes: number;
}

/** Some events of a calendar in the order of their ids: for reading all of them in pieces. */
export async function eventsAfter(
  db: Db,
  calendarId: number,
  { id, limit, bytes }: EventSlice,
): Promise<readonly EventRow[]> {
  const slice = events(db)
    .where({ calendar_id: calendarId })
    .where("id", ">", id)
    .orderBy("id")
    .limit(limit)
    .select("id", db.raw(`${sizeSql} as size`));
  const measured = db
    .select("id", db.raw("sum(size) over (order by id rows unbounded preceding) - size as preceding"))
    .from(slice.as("slice"));
  return db
    .select<EventRow[]>(rowColumns.map((name) => `events.${name}`))
    .from(measured.as("measured"))
    .join("events", "events.id", "measured.id")
    .where("preceding", "<=", bytes)
    .orderBy("measured.id");
}

/** An event that no one else can change, and its calendar. */
export interface LockedEvent {
  readonly event: EventRow;
  readonly calendar: LockedCalendar;
}

/** Locks an event and its calendar. Undefined when it is absent, another account's, or its calendar is deleted. */
export async function lockEvent(trx: Member, of: Owned, id: number): Promise<LockedEvent | undefined> {
  await hold(trx, `event ${id}`);
  const locked = await lockHeld(trx, of, id);
  // It moved while its calendar was waited for: then it stays where it is now.
  return stayed(locked === "moved" ? await lockHeld(trx, of, id) : locked);
}

/** Whose events: those of an account, in the calendars that a person is restricted to. An event may have moved since that was looked up. */
export interface Owned {
  readonly accountId: number;
  readonly calendars?: ReadonlySet<number> | undefined;
}

export const stayed = (locked: LockedEvent | "moved" | undefined): LockedEvent | undefined =>
  locked === "moved" ? undefined : locked;

/** The same of an event whose name this member holds. Returns "moved" when another calendar than that of the event is locked, or none. */
export async function lockHeld(
  trx: Member,
  { accountId, calendars }: Owned,
  id: number,
): Promise<LockedEvent | "moved" | undefined> {
  // The calendar first, as every change of its events does; the event is read when no one else can change it. Both are sent at
  // once: PostgreSQL runs the statements of a connection in their order, and SQLite has one writer.
  const [lockedCalendar, event] = await Promise.all([
    lockCalendarOfEvent(trx, accountId, id),
    findEvent(trx, { accountId, id }),
  ]);
  if (event === undefined || calendars?.has(event.calendar_id) === false) return undefined;
  const calendar = lockedCalendar(event.calendar_id);
  return calendar === undefined ? "moved" : { event, calendar };
}

/** Events whose rows are read at once: as many long texts fill 4 MB. */
const mostRead = 64;

/** Locks events and their calendars. Returns those that there are, by id. @throws BudgetExceeded when they are longer than a write may be */
export async function lockEvents(
  trx: Member,
  accountId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, LockedEvent>> {
  // All calendars in one statement, so in one order; the texts of the events in several.
  const [lockedCalendar] = await Promise.all(ids.map((id) => lockCalendarOfEvent(trx, accountId, id)));
  const sizes = await Promise.all(ids.map((id) => findSize(trx, { accountId, id })));
  requireShort(trx, sizes);
  const found = new Map<number, LockedEvent>();
  for (let from = 0; from < ids.length; from += mostRead) {
    const some = ids.slice(from, from + mostRead);
    for (const event of await Promise.all(some.map((id) => findEvent(trx, { accountId, id })))) {
      const calendar = event && lockedCalendar?.(event.calendar_id);
      if (event !== undefined && calendar !== undefined) found.set(event.id, { event, calendar });
    }
  }
  return found;
}

/** Ensures that a write may read the texts of events. @throws BudgetExceeded when they are longer than it may be */
export function requireShort(trx: Member, events: readonly (Sized | undefined)[]): void {
  const bytes = events.reduce((sum, event) => sum + (event?.size ?? 0), 0);
  requireRoom(trx, 0, bytes);
}

/** A query of events by their ids, each with its account: to read another's long texts takes a time that shows that they exist (rulings R2.3). */
const batchedFind = <Row extends Pick<EventRow, "id">>(name: string, columns: string) =>
  batched<{ accountId: number; id: number }, Row, Row | undefined>({
    name,
    writes: false,
    rows: (inputs) => inputs.map(({ accountId, id }) => [accountId, id]),
    sql: ({ items }) => `select ${columns}
    from (select cast(value ->> 0 as bigint) as account_id, cast(value ->> 1 as bigint) as id
      from ${items}($1)) as target
    join events as e on e.id = target.id and e.account_id = target.account_id`,
    results: (inputs, rows) => {
      const found = new Map(rows.map((row) => [row.id, row]));
      return inputs.map(({ id }) => found.get(id)); // each id is held by one member
    },
  });

const findEvent = batchedFind<EventRow>("find events", rowSql);

/** What has long texts, and their bytes. */
export interface Sized {
  readonly size: number;
}

const findSize = batchedFind<Sized & Pick<EventRow, "id">>(
  "find sizes of events",
  `e.id, ${sizeSql} as size`,
);

/** Stores an event of a locked calendar and counts it, and its bytes. Returns it with its id. */
export async function insertEvent(trx: Member, row: EventRow, bytes: number, now: number): Promise<EventRow> {
  const [id] = await Promise.all([
    insertEventRow(trx, stored(row)),
    countEventsChange(trx, { calendarId: row.calendar_id, events: 1, bytes, now }),
  ]);
  return { ...row, id };
}

const inserted = rowArray(eventColumns, columnsExcept(eventColumns, "id"));

const insertEventRow = batched<StoredEventRow, Pick<EventRow, "id" | "uid">, number>({
  name: "insert events",
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

const reserveIdsOf = (table: "events" | "series") =>
  batched<number, { readonly id: number }, readonly number[]>({
    name: `reserve ids of ${table}`,
    writes: true,
    rows: (counts) => [[counts.reduce((sum, count) => sum + count, 0)]],
    sql: (dialect) => dialect.reserveIds(table),
    results: (counts, rows) => {
      const total = counts.reduce((sum, count) => sum + count, 0);
      const length = total / rows.length;
      const ids = rows.flatMap(({ id }) => Array.from({ length }, (_, index) => id - length + 1 + index));
      let from = 0;
      return counts.map((count) => ids.slice(from, (from += count)));
    },
  });

/** Reserves ids of rows; they are used or lost. */
export const reserveIds = { events: reserveIdsOf("events"), series: reserveIdsOf("series") };

/** Stores an event again under its id, and counts it, and its bytes unless they were counted while it was in the trash. */
export async function insertEventAgain(
  trx: Member,
  row: EventRow,
  bytes: number,
  now: number,
): Promise<void> {
  await Promise.all([
    insertWholeRow(trx, stored(row)),
    countEventsChange(trx, { calendarId: row.calendar_id, events: 1, bytes, now }),
  ]);
}

const whole = rowArray(eventColumns, columnsExcept(eventColumns));

const insertWholeRow = batchedWrite<StoredEventRow>({
  name: "insert events again",
  rows: (rows) => rows.map(whole.cells),
  sql: (dialect) => insertRows("events", whole, dialect),
});

/** Stores what a change makes of a locked event, and counts the change and by how many bytes it grows. */
export async function updateEvent(
  trx: Member,
  { event }: LockedEvent,
  row: EventRow,
  growth: number,
  now: number,
): Promise<void> {
  const isInPlace = indexedColumns.every((name) => row[name] === event[name]);
  await Promise.all([
    (isInPlace ? updateInPlace : updateEventRow)(trx, stored(row)),
    countEventsChange(trx, {
      calendarId: event.calendar_id,
      events: 0,
      bytes: growth,
      now,
    }),
  ]);
}

const never = [
  "account_id",
  "calendar_id",
  "uid",
  "created_at",
  "moves",
  "series_id",
  "series_place",
] as const;

const updateEventRow = updateOf(columnsExcept(eventColumns, ...never));

/** What the indexes by time have (db/schema.ts). */
const indexedColumns = [
  "start_at",
  "start_month",
  "end_at",
  "all_day",
  "start_local",
  "end_local",
  "status",
  "color_id",
] as const;

/** Of events that are when they were: four indexes stay as they are, so less is written to the disk (docs/decisions/0010). */
const updateInPlace = updateOf(columnsExcept(eventColumns, ...never, ...indexedColumns));

function updateOf(names: readonly ("id" | keyof StoredEventRow)[]) {
  const saved = rowArray(eventColumns, names);
  return batchedWrite<StoredEventRow>({
    name: "update events",
    rows: (rows) => rows.map(saved.cells),
    sql: (dialect) => updateRows("events", saved, dialect),
  });
}

/**
 * Deletes a locked event, which can be restored from the trash, or makes it a draft. A row stays that says so to those who follow the
 * changes. Every deletion is made here, except those of syncs (imports/publish-queries.ts): their files have the event. Nothing is
 * kept here of one that goes to another calendar.
 */
export async function deleteEvent(
  trx: Member,
  { event, calendar }: LockedEvent,
  now: number,
  to: NewDraft | "trash" | "calendar" = "trash",
): Promise<void> {
  const bytes = bytesOfEvent(event);
  const draft = typeof to === "string" ? undefined : to;
  const isTrashed = to === "trash" && keepsTrash();
  const left = draft?.bytes ?? (isTrashed ? bytes : 0);
  takeRoom(trx, calendar.webhooks * bytes + left); // each message has its texts
  const deletion = { ...event, feed_version: calendar.feed_version + 1, deleted_at: now, bytes };
  await Promise.all([
    bury(trx, deletion),
    draft && insertDraft(trx, draft),
    isTrashed && trashEvent(trx, deletion),
    to === "trash" && recordEvent(trx, "deleted", [event, event], now),
    to === "trash" && !isTrashed && forgetChanges(trx, event),
  ]);
  await Promise.all([
    deleteEventRow(trx, event),
    countEventsChange(trx, { calendarId: event.calendar_id, events: -1, bytes: left - bytes, now }),
  ]);
}

const buried = rowArray(deletedEventColumns, columnsExcept(deletedEventColumns));

const bury = batchedWrite<DeletedEventRow>({
  name: "bury events",
  rows: (rows) => rows.map(buried.cells),
  sql: (dialect) => insertRows("deleted_events", buried, dialect),
});

const deleteEventRow = batchedWrite<EventRow>({
  name: "delete events",
  rows: (rows) => rows.map(({ id }) => [id]),
  copies: (row) => 1 + rowsFoundBy(row) / 2, // which a trigger removes
  sql: ({ items }) => `delete from events where id in (select cast(value ->> 0 as bigint) from ${items}($1))`,
});

/** Stores an event that new zone data rescheduled. Its calendar's row must be locked since before it was read. */
export async function updateInstants(db: Db, rescheduled: EventRow): Promise<void> {
  const { id, start_at, end_at, feed_version, moves, moved_at, json } = stored(rescheduled);
  await db<StoredEventRow>("events")
    .where({ id })
    .update({ start_at, end_at, feed_version, moves, moved_at, json });
}

/** Forgets the first that were deleted before `before`, in Unix seconds. Returns how many. */
export function forgetDeleted(trx: Db, before: number, most: number): Promise<number> {
  const rows = () => trx<DeletedEventRow>("deleted_events");
  const some = rows().where("deleted_at", "<", before).orderBy("deleted_at").limit(most);
  return rows().whereIn("id", some.select("id")).delete();
}
