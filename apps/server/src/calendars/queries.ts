import { type FeedOmits, feedOmits } from "./feed-omits.js";
import { accountBytesSql, lockThose } from "./lock-queries.js";
import {
  accountLimit,
  bytesOfCalendar,
  bytesOfTexts,
  bytesBeforeSql,
  type CalendarTexts,
} from "./stored-bytes.js";
import { AccountFull } from "../db/refusals.js";
import { calendarColumns, columnsExcept, type ShownCalendar, shownCalendarColumns } from "../db/columns.js";
import type { Db, LookupDatabase, Reader } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import { createLookup, perDatabase } from "../db/lookup.js";
import type { AccountRow, CalendarRow, EventRow } from "../db/rows.js";
import { keepsTrash } from "./trash-days.js";
import { randomInt } from "node:crypto";

const calendars = (db: Db) => db<CalendarRow>("calendars");

/** A calendar without its long text: reading that of another account would take time, which shows that it exists. */
export type ListedCalendar = Omit<CalendarRow, "description">;
const listedColumns = columnsExcept(calendarColumns, "description").join(", ");

/** Returns the calendar of the account; undefined when it is absent, deleted or another account's. */
export async function findCalendar(
  db: LookupDatabase,
  accountId: number,
  id: number,
): Promise<ListedCalendar | undefined> {
  const row = await calendarById(db)(String(id));
  return row?.account_id === accountId && row.deleted_at === null ? row : undefined;
}

/** Reports whether the account has the calendar, or can restore it. */
export async function hasCalendar(db: LookupDatabase, accountId: number, id: number): Promise<boolean> {
  const row = await calendarById(db)(String(id));
  return row?.account_id === accountId && (row.deleted_at === null || row.trashed === 1);
}

const calendarById = perDatabase((db) =>
  createLookup<ListedCalendar>(db, {
    sql: (ids) => `select ${listedColumns} from calendars where id in (${ids})`,
    keyOf: (row) => String(row.id),
    blank: "0",
  }),
);

export async function findCalendarById(db: Db, id: number): Promise<CalendarRow | undefined> {
  return calendars(db).where({ id }).first();
}

/** Stores which events the feed of the calendar omits. */
export async function markFeedCut(db: Db, id: number, omits: FeedOmits): Promise<void> {
  await calendars(db).where({ id }).update({ feed_cut: feedOmits[omits] });
}

export async function listEveryCalendar(db: Db, account_id: number): Promise<readonly CalendarRow[]> {
  return calendars(db).where({ account_id }).whereNull("deleted_at").orderBy("id");
}

/** Returns the ids of calendars whose counters are wrong, ten at most. */
export async function miscountedCalendars(on: Reader): Promise<readonly number[]> {
  return (await on.query<{ readonly id: number }>(miscountedSql, [])).map(({ id }) => id);
}

const miscountedSql = `select c.id from calendars c
  left join (select calendar_id, count(*) as total from published_events group by calendar_id) e on e.calendar_id = c.id
  left join (
    select calendar_id, count(*) as total, sum(case when active = 1 and blocked = 0 then 1 else 0 end) as active,
      sum(case when active = 0 then 1 else 0 end) as inactive, sum(case when blocked = 1 then 1 else 0 end) as blocked
    from subscribers group by calendar_id
  ) s on s.calendar_id = c.id
  where c.deleted_at is null and (
    c.events_total <> coalesce(e.total, 0) or c.followers_total <> coalesce(s.total, 0)
    or c.followers_active <> coalesce(s.active, 0) or c.followers_inactive <> coalesce(s.inactive, 0)
    or c.followers_blocked <> coalesce(s.blocked, 0)
  ) order by c.id limit 10`;

/** Returns the time of the last create or save of any calendar, in Unix seconds; 0 when there is none. */
export async function newestChange({ read }: Reader): Promise<number> {
  const row = await calendars(read).orderBy("modified_at", "desc").first("modified_at");
  return row?.modified_at ?? 0;
}

/** Sets whether search engines may list the calendar's page. Undefined when there is no such calendar. */
export async function setSearchable(db: Db, id: number, searchable: 0 | 1): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id })
    .whereNull("deleted_at")
    .update({ searchable })
    .returning("*");
  return row;
}

/** Lists a page of an account's calendars, most recently saved first. */
export function listCalendars(
  on: Reader,
  accountId: number,
  { limit, offset }: Rows,
): Promise<readonly ShownCalendar[]> {
  return on.query<ShownCalendar>(listSql, [accountId, limit, offset]);
}

const listSql = `select ${shownCalendarColumns.join(", ")} from calendars where account_id = $1 and deleted_at is null
  order by modified_at desc, save_order desc limit cast($2 as bigint) offset cast($3 as bigint)`;

