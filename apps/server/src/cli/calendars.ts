import { operations } from "@kalends/spec";
import { calendarHandlers } from "../calendars/handlers.js";
import { omittedFrom } from "../calendars/feed-omits.js";
import * as queries from "../calendars/queries.js";
import type { Database } from "../db/connect.js";
import type { CalendarRow } from "../db/rows.js";
import { printable, type Report, table } from "./database.js";
import { accepted, handlerContext, namingOptions, requireAccount } from "./operations.js";
import { pageAddress } from "./pages.js";

/** The options of `calendar create`. */
export interface NewCalendar {
  readonly account: number;
  readonly title: string;
  readonly timezone: string;
  readonly description?: string;
}

/** Creates a calendar by the rules of the API. @throws Error when the account does not exist or a value is refused */
export async function createCalendar(db: Database, options: NewCalendar, now: number): Promise<Report> {
  const { account, title, timezone, description } = options;
  await requireAccount(db.read, account);
  const params = accepted(operations.createCalendar, operations.createCalendar.params, {
    title,
    timezone,
    description,
  });
  const { calendar } = await namingOptions(
    calendarHandlers.createCalendar(params, handlerContext(db, account, now)),
  );
  const page = pageAddress(calendar);
  return {
    json: { calendar: { ...calendar, page } },
    text: `Calendar ${calendar.id} of account ${account}, ${printable(title)}. Its page is:\n\n  ${page}\n`,
  };
}

/** Lists the calendars of all accounts, or of one, with their counters and what their feeds omit because they would be too large. */
export async function listCalendars(db: Database, account?: number): Promise<Report> {
  if (account !== undefined) await requireAccount(db.read, account);
  const rows = await queries.listEveryCalendar(db.read, account);
  return {
    json: {
      calendars: rows.map((row) => ({
        calendar_id: String(row.id),
        account_id: String(row.account_id),
        title: row.title,
        uniquekey: row.uniquekey,
        page: pageAddress(row),
        followers_active: row.followers_active,
        followers_total: row.followers_total,
        events_total: row.events_total,
        searchable: row.searchable === 1,
        feed_omits: omittedFrom(row),
      })),
    },
    text: table([
      ["ID", "ACCOUNT", "TITLE", "ACTIVE", "FOLLOWERS", "EVENTS", "SEARCHABLE", "FEED OMITS", "PAGE"],
      ...rows.map((row) => [
        String(row.id),
        String(row.account_id),
        row.title,
        String(row.followers_active),
        String(row.followers_total),
        String(row.events_total),
        row.searchable === 1 ? "on" : "off",
        omittedFrom(row),
        pageAddress(row),
      ]),
    ]),
  };
}

/** Sets whether search engines may index the page of a calendar. @throws Error when the calendar does not exist. */
export async function setSearchable(db: Database, id: number, on: boolean): Promise<Report> {
  const row = await db.transaction((trx) => queries.setSearchable(trx, id, on ? 1 : 0));
  if (row === undefined) throw noCalendar(id);
  return {
    json: { calendar_id: String(id), searchable: on },
    text: `Search engines ${on ? "may" : "may not"} index the page of calendar ${id}, ${printable(row.title)}.`,
  };
}

/** Returns the calendar. @throws Error when it does not exist or was deleted. */
export async function existingCalendar(db: Database, id: number): Promise<CalendarRow> {
  const row = await queries.findCalendarById(db.read, id);
  if (row === undefined || row.deleted_at !== null) throw noCalendar(id);
  return row;
}

function noCalendar(id: number): Error {
  return new Error(`There is no calendar ${id}; run "calendar list" to see all.`);
}
