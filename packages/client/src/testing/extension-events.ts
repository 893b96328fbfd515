import { Refusal } from "./errors.js";
import { calendarOf } from "./calendars.js";
import { isDateAlone } from "./dates.js";
import { hasCustomData, storedCustomData } from "./custom-data.js";
import { matchingEvents } from "./event-list.js";
import { eventFields, eventOf, newEvent, refuse, storeEvent } from "./events.js";
import { eventShape, instantText, wallText } from "./extension-form.js";
import { requireMatch } from "./if-match.js";
import { paged } from "./paging.js";
import type { Params } from "./params.js";
import type { CalendarEvent, Call } from "./state.js";

/** extensions.md X2.4 */
export function findEvents(call: Call): object {
  const { calendar, events } = matchingEvents(call);
  const found = events.filter(({ customData }) => hasCustomData(customData, call));
  const { page, paging } = paged(found, call);
  return {
    calendar: { id: String(calendar.id), events_count: found.length },
    events: page.map((event) => eventShape(event, call)),
    paging,
  };
}

/** extensions.md X2.3 */
export function getEvent(call: Call): object {
  return { event: eventShape(eventOf(call).event, call) };
}

/** extensions.md X2.4, X3.1 */
export function addEvent(call: Call): object {
  const { params, state } = call;
  const categories = categoriesOf(call, params["categories"] ?? "");
  const event = {
    ...newEvent(call),
    status: params["status"] ?? "confirmed",
    categories,
    customData: storedCustomData(params["custom_data"] ?? ""),
  };
  state.events.set(event.id, event);
  return { event: eventShape(event, call) };
}

/** extensions.md X2.3: what is not sent stays. */
export function updateEvent(call: Call): object {
  const { params, faulty } = call;
  const { event: before, calendar } = eventOf(call);
  if (!faulty("X9")) requireMatch(call, before);
  const merged: Record<string, string> = { ...asSent(before), ...params };
  for (const name of ["timezone", "end_date"]) if (merged[name] === "") delete merged[name];
  requireTimes(call, before);
  if (faulty("X10") && params["end_date"] === undefined) delete merged["end_date"];
  if (faulty("X11") && params["location"] === "") merged["location"] = before.location;
  const event = storeEvent(call, {
    ...before,
    ...eventFields({ ...call, params: merged }, calendar, before),
    categories: categoriesOf(call, params["categories"] ?? (faulty("X37") ? "" : before.categories.join())),
    status: statusOf(params["status"], faulty("X14") ? "confirmed" : before.status),
    customData:
      params["custom_data"] === undefined ? before.customData : storedCustomData(params["custom_data"]),
  });
  return { event: eventShape(event, call) };
}

/** A date alone is for all-day events, which an event may be already (rulings R4.2). */
export function requireTimes({ params }: Call, { allDay }: CalendarEvent): void {
  if (/^(true|1)$/i.test(params["all_day_event"] ?? String(allDay))) return;
  for (const name of ["start_date", "end_date"])
    if (isDateAlone(params[name] ?? "")) refuse(name, "must have a time");
}

const mostCategories = 20;

/** The names of a text, which a calendar has 20 different ones of at most. */
export function categoriesOf(call: Call, text: string): readonly string[] {
  if (text === "") return [];
  const names = text.split(",");
  const all = new Set(names);
  for (const event of matchingCalendar(call)) for (const name of event.categories) all.add(name);
  if (all.size > mostCategories) refuse("categories", "must be at most 20 different names");
  return names;
}

/** The events of the calendar that the call writes to. */
function matchingCalendar({ state, params }: Call): readonly CalendarEvent[] {
  const own = state.events.get(Number(params["event_id"]))?.calendarId ?? Number(params["calendar_id"]);
  return [...state.events.values()].filter(({ calendarId, deleted }) => calendarId === own && !deleted);
}

/** An empty value means the default. */
function statusOf(sent: string | undefined, before: string): string {
  return sent === "" ? "confirmed" : (sent ?? before);
}

/** The parameters that make the event what it is. */
function asSent(event: CalendarEvent): Params {
  return {
    title: event.title,
    description: event.description,
    location: event.location,
    organizer: event.organizer,
    organizer_email: event.organizerEmail,
    reminder: event.reminder,
    timezone: event.timezone,
    color_id: event.colorId,
    all_day_event: String(event.allDay),
    start_date: wallText(event.startShown),
    end_date: wallText(event.endShown),
  };
}

/** extensions.md X2.5: each event once, in the order of their last changes. */
export function listEventChanges(call: Call): object {
  const { state, faulty, params, pageSize } = call;
  const calendar = calendarOf(call);
  const since = params["since"] === undefined ? undefined : readCursor(call, params["since"], calendar.id);
  const all = [...state.events.values()]
    .filter(({ calendarId, deleted }) => calendarId === calendar.id && (!deleted || since !== undefined))
    .filter(({ changeNumber }) => changeNumber > (faulty("X21") ? 0 : (since ?? 0)))
    .filter(({ deleted }) => !deleted || !faulty("X15"))
    .toSorted((one, other) => one.changeNumber - other.changeNumber);
  const page = all.slice(0, pageSize);
  return {
    changes: page.map((event) => changeOf(event, call)),
    cursor: btoa(`${calendar.id}.${page.at(-1)?.changeNumber ?? since ?? 0}`).replace(/=+$/, ""),
    has_more: all.length > page.length,
  };
}

function changeOf(event: CalendarEvent, call: Call): object {
  const event_id = String(event.id);
  if (event.deleted) return { event_id, change: "deleted", date_deleted: instantText(event.modified) };
  return { event_id, change: "saved", event: eventShape(event, call) };
}

/** The number of the last change that the caller has seen. */
function readCursor({ state, faulty }: Call, text: string, calendarId: number): number {
  const [, calendar, change] = /^(\d+)\.(\d+)$/.exec(decoded(text)) ?? [];
  if (change === undefined || (Number(calendar) !== calendarId && !faulty("X16")))
    refuse("since", "must be a cursor of this calendar");
  if (Number(change) > state.changeNumber) throw new Refusal("cursor_expired");
  return Number(change);
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
