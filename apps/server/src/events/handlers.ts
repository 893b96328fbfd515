import { randomUUID } from "node:crypto";
import type { ParameterFailure, Params } from "@kalends/spec";
import { lockCalendar, type LockedCalendar } from "../calendars/locks.js";
import { paletteSize } from "../calendars/palettes.js";
import { findCalendar } from "../calendars/queries.js";
import { offsetOf, type Page, pagingOf } from "../db/paging.js";
import type { Handlers } from "../http/handler.js";
import { PrintedList } from "../http/json.js";
import { monthOf, parseUpcoming } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import { eventDates } from "./dates.js";
import { type EventListOptions, readEventPage } from "./page.js";
import * as queries from "./queries.js";
import type { EventChange } from "./revisions.js";
import * as serialize from "./serialize.js";

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
    const row = await db.groupTransaction(async (trx) => {
      const calendar = await lockCalendar(trx, { accountId, calendarId: Number(params.calendar_id) });
      if (calendar === undefined) throw error("calendar_not_found");
      const event = {
        account_id: accountId,
        calendar_id: calendar.id,
        uid: randomUUID(),
        description: lineBreaks(params.description ?? ""),
        location: params.location ?? "",
        organizer: params.organizer ?? "",
        organizer_email: params.organizer_email ?? "",
        reminder: params.reminder ?? "",
        created_at: now,
        modified_at: now,
        ...fields(params, calendar, error),
      };
      return queries.insertEvent(trx, event, now);
    });
    wrote({ calendarId: row.calendar_id, eventId: row.id });
    return { event: serialize.savedEvent(row) };
  },

  async saveEvent(params, { db, accountId, now, wrote, error }) {
    const row = await db.groupTransaction(async (trx) => {
      const found = await queries.lockEvent(trx, accountId, Number(params.event_id));
      if (found === undefined) throw error("event_not_found");
      const change = { ...kept(params), ...fields(params, found.calendar, error) };
      return queries.updateEvent(trx, found.event, change, now);
    });
    wrote({ calendarId: row.calendar_id, eventId: row.id });
    return { event: serialize.savedEvent(row) };
  },

  async deleteEvent({ event_id }, { db, accountId, now, wrote, error }) {
    const { id, calendar_id } = await db.groupTransaction(async (trx) => {
      const found = await queries.lockEvent(trx, accountId, Number(event_id));
      if (found === undefined) throw error("event_not_found");
      await queries.deleteEvent(trx, found.event, now);
      return found.event;
    });
    wrote({ calendarId: calendar_id, eventId: id });
    return { event: { id: event_id, status: "deleted" } };
  },
} satisfies Pick<Handlers, "listEvents" | "createEvent" | "saveEvent" | "deleteEvent">;

function listOptions(params: Params<"listEvents">, zone: string, now: number, page: Page): EventListOptions {
  const { month, year, upcoming } = params;
  return {
    ...(month === undefined || year === undefined ? {} : { startMonth: monthOf(year, month) }),
    ...(upcoming === undefined ? {} : { startsFrom: upcoming === "now" ? now : moment(upcoming, zone) }),
    // Upcoming events come soonest first, and order_by is ignored (service.md 4.5).
    order: upcoming === undefined ? (params.order_by ?? "id-desc") : "date-asc",
    limit: page.size,
    offset: offsetOf(page),
  };
}

/** A date/time of `upcoming`, read in the calendar's time zone (rulings R3.6), as Unix seconds. */
function moment(text: string, zone: string): number {
  const local = parseUpcoming(text);
  if (local === undefined) throw new RangeError("the date was not checked");
  return toUnix(local, zone);
}

/** The fields that take their default when absent or empty, on create and on save (rulings R4.6). */
function fields(
  params: Params<"createEvent"> | Params<"saveEvent">,
  calendar: LockedCalendar,
  error: (code: "parameter_invalid", failures: readonly ParameterFailure[]) => Error,
) {
  const refuse = (message: string, parameter: string): Error =>
    error("parameter_invalid", [{ parameter, message }]);
  const timezone = params.timezone ?? calendar.timezone;
  const allDay = /^(?:true|1)$/i.test(params.all_day_event ?? "false");
  const dates = eventDates(params, timezone, allDay);
  if (dates === "end_before_start") throw refuse("must not be before start_date", "end_date");
  if (dates === "end_too_late") throw refuse("must be before the year 10000", "end_date");
  const colors = paletteSize(calendar.palette_id);
  const color_id = params.color_id ?? "";
  if (Number(color_id) > colors)
    throw refuse(`must be at most ${colors}, the colours of the calendar's palette`, "color_id");
  return { title: params.title, timezone, color_id, all_day: allDay ? 1 : 0, ...dates };
}

/** The fields without a default: absent keeps the value, empty clears it (rulings R4.6). */
function kept({
  description,
  location,
  organizer,
  organizer_email,
  reminder,
}: Params<"saveEvent">): EventChange {
  return {
    ...(description === undefined ? {} : { description: lineBreaks(description) }),
    ...(location === undefined ? {} : { location }),
    ...(organizer === undefined ? {} : { organizer }),
    ...(organizer_email === undefined ? {} : { organizer_email }),
    ...(reminder === undefined ? {} : { reminder }),
  };
}

/** LF, CR, CR LF and the two characters `\n` are line breaks and go out as CR LF (rulings R4.8). */
function lineBreaks(text: string): string {
  return text.replaceAll(/\r\n|\r|\n|\\n/g, "\r\n");
}
