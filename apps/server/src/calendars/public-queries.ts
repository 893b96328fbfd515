import { calendarColumns, columnsExcept } from "../db/columns.js";
import type { Database, Db } from "../db/database.js";
import type { CalendarRow } from "../db/rows.js";

// Calendars of any account, for public addresses.

const calendars = (db: Db) => db<CalendarRow>("calendars");

/** Columns for every public page, without long texts. */
export type PageCalendar = Omit<CalendarRow, "description" | "custom_data">;
const pageColumns = columnsExcept(calendarColumns, "description", "custom_data");

const publicSql = `select ${pageColumns.join(", ")} from calendars where uniquekey = $1`;

/** Returns the calendar behind a public key, deleted or not; undefined when there never was one. */
export async function findPublicCalendar(
  db: Pick<Database, "lookUp">,
  uniquekey: string,
): Promise<PageCalendar | undefined> {
  const [row] = await db.lookUp<PageCalendar>(publicSql, [uniquekey]);
  return row;
}

export async function findPageCalendar(db: Db, id: number): Promise<PageCalendar | undefined> {
  return calendars(db)
    .where({ id })
    .first(...pageColumns);
}

export type DescribedCalendar = Omit<CalendarRow, "custom_data">;

export async function findDescribedCalendar(db: Db, id: number): Promise<DescribedCalendar | undefined> {
  return calendars(db)
    .where({ id })
    .first(...pageColumns, "description");
}

/** Calendars that a portal shows at most, and that one feed has. */
export const mostListed = 100;

const listed = (db: Db) => calendars(db).where({ listed: 1 }).whereNull("deleted_at");

/** Returns the calendars that the portal of an account shows, by title (extensions X11.3). */
export async function listPortalCalendars(db: Db, accountId: number): Promise<readonly PageCalendar[]> {
  return listed(db)
    .where({ account_id: accountId })
    .orderBy([{ column: "title" }, { column: "id" }])
    .limit(mostListed)
    .select(...pageColumns);
}

/** Returns those of the calendars with these keys that a portal shows, in the order of their ids. */
export async function findListed(
  db: Db,
  uniquekeys: readonly string[],
): Promise<readonly Pick<CalendarRow, "id" | "account_id">[]> {
  return listed(db)
    .whereIn("uniquekey", [...uniquekeys])
    .orderBy("id")
    .select("id", "account_id");
}

/** Returns the only account that has a calendar which a portal shows; undefined when there is none, or more than one. */
export async function findOnlyAccount(db: Pick<Database, "lookUp">): Promise<number | undefined> {
  const [row] = await db.lookUp<{ readonly first: number | null; readonly last: number | null }>(
    listedAccountsSql,
    [],
  );
  return row?.first === row?.last ? (row?.first ?? undefined) : undefined;
}

/** Each end by itself, which the index has at once. */
const listedAccountsSql = `select
  (select min(account_id) from calendars where listed = 1 and deleted_at is null) as first,
  (select max(account_id) from calendars where listed = 1 and deleted_at is null) as last`;

/** What the feed that counts no subscriber needs of its calendar. */
export type PublicFeed = Pick<
  CalendarRow,
  "uniquekey" | "account_id" | "feed_version" | "feed_modified_at" | "feed_cut" | "deleted_at"
> & { readonly calendar_id: number };

/** SQL that selects PublicFeed of the calendars, deleted or not, with these keys. */
export const publicFeedsSql = (uniquekeys: string): string =>
  `select uniquekey, id as calendar_id, account_id, feed_version, feed_modified_at, feed_cut, deleted_at
  from calendars where uniquekey in (${uniquekeys})`;