type CalendarFields = Partial<Pick<CalendarRow, keyof CalendarTexts | "timezone" | "palette_id" | "listed">>;

export async function insertCalendar(
  db: Db,
  accountId: number,
  calendar: CalendarFields & Pick<CalendarRow, "uniquekey">,
  now: number,
): Promise<CalendarRow | undefined> {
  const save_order = await nextSaveOrder(db, accountId);
  if (save_order === undefined) return undefined;
  const [row] = await calendars(db)
    .insert({
      ...calendar,
      account_id: accountId,
      save_order,
      stored_bytes: bytesOfCalendar(calendar),
      created_at: now,
      modified_at: now,
      feed_modified_at: now,
    })
    .returning("*");
  await requireSpaceOf(db, accountId);
  return row;
}

/** Changes the given fields. Undefined when the account has no such calendar. */
export async function updateCalendar(
  db: Db,
  accountId: number,
  id: number,
  change: CalendarFields,
  now: number,
): Promise<CalendarRow | undefined> {
  const save_order = await nextSaveOrder(db, accountId);
  if (save_order === undefined) return undefined;
  const those = calendars(db).where({ id, account_id: accountId }).whereNull("deleted_at");
  const before = accountLimit() === undefined ? undefined : await those.clone().first("stored_bytes");
  const [row] = await those
    .update({
      ...change,
      ...bytesChange(db, change),
      ...paletteChange(db, change.palette_id, now),
      save_order,
      ...feedChange(db, now),
      modified_at: laterOf(db, now),
    })
    .returning("*");
  if (row !== undefined && before !== undefined && row.stored_bytes > before.stored_bytes)
    await requireSpaceOf(db, accountId);
  return row;
}

/** Returns the change of `stored_bytes` that new texts make. */
function bytesChange(db: Db, change: CalendarTexts) {
  const before = bytesBeforeSql(change);
  return before === undefined
    ? {}
    : { stored_bytes: db.raw(`stored_bytes + ? - (${before})`, [bytesOfTexts(change)]) };
}

/** Ensures that an account does not store more than it may, after a write. @throws AccountFull */
export async function requireSpaceOf(db: Db, accountId: number): Promise<void> {
  const most = accountLimit();
  if (most === undefined) return;
  const row = await db<AccountRow>("accounts")
    .where({ id: accountId })
    .first<{ bytes: number }>(db.raw(`${accountBytesSql("accounts.id")} as bytes`));
  if (row !== undefined && row.bytes > most) throw new AccountFull();
}

/** Returns the stored bytes of each account that has any, with calendars that are not purged yet. */
export async function storedBytes(db: Db): Promise<ReadonlyMap<number, number>> {
  const sums = calendars(db)
    .groupBy("account_id")
    .select("account_id", db.raw("cast(sum(stored_bytes) as bigint) as bytes"));
  const rows = await db<AccountRow>("accounts")
    .leftJoin(sums.as("sums"), "sums.account_id", "accounts.id")
    .select<{ id: number; bytes: number }[]>("id", db.raw("coalesce(bytes, 0) + picture_bytes as bytes"));
  return new Map(rows.filter(({ bytes }) => bytes > 0).map(({ id, bytes }) => [id, bytes]));
}

/**
 * Marks the calendar deleted, which hides it and its contents. It can be restored while it is in the trash; after that, or
 * without a trash, purge-job.ts removes the contents. The row stays, so that its public addresses can answer 410.
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
    .update({ deleted_at: now, ...(keepsTrash() ? { trashed: 1 } : toBePurged), ...feedChange(db, now) })
    .returning("*");
  return row;
}

const toBePurged = { trashed: 0, purge_pending: 1 } as const;

/** Restores a calendar that was deleted after a time in Unix seconds. Undefined when it is not in the account's trash. */
export async function restoreCalendar(
  db: Db,
  accountId: number,
  id: number,
  { now, after }: { readonly now: number; readonly after: number },
): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id, account_id: accountId, trashed: 1 })
    .where("deleted_at", ">", after)
    .update({ deleted_at: null, trashed: 0, ...feedChange(db, now) })
    .returning("*");
  return row;
}

/** Marks all calendars of an account deleted for good. Returns their number. */
export async function deleteCalendarsOf(db: Db, accountId: number, now: number): Promise<number> {
  const those = calendars(db).where({ account_id: accountId }).whereNull("deleted_at");
  const trashed = calendars(db).where({ account_id: accountId, trashed: 1 });
  await lockThose(calendars(db).where({ account_id: accountId }).whereRaw(isKept()));
  await trashed.update(toBePurged);
  return those.update({ deleted_at: now, ...toBePurged, ...feedChange(db, now) });
}

