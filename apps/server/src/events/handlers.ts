import type { Params, Payload } from "@kalends/spec";
import { lockCalendarForEvent } from "../calendars/lock-queries.js";
import { findCalendar } from "../calendars/queries.js";
import { initial } from "../db/columns.js";
import { pagingOf } from "../db/paging.js";
import type { Context, Handlers } from "../http/handler.js";
import { PrintedList } from "../http/json.js";
import * as changes from "./change-queries.js";
import { storeChange } from "./drafts.js";
import {
  invalid,
  keptTexts,
  newTexts,
  publicationOf,
  publishedNow,
  requireExtras,
  resetFields,
  sentExtras,
  sentFields,
} from "./fields.js";
import { findListed, findOptions, rangesOf } from "./find.js";
import * as find from "./find-queries.js";
import { listOptions } from "./list-options.js";
import { moveEvent } from "./move.js";
import { readEventPage } from "./page-queries.js";
import * as queries from "./queries.js";
import * as serialize from "./serialize.js";
import { changesOf, idsOf, joined, printed, slicesOf } from "./slices.js";
import { deleteEvent, storeEventChange, storeNewEvent } from "./write.js";

export const eventHandlers = {
  async listEvents(params, { db, accountId, now, page, cached, error }) {
    const calendar = await findCalendar(db, accountId, Number(params.calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    // What is upcoming now changes with the time, so no version names it.
    // With the time of the change: a promoted standby without the last commits gives their numbers to others.
    const { feed_version, feed_modified_at } = calendar;
    const version = params.upcoming === "now" ? undefined : `${feed_version} ${feed_modified_at}`;
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
    return db.transaction(async (trx) => {
      const calendar = await lockCalendarForEvent(trx, { accountId, calendarId: Number(params.calendar_id) });
      if (calendar === undefined) throw error("calendar_not_found");
      const fields = { ...newTexts(params), ...resetFields(params, calendar, error) };
      const row = await storeNewEvent(trx, calendar, fields, now);
      wrote({ calendarId: calendar.id, eventId: row.id });
      return { event: serialize.savedEvent(row) };
    });
  },

  async saveEvent(params, { db, accountId, now, requireMatch, wrote, error }) {
    return db.transaction(async (trx) => {
      const found = await queries.lockPublished(trx, { accountId }, Number(params.event_id));
      if (found === undefined) throw error("event_not_found");
      requireMatch(found.event);
      const change = { ...keptTexts(params), ...resetFields(params, found.calendar, error) };
      const row = await storeEventChange(trx, found, change, now);
      wrote({ calendarId: row.calendar_id, eventId: row.id });
      return { event: serialize.savedEvent(row) };
    });
  },

  deleteEvent: (params, context) => remove(params, context, queries.lockPublished),
  eventsDelete: (params, context) => remove(params, context, queries.lockEvent),

  async eventsList(params, { db, accountId, now, base, page, error }) {
    const calendars = await findListed(db, accountId, params);
    const [first] = calendars;
    if (first === undefined) throw error("calendar_not_found");
    const zones = new Map(calendars.map(({ id, timezone }) => [id, timezone]));
    const within = rangesOf(params, zones, error);
    const options = findOptions(params, first.timezone, now, page);
    const shown = params.wall === undefined ? undefined : zones;
    const keys = new Map(calendars.map(({ id, uniquekey }) => [id, uniquekey]));
    const items: Buffer[] = [];
    const total = await db.list(accountId, (on) =>
      on.snapshot(async (trx) => {
        items.length = 0; // PostgreSQL may run it again
        const found = await find.findIds(trx, within, options);
        for (const slice of slicesOf(found.found))
          for (const row of await find.readEvents(trx, idsOf(slice), options)) {
            const uniquekey = keys.get(row.calendar_id) ?? "";
            items.push(printed(serialize.foundEvent(row, shown, { uniquekey, base })));
          }
        return found.total;
      }),
    );
    return {
      calendar: { id: params.calendar_id, events_count: total },
      events: joined(items),
      paging: pagingOf(page, total),
    };
  },

  async eventsDetails({ event_id }, { db, accountId, calendars, base, error }) {
    const id = Number(event_id);
    const row = await db.list(accountId, ({ read }) => find.findEvent(read, accountId, id));
    const isOwn = row !== undefined && (calendars?.has(row.calendar_id) ?? true); // it may have moved meanwhile
    if (!isOwn) throw error("event_not_found");
    return { event: serialize.event(row, { uniquekey: row.uniquekey, base }) };
  },

  async eventsCreate(params, { db, accountId, now, base, wrote, error }) {
    const publication = publicationOf(params, publishedNow, now, error);
    return db.transaction(async (trx) => {
      const calendar = await lockCalendarForEvent(trx, { accountId, calendarId: Number(params.calendar_id) });
      if (calendar === undefined) throw error("calendar_not_found");
      await requireExtras(trx, calendar, params, error);
      const fields = {
        ...newTexts(params),
        ...resetFields(params, calendar, error),
        ...sentExtras(params, initial, error),
        ...publication,
      };
      const row = await storeNewEvent(trx, calendar, fields, now);
      wrote({ calendarId: calendar.id, eventId: row.id });
      return { event: serialize.event(row, { uniquekey: calendar.uniquekey, base }) };
    });
  },

  async eventsUpdate(params, context) {
    const { db, accountId, calendars, now, base, requireMatch, wrote, error } = context;
    if (params.calendar_id !== undefined) return moveEvent(params, Number(params.calendar_id), context);
    return db.transaction(async (trx) => {
      const found = await queries.lockEvent(trx, { accountId, calendars }, Number(params.event_id));
      if (found === undefined) throw error("event_not_found");
      requireMatch(found.event);
      await requireExtras(trx, found.calendar, params, error);
      const publication = publicationOf(params, found.event, now, error);
      const change = { ...sentFields(params, found, error), ...publication };
      const row = await storeChange(trx, found, change, { now, error });
      wrote({ calendarId: row.calendar_id, eventId: row.id });
      return { event: serialize.event(row, { uniquekey: found.calendar.uniquekey, base }) };
    });
  },

  async eventsChanges({ calendar_id, since }, { db, accountId, now, page, error }) {
    const calendar = await findCalendar(db, accountId, Number(calendar_id));
    if (calendar === undefined) throw error("calendar_not_found");
    const start = { calendarId: calendar.id, version: -1, id: 0, issuedAt: now };
    const cursor = since === undefined ? start : changes.parseCursor(since, calendar.id);
    if (cursor === undefined)
      throw invalid(
        "since",
        "must be a cursor that this operation returned for this calendar; to begin, leave it out",
        "malformed",
        error,
      );
    // A version that the calendar has not reached: an older backup was restored.
    if (cursor.issuedAt <= now - changes.cursorSeconds || cursor.version > calendar.feed_version)
      throw error("cursor_expired");
    const items: Buffer[] = [];
    const rows = await db.list(accountId, async (on) => {
      items.length = 0;
      const listed = await changes.listChanges(on, cursor, page.size + 1);
      for (const slice of slicesOf(listed.slice(0, page.size))) {
        const events = await find.readEvents(on.read, idsOf(slice));
        items.push(...changesOf(slice, events, calendar.id).map(printed));
      }
      return listed;
    });
    const { id, version } = rows.slice(0, page.size).at(-1) ?? cursor;
    return {
      changes: joined(items),
      cursor: changes.printCursor({ calendarId: calendar.id, version, id, issuedAt: now }),
      has_more: rows.length > page.size,
    };
  },
} satisfies Partial<Handlers>;

async function remove(
  { event_id }: Params<"deleteEvent">,
  { db, accountId, calendars, now, requireMatch, wrote, error }: Context<"deleteEvent">,
  lock: typeof queries.lockEvent,
): Promise<Payload<"deleteEvent">> {
  return db.transaction(async (trx) => {
    const found = await lock(trx, { accountId, calendars }, Number(event_id));
    if (found === undefined) throw error("event_not_found");
    requireMatch(found.event);
    await deleteEvent(trx, found, now);
    wrote({ calendarId: found.calendar.id, eventId: found.event.id });
    return { event: { id: event_id, status: "deleted" } };
  });
}
