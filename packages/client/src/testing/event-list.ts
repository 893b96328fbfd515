import { calendarOf } from "./calendars.js";
import { inMonth, readUpcoming } from "./dates.js";
import { shownEvent } from "./event-form.js";
import { paged } from "./paging.js";
import { idOf } from "./params.js";
import type { Calendar, CalendarEvent, Call } from "./state.js";
import { instant } from "./zones.js";

/** service.md 4.5 */
export function listEvents(call: Call): object {
  const { faulty } = call;
  const { calendar, events } = matchingEvents(call);
  const { page, paging } = paged(events, call);
  const shown = { id: String(calendar.id), events_count: faulty("K9") ? page.length : events.length };
  return {
    ...(faulty("K66") ? {} : { calendar: shown }),
    events: page.map((event) => listItem(event, call)),
    paging,
  };
}

/** The events of a calendar that the filters match, in order. */
export function matchingEvents(call: Call): { calendar: Calendar; events: readonly CalendarEvent[] } {
  const { state, faulty, params } = call;
  const anyones = faulty("K27") ? state.calendars.get(idOf(params, "calendar_id")) : undefined;
  const calendar = anyones ?? calendarOf(call);
  const from = upcomingFrom(call, calendar.timezone);
  const events = [...state.events.values()]
    .filter((event) => event.calendarId === calendar.id && (!event.deleted || faulty("K13")))
    .filter((event) => event.status !== "cancelled" || !faulty("X17"))
    .filter((event) => isInMonth(event, call) && (from === undefined || event.startAt >= from));
  events.sort(orderOf(call));
  return { calendar, events };
}

/** The moment from which `upcoming` lists (rulings R3.6). */
function upcomingFrom({ params, faulty, now }: Call, zone: string): number | undefined {
  const upcoming = params["upcoming"];
  if (upcoming === undefined) return undefined;
  if (upcoming === "now") return faulty("K6") ? 0 : now;
  const wall = readUpcoming(upcoming, faulty);
  return wall === undefined ? undefined : instant(wall, faulty("K56") ? "UTC" : zone);
}

/** The month is that of the event's own wall clock (rulings R3.5). */
function isInMonth(event: CalendarEvent, { params, faulty }: Call): boolean {
  const { month, year } = params;
  if (month === undefined || year === undefined) return true;
  const wall = faulty("K5") ? event.startAt : event.startShown;
  return inMonth(wall, { month, year: faulty("K4") ? "" : year });
}

type Order = (one: CalendarEvent, other: CalendarEvent) => number;

const newestFirst: Order = (one, other) => other.id - one.id;
const soonestFirst: Order = (one, other) => one.startAt - other.startAt || one.id - other.id;
const latestFirst: Order = (one, other) => other.startAt - one.startAt || other.id - one.id;
const oldestFirst: Order = (one, other) => one.id - other.id;
const byText: Order = (one, other) => (String(one.id) < String(other.id) ? -1 : 1);

function orderOf({ params, faulty }: Call): Order {
  const order = params["order_by"];
  if (params["upcoming"] !== undefined && order === undefined) return soonestFirst;
  if (order === "date-desc") return faulty("K1") ? newestFirst : latestFirst;
  if (order === "id-asc" && faulty("K49")) return byText;
  if (order === "id-asc") return faulty("K2") ? newestFirst : oldestFirst;
  return faulty("K3") && order === undefined ? oldestFirst : newestFirst;
}

/** The form of a list item (service.md 2.4). */
function listItem(event: CalendarEvent, call: Call): object {
  return {
    id: String(event.id),
    ...shownEvent(event, call),
    date_start_unix: event.startAt,
    date_end_unix: call.faulty("K67") ? event.endAt * 1000 : event.endAt,
    [call.faulty("M31") ? "color_id" : "color"]: event.colorId,
  };
}
