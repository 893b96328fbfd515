import { findWholeCalendar } from "../calendars/find-queries.js";
import type { Db } from "../db/database.js";
import type { Read } from "../events/all.js";
import type { CalendarRow } from "../db/rows.js";
import type { Context, Handlers } from "../http/handler.js";
import { calendarFile, subscribersFile } from "./export-files.js";

export const exportHandlers = {
  async calendarsExport({ calendar_id, format = "ics" }, context) {
    const { read, calendar } = await exported(Number(calendar_id), context);
    return calendarFile(read, calendar, format);
  },

  async subscribersExport({ calendar_id }, context) {
    const { read, calendar } = await exported(Number(calendar_id), context);
    return subscribersFile(read, calendar);
  },
} satisfies Partial<Handlers>;

/**
 * Returns a calendar, and what reads of it: each time in a turn of its account, so that one who is slow to take the file holds
 * nothing meanwhile. @throws ApiError when the calendar is absent, also when it was deleted since
 */
async function exported(id: number, { db, accountId, error }: Context<"calendarsExport">) {
  const found = async (on: Db): Promise<CalendarRow> => {
    const calendar = await findWholeCalendar(on, accountId, id);
    if (calendar === undefined) throw error("calendar_not_found");
    return calendar;
  };
  const read: Read = (work) =>
    db.list(accountId, async ({ read: on }) => {
      await found(on);
      return work(on);
    });
  return { read, calendar: await read(found) };
}
