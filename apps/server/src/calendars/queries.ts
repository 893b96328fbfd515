import type { Knex } from "knex";
import type { Database, Db } from "../db/connect.js";
import { createLookup, perDatabase } from "../db/lookup.js";
import type { AccountRow, CalendarRow } from "../db/rows.js";

const calendars = (db: Db) => db<CalendarRow>("calendars");

/** The calendar of the account; undefined when it is absent, deleted or another account's. */
export async function findCalendar(db: Db, accountId: number, id: number): Promise<CalendarRow | undefined> {
  return calendars(db).where({ id, account_id: accountId }).whereNull("deleted_at").first();
}

/** Any calendar by its id, deleted or not, remembered while nothing is committed. */
export const calendarById = perDatabase((db) =>
  createLookup<CalendarRow>(
    db,
    (ids) => calendars(db.read).whereIn("id", ids.map(Number)),
    (row) => String(row.id),
    { blank: "0" },
  ),
);

/** The calendar of the account, remembered while nothing is committed; undefined as `findCalendar` says. */
export async function knownCalendar(
  db: Database,
  accountId: number,
  id: number,
): Promise<CalendarRow | undefined> {
  const row = await calendarById(db)(String(id));
  return row?.account_id === accountId && row.deleted_at === null ? row : undefined;
}

/** The calendar behind a public key, deleted or not; undefined when there never was one. */
export async function findPublicCalendar(db: Db, uniquekey: string): Promise<CalendarRow | undefined> {
  return calendars(db).where({ uniquekey }).first();
}

/** What the feeds of nobody need to know of their calendars, deleted or not: each one row of one index. */
export function publicFeedsQuery(db: Db, uniquekeys: readonly string[]): Knex.QueryBuilder {
  return calendars(db)
    .whereIn("uniquekey", uniquekeys)
    .select("uniquekey", "id as calendar_id", "feed_version", "feed_modified_at", "feed_cut", "deleted_at");
}

/** The calendar, deleted or not, of whatever account. */
export async function findCalendarById(db: Db, id: number): Promise<CalendarRow | undefined> {
  return calendars(db).where({ id }).first();
}

/** Remembers whether the feed of the calendar had to leave coming events out. */
export async function markFeedCut(db: Db, id: number, cut: 0 | 1): Promise<void> {
  await calendars(db).where({ id }).update({ feed_cut: cut });
}

/** Every calendar of every account, oldest first. */
export async function listEveryCalendar(db: Db): Promise<readonly CalendarRow[]> {
  return calendars(db).whereNull("deleted_at").orderBy("id");
}

/** Says whether search engines may list the calendar's page. Undefined when there is no such calendar. */
export async function setSearchable(db: Db, id: number, searchable: 0 | 1): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id })
    .whereNull("deleted_at")
    .update({ searchable })
    .returning("*");
  return row;
}

/** Most recently saved first. */
export async function listCalendars(
  db: Db,
  accountId: number,
  rows: { readonly limit: number; readonly offset: number },
): Promise<readonly CalendarRow[]> {
  return calendars(db)
    .where({ account_id: accountId })
    .whereNull("deleted_at")
    .orderBy([
      { column: "modified_at", order: "desc" },
      { column: "save_order", order: "desc" },
    ])
    .limit(rows.limit)
    .offset(rows.offset);
}

export type CalendarFields = Pick<
  CalendarRow,
  "calendarname" | "title" | "description" | "timezone" | "palette_id"
>;

export async function insertCalendar(
  db: Db,
  accountId: number,
  calendar: CalendarFields & Pick<CalendarRow, "uniquekey">,
  now: number,
): Promise<CalendarRow> {
  const save_order = await nextSaveOrder(db, accountId);
  const [row] = await calendars(db)
    .insert({
      ...calendar,
      account_id: accountId,
      save_order,
      created_at: now,
      modified_at: now,
      feed_modified_at: now,
    })
    .returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Changes the fields given. Undefined when the account has no such calendar. */
export async function updateCalendar(
  db: Db,
  accountId: number,
  id: number,
  change: Partial<CalendarFields>,
  now: number,
): Promise<CalendarRow | undefined> {
  const save_order = await nextSaveOrder(db, accountId);
  const [row] = await calendars(db)
    .where({ id, account_id: accountId })
    .whereNull("deleted_at")
    .update({
      ...change,
      save_order,
      ...feedChange(db, now),
      modified_at: laterOf(db, now),
    })
    .returning("*");
  return row;
}

/**
 * Marks the calendar deleted, which takes it and all it holds away at once; purge.ts removes the contents later. The row
 * stays, so that its public addresses can say that it is gone.
 */
export async function deleteCalendar(
  db: Db,
  accountId: number,
  id: number,
  now: number,
): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id, account_id: accountId })
    .whereNull("deleted_at")
    .update({ deleted_at: now, purge_pending: 1, ...feedChange(db, now) })
    .returning("*");
  return row;
}

/**
 * Counts a change of the calendar's events: raises `feed_version` and moves `events_total` by `events`. It comes before the
 * change itself, so that on PostgreSQL the calendar's row is locked first.
 */
export async function countEventChange(
  db: Db,
  accountId: number,
  id: number,
  events: -1 | 0 | 1,
  now: number,
): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id, account_id: accountId })
    .whereNull("deleted_at")
    .update({ events_total: db.raw("events_total + ?", [events]), ...feedChange(db, now) })
    .returning("*");
  return row;
}

/** What `countEventChange` makes of a calendar, for who holds its row already. */
export function changedCalendar(calendar: CalendarRow, events: 0 | 1, now: number): CalendarRow {
  const { events_total, feed_version, feed_modified_at, ...others } = calendar;
  return {
    events_total: events_total + events,
    feed_version: feed_version + 1,
    feed_modified_at: feed_modified_at > now ? feed_modified_at + 1 : now,
    ...others,
  };
}

async function nextSaveOrder(db: Db, accountId: number): Promise<number> {
  const [row] = await db<AccountRow>("accounts")
    .where({ id: accountId })
    .update({ calendar_saves: db.raw("calendar_saves + 1") })
    .returning("calendar_saves");
  if (row === undefined) throw new Error(`account ${accountId} is gone`);
  return row.calendar_saves;
}

/** `modified_at` never goes back, even when the clock does. */
function laterOf(db: Db, now: number) {
  return db.raw("case when modified_at > ? then modified_at else ? end", [now, now]);
}

/** What every change of a calendar or its events does to its feed. A clock that was set back still tells changes apart. */
function feedChange(db: Db, now: number) {
  return {
    feed_version: db.raw("feed_version + 1"),
    feed_modified_at: db.raw("case when feed_modified_at > ? then feed_modified_at + 1 else ? end", [
      now,
      now,
    ]),
  };
}
