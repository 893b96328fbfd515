import { lockCalendar } from "../calendars/locks.js";
import { findCalendar } from "../calendars/queries.js";
import { pagingOf } from "../db/paging.js";
import type { Handlers } from "../http/handler.js";
import { PrintedList } from "../http/json.js";
import { announceEvent } from "./announce.js";
import { keptTexts, newTexts, resetFields } from "./fields.js";
import { listOptions } from "./list-options.js";
import { readEventPage } from "./page.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";
import { storeEventChange, storeNewEvent } from "./write.js";

export const eventHandlers = {
  async listEvents(params, { db, accountId, now, page, cached, error }) {
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    // What is upcoming now changes with the time, so no version names it.
    const version = params.upcoming === "now" ? undefined : calendar.feed_version;
    return cached(version, async () => {
      const read = await readEventPage(db, calendar, ({ timezone }) =>
        listOptions(params, timezone, now, page),
      );
      if (read === undefined) throw error("calendar_not_found");
      return {
        calendar: { id: params.calendar_id, events_count: read.total },
        events: new PrintedList(read.items),
        paging: pagingOf(page, read.total),
      };
    });
  },

  async createEvent(params, { db, accountId, now, wrote, error }) {
    return db.groupTransaction(async (trx) => {
      const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
      if (calendar === undefined) throw error("calendar_not_found");
      const fields = { ...newTexts(params), ...resetFields(params, calendar, error) };
      const row = await storeNewEvent(trx, calendar, fields, now);
      wrote({ calendarId: calendar.id, eventId: row.id });
      return { event: serialize.savedEvent(row) };
    });
  },

  async saveEvent(params, { db, accountId, now, requireMatch, wrote, error }) {
    return db.groupTransaction(async (trx) => {
      const found = await queries.lockEvent(trx, accountId, Number(params.event_id));
      if (found === undefined) throw error("event_not_found");
      requireMatch(found.event);
      const change = { ...keptTexts(params), ...resetFields(params, found.calendar, error) };
      const row = await storeEventChange(trx, found, change, now);
      wrote({ calendarId: row.calendar_id, eventId: row.id });
      return { event: serialize.savedEvent(row) };
    });
  },

  async deleteEvent({ event_id }, { db, accountId, now, requireMatch, wrote, error }) {
    return db.groupTransaction(async (trx) => {
      const found = await queries.lockEvent(trx, accountId, Number(event_id));
      if (found === undefined) throw error("event_not_found");
      requireMatch(found.event);
      await queries.deleteEvent(trx, found, now);
      await announceEvent(trx, found.calendar, "event.deleted", found.event, now);
      wrote({ calendarId: found.calendar.id, eventId: found.event.id });
      return { event: { id: event_id, status: "deleted" } };
    });
  },
} satisfies Pick<Handlers, "listEvents" | "createEvent" | "saveEvent" | "deleteEvent">;
