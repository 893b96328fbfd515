import { lockCalendar } from "../calendars/locks.js";
import { findCalendar } from "../calendars/queries.js";
import { pagingOf } from "../db/paging.js";
import type { Handlers } from "../http/handler.js";
import { formatInstant } from "../time/instants.js";
import * as changes from "./changes.js";
import { newTexts, requireCategories, resetFields, sentExtras, sentFields } from "./fields.js";
import * as find from "./find.js";
import { listOptions } from "./list-options.js";
import { lockEvent } from "./queries.js";
import * as serialize from "./serialize.js";
import { storeEventChange, storeNewEvent } from "./write.js";

/** The operations of events beyond the contract (extensions.md X2). */
export const eventExtensionHandlers = {
  async findEvents(params, { db, accountId, now, page, error }) {
    const { custom_data_key: name, custom_data_value: value } = params;
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const has = name === undefined ? undefined : { name, value };
    const options = { ...listOptions(params, calendar.timezone, now, page), has };
    const { total, rows } = await db.list(accountId, (on) =>
      on.snapshot((trx) => find.findEvents(trx, calendar.id, options)),
    );
    return {
      calendar: { id: params.calendar_id, events_count: total },
      events: rows.map(serialize.event),
      paging: pagingOf(page, total),
    };
  },

  async getEvent({ event_id }, { db, accountId, error }) {
    const row = await db.list(accountId, ({ read }) => find.findEvent(read, accountId, Number(event_id)));
    if (row === undefined) throw error("event_not_found");
    return { event: serialize.event(row) };
  },

  async addEvent(params, { db, accountId, now, wrote, error }) {
    return db.groupTransaction(async (trx) => {
      const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
      if (calendar === undefined) throw error("calendar_not_found");
      await requireCategories(trx, calendar, params.categories, error);
      const fields = {
        ...newTexts(params),
        ...resetFields(params, calendar, error),
        ...sentExtras(params),
      };
      const row = await storeNewEvent(trx, calendar, fields, now);
      wrote({ calendarId: calendar.id, eventId: row.id });
      return { event: serialize.event(row) };
    });
  },

  async updateEvent(params, { db, accountId, now, requireMatch, wrote, error }) {
    return db.groupTransaction(async (trx) => {
      const found = await lockEvent(trx, accountId, Number(params.event_id));
      if (found === undefined) throw error("event_not_found");
      requireMatch(found.event);
      await requireCategories(trx, found.calendar, params.categories, error);
      const row = await storeEventChange(trx, found, sentFields(params, found, error), now);
      wrote({ calendarId: row.calendar_id, eventId: row.id });
      return { event: serialize.event(row) };
    });
  },

  async listEventChanges({ calendar_id, since }, { db, accountId, now, page, error }) {
    const calendar = await findCalendar(db, accountId, Number(calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const start = { calendarId: calendar.id, version: -1, id: 0, issuedAt: now };
    const cursor = since === undefined ? start : changes.parseCursor(since, calendar.id);
    if (cursor === undefined)
      throw error("parameter_invalid", [
        {
          parameter: "since",
          message: "must be a cursor that this operation returned for this calendar; to begin, leave it out",
        },
      ]);
    // A version that the calendar has not reached: an older backup was restored.
    if (cursor.issuedAt <= now - changes.cursorSeconds || cursor.version > calendar.feed_version)
      throw error("cursor_expired");
    const rows = await db.list(accountId, (on) => changes.listChanges(on, cursor, page.size + 1));
    const shown = rows.slice(0, page.size);
    const { id, version } = shown.at(-1) ?? cursor;
    return {
      changes: shown.map((changed) => ({
        event_id: String(changed.id),
        ...("event" in changed
          ? { change: "saved" as const, event: serialize.event(changed.event) }
          : { change: "deleted" as const, date_deleted: formatInstant(changed.deletedAt) }),
      })),
      cursor: changes.printCursor({ calendarId: calendar.id, version, id, issuedAt: now }),
      has_more: rows.length > page.size,
    };
  },
} satisfies Pick<Handlers, "findEvents" | "getEvent" | "addEvent" | "updateEvent" | "listEventChanges">;
