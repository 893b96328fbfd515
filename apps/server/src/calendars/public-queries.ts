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

/** Columns for the feed that counts no subscriber. */
export type PublicFeed = Pick<
  CalendarRow,
  "uniquekey" | "account_id" | "feed_version" | "feed_modified_at" | "feed_cut" | "deleted_at"
> & { readonly calendar_id: number };

/** SQL that selects PublicFeed of the calendars, deleted or not, with these keys. */
export const publicFeedsSql = (uniquekeys: string): string =>
  `select uniquekey, id as calendar_id, account_id, feed_version, feed_modified_at, feed_cut, deleted_at
  from calendars where uniquekey in (${uniquekeys})`;
