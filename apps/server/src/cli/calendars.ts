import * as queries from "../calendars/queries.js";
import type { Database } from "../db/connect.js";
import type { CalendarRow } from "../db/rows.js";
import { printable, type Report, table } from "./database.js";

/** Lists the calendars of all accounts, with their counters and what their feeds omit because they would be too large. */
export async function listCalendars(db: Database): Promise<Report> {
  const rows = await queries.listEveryCalendar(db.read);
  return {
    json: {
      calendars: rows.map((row) => ({
        calendar_id: String(row.id),
        account_id: String(row.account_id),
        title: row.title,
        uniquekey: row.uniquekey,
        followers_active: row.followers_active,
        followers_total: row.followers_total,
        events_total: row.events_total,
        searchable: row.searchable === 1,
        feed_omits: queries.omittedFrom(row),
      })),
    },
    text: table([
      ["ID", "ACCOUNT", "TITLE", "KEY", "ACTIVE", "FOLLOWERS", "EVENTS", "SEARCHABLE", "FEED OMITS"],
      ...rows.map((row) => [
        String(row.id),
        String(row.account_id),
        row.title,
        row.uniquekey,
        String(row.followers_active),
        String(row.followers_total),
        String(row.events_total),
        row.searchable === 1 ? "on" : "off",
        queries.omittedFrom(row),
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
