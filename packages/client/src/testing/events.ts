import { calendarOf } from "./calendars.js";
import { readStartDate } from "./dates.js";
import { Refusal } from "./errors.js";
import { savedEvent } from "./event-form.js";
import { requireMatch } from "./if-match.js";
import { idOf } from "./params.js";
import { uuid } from "./random.js";
import { paletteSize } from "./rules.js";
import type { Calendar, CalendarEvent, Call } from "./state.js";
import { instant, wallClock } from "./zones.js";

/** What no parameter of the contract sets. */
type Kept =
  | "id"
  | "calendarId"
  | "created"
  | "modified"
  | "saves"
  | "uid"
  | "status"
  | "categories"
  | "customData"
  | "changeNumber"
  | "seriesId"
  | "place"
  | "deleted";

const hourSeconds = 3600;
export const year10000 = Date.UTC(10_000, 0, 1) / 1000;

/** service.md 4.6 */
export function createEvent(call: Call): object {
  return { event: savedEvent(newEvent(call), call) };
}

export function newEvent(call: Call): CalendarEvent {
  const { state, faulty, now } = call;
  const calendar = calendarOf(call);
  const id = nextId(Math.max(0, ...state.events.keys()));
  const event: CalendarEvent = {
    ...eventFields(call, calendar, undefined),
    id,
    calendarId: calendar.id,
    created: now,
    modified: now,
    saves: faulty("K17") ? 1 : 0,
    uid: uuid(),
    status: "confirmed",
    categories: [],
    customData: "{}",
    changeNumber: nextChange(call),
    seriesId: 0,
    place: 0,
    deleted: false,
  };
  state.events.set(id, event);
  return event;
}

/** A change of the server has a number, in the order in which they are done (extensions.md X2.5). */
export function nextChange({ state }: Call): number {
  state.changeNumber += 1;
  return state.changeNumber;
}

/** Ids ascend with growing gaps (rulings R4.1 allows it), so that a list often holds ids of different length. */
function nextId(last: number): number {
  const largestJump = 1e14;
  return last + 1 + (last < largestJump ? Math.floor(last * 0.03) : 0);
}

/** service.md 4.7 */
export function saveEvent(call: Call): object {
  const { event: before, calendar } = eventOf(call);
  if (!call.faulty("X7")) requireMatch(call, before);
  const event = storeEvent(call, { ...before, ...eventFields(call, calendar, before) });
  return { event: savedEvent(event, call) };
}

/** Keeps a changed event, as one more save of it. */
export function storeEvent(call: Call, changed: CalendarEvent): CalendarEvent {
  const { state, faulty, now } = call;
  const saves = faulty("M38") ? changed.saves : changed.saves + 1;
  const event = { ...changed, modified: now, saves, changeNumber: nextChange(call) };
  state.events.set(event.id, event);
  return event;
}

/** service.md 4.8 */
export function deleteEvent(call: Call): object {
  const { event } = eventOf(call);
  if (!call.faulty("X8")) requireMatch(call, event);
  const gone = { ...event, deleted: true, modified: call.now, changeNumber: nextChange(call) };
  call.state.events.set(event.id, gone);
  return { event: { id: String(event.id), status: "deleted" } };
}

/** The event that a request names, in a calendar of this account that still exists. */
export function eventOf({ state, account, params, faulty }: Call): {
  event: CalendarEvent;
  calendar: Calendar;
} {
  const event = state.events.get(idOf(params, "event_id"));
  const calendar = state.calendars.get(event?.calendarId ?? 0);
  if (event === undefined || calendar === undefined) throw new Refusal("event_not_found");
  if (event.deleted || (calendar.deleted && !faulty("K50")) || calendar.account !== account)
    throw new Refusal("event_not_found");
  return { event, calendar };
}

/** What create and save read alike; what has no default keeps its value when absent (rulings R4.6). */
export function eventFields(
  call: Call,
  calendar: Calendar,
  before: CalendarEvent | undefined,
): Omit<CalendarEvent, Kept> {
  const { params, faulty } = call;
  const colorId = params["color_id"] ?? (faulty("K71") ? (before?.colorId ?? "") : "");
  const size = paletteSize(calendar.paletteId);
  if (Number(colorId) > size && !faulty("M46")) refuse("color_id", `must be 1 to ${size} in this palette`);
  const timezone = params["timezone"] ?? (faulty("K11") ? "America/Los_Angeles" : calendar.timezone);
  const allDay = ["true", "1"].includes((params["all_day_event"] ?? "false").toLowerCase());
  return {
    title: storedText(params["title"] ?? before?.title ?? "", call),
    description: lineBreaks(params["description"] ?? before?.description ?? "", call),
    location: params["location"] ?? before?.location ?? "",
    organizer: params["organizer"] ?? before?.organizer ?? "",
    organizerEmail: params["organizer_email"] ?? before?.organizerEmail ?? "",
    reminder: params["reminder"] ?? before?.reminder ?? "",
    timezone,
    colorId,
    allDay,
    ...times(call, { timezone, allDay, before }),
  };
}

/** Texts are kept as sent (rulings R4.11, R4.12). */
function storedText(text: string, { faulty }: Call): string {
  if (faulty("K57")) return text.slice(0, 100);
  return faulty("K58") ? text.replace(/[\u{10000}-\u{10ffff}]/gu, "?") : text;
}

/** Line feeds, and the two characters `\n`, go out as `\r\n` (service.md 2.4, rulings R4.8). */
function lineBreaks(text: string, { faulty }: Call): string {
  return faulty("K10") ? text : text.replace(/\r\n|\r|\n|\\n/g, "\r\n");
}

interface Frame {
  readonly timezone: string;
  readonly allDay: boolean;
  readonly before: CalendarEvent | undefined;
}

/** When the event takes place (service.md 4.6, rulings R4.2 to R4.4). */
function times({ params, faulty }: Call, { timezone, allDay, before }: Frame) {
  const which = faulty("K42") ? "second" : "first";
  const toUnix = (wall: number) => (faulty("M36") ? wall : instant(wall, timezone, which));
  const toWall = (unix: number) => (faulty("M36") ? unix : wallClock(unix, timezone));
  const startGiven = readStartDate(params["start_date"] ?? "", faulty) ?? 0;
  const endGiven = faulty("K38") ? undefined : readStartDate(params["end_date"] ?? "", faulty);
  const startAt = toUnix(startGiven);
  // Without an end the event lasts an hour (service.md 4.6).
  const defaultEnd = startAt + (faulty("M33") ? hourSeconds / 2 : hourSeconds);
  let endAt = endGiven === undefined ? defaultEnd : toUnix(endGiven);
  if (faulty("K12") && before !== undefined && endGiven === undefined) endAt = before.endAt;
  else if (endAt < startAt && !faulty("K55")) refuse("end_date", "must not be before start_date");
  if (toWall(endAt) >= year10000) refuse("end_date", "must leave an hour before the year 10000");
  return {
    startAt,
    endAt,
    startShown: allDay ? startGiven : toWall(startAt),
    endShown: allDay && endGiven !== undefined ? endGiven : toWall(endAt),
  };
}

export function refuse(parameter: string, message: string): never {
  throw new Refusal("parameter_invalid", [{ parameter, message }]);
}
