import { Refusal } from "./errors.js";
import { paged } from "./paging.js";
import { idOf } from "./params.js";
import { uniqueKey } from "./random.js";
import type { Calendar, Call } from "./state.js";

const defaultZone = "America/Los_Angeles";
const defaultPalette = "1";

/** The calendar that a request names; 404 when it is not this account's (rulings R2.3). */
export function calendarOf({ state, account, params, faulty }: Call): Calendar {
  const calendar = state.calendars.get(idOf(params, "calendar_id"));
  if (faulty("K64") && calendar !== undefined && calendar.account !== account)
    throw new Refusal("scope_insufficient");
  if (calendar === undefined || calendar.deleted || calendar.account !== account)
    throw new Refusal("calendar_not_found");
  return calendar;
}

/** service.md 4.1 */
export function listCalendars(call: Call): object {
  const { page, paging } = paged(ownCalendars(call), call);
  return { calendars: page.map((calendar) => withZone(calendar, call)), paging };
}

/** The calendars of the account, most recently saved first. */
export function ownCalendars({ state, faulty, account }: Call): readonly Calendar[] {
  const mine = [...state.calendars.values()].filter(
    (calendar) => (calendar.account === account || faulty("K35")) && (!calendar.deleted || faulty("M26")),
  );
  // Most recently saved first (service.md 4.1).
  mine.sort((one, other) => other.modified - one.modified || other.saveNumber - one.saveNumber);
  if (faulty("M15")) mine.sort((one, other) => one.id - other.id);
  if (faulty("K73")) mine.sort((one, other) => other.id - one.id);
  const minute = ({ modified }: Calendar) => Math.floor(modified / 60);
  if (faulty("K43")) mine.sort((one, other) => minute(other) - minute(one) || other.id - one.id);
  return mine;
}

/** service.md 4.2 */
export function createCalendar(call: Call): object {
  const { state, faulty, account, now } = call;
  const id = Math.max(0, ...state.calendars.keys()) + 1;
  const calendar: Calendar = {
    ...calendarFields(call, ""),
    id,
    account,
    uniquekey: faulty("K16") ? "aaaabbbbcccc" : uniqueKey(),
    created: now,
    modified: now,
    saveNumber: nextSave(call),
    customData: "{}",
    deleted: false,
  };
  state.calendars.set(id, calendar);
  return { calendar: withZone(calendar, call) };
}

/** service.md 4.3 */
export function saveCalendar(call: Call): object {
  const { state, faulty, now } = call;
  const before = calendarOf(call);
  const calendar: Calendar = {
    ...before,
    ...calendarFields(call, faulty("K28") ? "" : before.description),
    modified: faulty("M22") ? before.modified : now,
    saveNumber: nextSave(call),
  };
  state.calendars.set(calendar.id, calendar);
  // The save response has no timezone (service.md 2.3).
  return { calendar: faulty("M21") ? withZone(calendar, call) : shownCalendar(calendar, call) };
}

/** service.md 4.4 */
export function deleteCalendar(call: Call): object {
  const { state, faulty, params } = call;
  const named = state.calendars.get(idOf(params, "calendar_id"));
  const anyones = named !== undefined && !named.deleted && faulty("M27") ? named : undefined;
  const again = named?.deleted === true && faulty("K44") ? named : undefined;
  const calendar = anyones ?? again ?? calendarOf(call);
  state.calendars.set(calendar.id, { ...calendar, deleted: true });
  return { calendar: { id: faulty("K46") ? calendar.id : String(calendar.id), status: "deleted" } };
}

/** What create and save read alike (service.md 4.2, 4.3). */
export function calendarFields(
  { params, faulty }: Call,
  keptDescription: string,
): Pick<Calendar, "title" | "calendarname" | "description" | "timezone" | "paletteId"> {
  const title = params["title"] ?? "";
  return {
    title,
    calendarname: params["calendarname"] ?? (faulty("M19") ? "" : title),
    description: faulty("K15") ? "" : (params["description"] ?? keptDescription),
    timezone: params["timezone"] ?? (faulty("M20") ? "UTC" : defaultZone),
    paletteId: params["palette_id"] ?? defaultPalette,
  };
}

/** A save of the server has a number: the list shows the last one first. */
export function nextSave({ state }: Call): number {
  state.saveNumber += 1;
  return state.saveNumber;
}

function withZone(calendar: Calendar, call: Call): object {
  const timezone = call.faulty("M24") ? `"${calendar.timezone}"` : calendar.timezone;
  return { ...shownCalendar(calendar, call), timezone };
}

/** How many follow a calendar, how many of them are active, and how many events it has. */
export function countersOf(
  calendar: Calendar,
  { state, faulty }: Call,
): Readonly<Record<"active" | "total" | "events", number>> {
  const followers = state.subscribers.filter(({ calendarId }) => calendarId === calendar.id);
  const active = followers.filter(({ active, blocked }) => active && (!blocked || faulty("K60")));
  const events = [...state.events.values()].filter(
    (event) => event.calendarId === calendar.id && !event.deleted,
  );
  return { active: active.length, total: followers.length, events: events.length };
}

function shownCalendar(calendar: Calendar, call: Call): object {
  const { faulty } = call;
  const { active, total, events } = countersOf(calendar, call);
  return {
    id: String(calendar.id),
    uniquekey: calendar.uniquekey,
    calendarname: calendar.calendarname,
    title: calendar.title,
    description: calendar.description,
    followers_active: faulty("M18") ? active : String(active),
    followers_total: faulty("M18") ? total : String(total),
    events_total: faulty("K14") ? "0" : String(events),
    palette_id: calendar.paletteId,
    date_create: faulty("M23") ? calendar.created * 1000 : calendar.created,
    date_modified: calendar.modified,
  };
}
