import { operations } from "@kalends/spec";
import { omittedFrom } from "../calendars/feed-omits.js";
import * as queries from "../calendars/queries.js";
import type { Database } from "../db/connect.js";
import type { CalendarRow } from "../db/rows.js";
import { printable, type Report, table } from "./database.js";
import { requireAccount } from "./operations.js";
import { pageAddress } from "./pages.js";
import { counted } from "./print.js";
import { reporting, type ShortCommand } from "./short-commands.js";

/** Commands about calendars that are one operation. */
export const calendarCommands: readonly ShortCommand[] = [
  {
    name: "create",
    does: "create a calendar and print the address of its page",
    operation: "createCalendar",
    report: reporting(operations.createCalendar.payload, ({ calendar }, { account }) => {
      const page = pageAddress(calendar);
      return {
        json: { calendar: { ...calendar, page } },
        text: `Calendar ${calendar.id} of account ${account}, ${printable(calendar.title)}. Its page is:\n\n  ${page}\n`,
      };
    }),
  },
  {
    name: "change",
    does: "change what is given of a calendar, and nothing else; an empty value clears",
    operation: "updateCalendar",
    argument: ["calendar_id", "calendar"],
    report: reporting(
      operations.updateCalendar.payload,
      ({ calendar: { id, title } }) => `Calendar ${id}, ${printable(title)}, is changed.`,
    ),
  },
  {
    name: "delete",
    does: "delete a calendar with its events and followers",
    operation: "deleteCalendar",
    argument: ["calendar_id", "calendar"],
    loss: async (db, id) => {
      const { title, events_total, followers_total } = await existingCalendar(db, id);
      const held = `${counted(events_total, "event")} and ${counted(followers_total, "follower")}`;
      return `Calendar ${id}, ${printable(title)}, has ${held}. All of it is deleted and cannot be restored; its page and feeds answer 410.`;
    },
    report: reporting(
      operations.deleteCalendar.payload,
      ({ calendar: { id } }) => `Calendar ${id} is deleted.`,
    ),
  },
];

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
