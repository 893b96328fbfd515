import type { Db } from "../db/connect.js";
import type { AccountRow, CalendarRow } from "../db/rows.js";

const calendars = (db: Db) => db<CalendarRow>("calendars");

/** The calendar of the account; undefined when it is absent, deleted or another account's. */
export async function findCalendar(db: Db, accountId: number, id: number): Promise<CalendarRow | undefined> {
  return calendars(db).where({ id, account_id: accountId }).whereNull("deleted_at").first();
}

/** The calendar behind a public key, deleted or not; undefined when there never was one. */
export async function findPublicCalendar(db: Db, uniquekey: string): Promise<CalendarRow | undefined> {
  return calendars(db).where({ uniquekey }).first();
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
      modified_at: laterOf(db, "modified_at", now),
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

async function nextSaveOrder(db: Db, accountId: number): Promise<number> {
  const [row] = await db<AccountRow>("accounts")
    .where({ id: accountId })
    .update({ calendar_saves: db.raw("calendar_saves + 1") })
    .returning("calendar_saves");
  if (row === undefined) throw new Error(`account ${accountId} is gone`);
  return row.calendar_saves;
}

/** A time that never goes back, even when the clock does. */
function laterOf(db: Db, column: "modified_at" | "feed_modified_at", now: number) {
  return db.raw("case when ?? > ? then ?? else ? end", [column, now, column, now]);
}

/** What every change of a calendar or its events does to its feed. */
function feedChange(db: Db, now: number) {
  return {
    feed_version: db.raw("feed_version + 1"),
    feed_modified_at: laterOf(db, "feed_modified_at", now),
  };
}