/**
 * Marks the trash of an account, or of one of its calendars, as deleted for good; jobs remove it. Undefined when the account
 * has no such calendar.
 */
export async function purgeTrashOf(
  db: Db,
  accountId: number,
  calendarId: number | undefined,
): Promise<number | undefined> {
  const own = { account_id: accountId, ...(calendarId === undefined ? {} : { id: calendarId }) };
  const count = await lockThose(calendars(db).where(own).whereRaw(isKept()));
  await calendars(db)
    .where({ ...own, trashed: 1 })
    .update(toBePurged);
  await calendars(db)
    .where(own)
    .whereNull("deleted_at")
    .whereRaw("exists (select 1 from events as e where e.calendar_id = calendars.id and e.state = 'trashed')")
    .update({ purged_version: db.raw("feed_version") });
  // The deletion of a draft has no feed version.
  await db<EventRow>("events")
    .whereIn("calendar_id", calendars(db).where(own).whereRaw(isKept()).select("id"))
    .whereRaw("state = 'trashed' and preview_key is not null")
    .update({ feed_version: 0 });
  return calendarId === undefined || count > 0 ? count : undefined;
}

/** SQL: whether a calendar is there, or can be restored. */
export const isKept = (name = "calendars"): string => `(${name}.deleted_at is null or ${name}.trashed = 1)`;

/** Marks trashed calendars that were deleted up to a time in Unix seconds to be purged. */
export async function expireCalendars(db: Db, before: number): Promise<void> {
  const expired = calendars(db).whereRaw("trashed = 1").where("deleted_at", "<=", before);
  if ((await lockThose(expired)) > 0) await expired.update(toBePurged);
}

/**
 * Raises the version of the calendar's feed. It comes before the change itself, so that on PostgreSQL the calendar's row is
 * locked first. Undefined when the calendar is deleted for good.
 */
export async function raiseFeedVersion(db: Db, id: number, now: number): Promise<CalendarRow | undefined> {
  const [row] = await calendars(db)
    .where({ id })
    .whereRaw(isKept())
    .update(feedChange(db, now))
    .returning("*");
  return row;
}

/** Undefined when the account was deleted: servers remember its tokens for a moment, so such calls still come. */
async function nextSaveOrder(db: Db, accountId: number): Promise<number | undefined> {
  const [row] = await db<AccountRow>("accounts")
    .where({ id: accountId })
    .whereNull("deleted_at")
    .update({ calendar_saves: db.raw("calendar_saves + 1") })
    .returning("calendar_saves");
  return row?.calendar_saves;
}

/** `modified_at` never goes back, even when the clock does. */
function laterOf(db: Db, now: number) {
  return db.raw("case when modified_at > ? then modified_at else ? end", [now, now]);
}

/** Sets the time of a palette change: at least a second after the last save of an event and the previous change. */
function paletteChange(db: Db, paletteId: string | undefined, now: number) {
  if (paletteId === undefined) return {};
  const later = "case when palette_changed_at > ? then palette_changed_at + 1 else ? end";
  const sql = `case when palette_id <> ? then ${later} else palette_changed_at end`;
  return { palette_changed_at: db.raw(sql, [paletteId, now, now + 1]) };
}

/**
 * Returns the feed columns after a change of the calendar or its events. Each commit has its own `feed_modified_at`, later than
 * the previous one even when the clock was set back or the write waited for others.
 */
function feedChange(db: Db, now: number) {
  return {
    feed_version: db.raw("feed_version + 1"),
    feed_modified_at: db.raw("case when feed_modified_at >= ? then feed_modified_at + 1 else ? end", [
      now,
      now,
    ]),
  };
}

/**
 * Returns the SQL that advances every feed's version. Clients may hold versions from after the backup; reusing these numbers
 * would answer 304 for different content.
 */
export function raiseFeedVersionsSql(now: number): string {
  return `update calendars set feed_version = feed_version + 1000000, feed_modified_at = ${now}`;
}

export async function raiseFeedVersions(trx: Db, now: number): Promise<void> {
  await trx.raw(raiseFeedVersionsSql(now));
}

/** Returns the ids of calendars of any account that exist or can be restored, after `id`. */
export function calendarIdsAfter(db: Db, id: number, limit: number): Promise<readonly number[]> {
  const those = calendars(db).where("id", ">", id).whereRaw(isKept());
  return those.orderBy("id").limit(limit).pluck("id");
}

/** Lower case letters and digits without look-alikes: no 0, 1, i, l, o. */
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** Returns a new public key of a calendar: 12 characters (rulings R4.1). */
export function newUniquekey(): string {
  return Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join("");
}
