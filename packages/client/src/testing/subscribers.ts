import { calendarOf } from "./calendars.js";
import { inMonth, shown } from "./dates.js";
import { Refusal } from "./errors.js";
import { paged } from "./paging.js";
import { idOf } from "./params.js";
import type { Calendar, Call, Subscriber } from "./state.js";
import { wallClock } from "./zones.js";

/** service.md 4.9 */
export function listSubscribers(call: Call): object {
  return listOf(call, (subscriber) => !(call.faulty("K19") && subscriber.blocked));
}

export function listInactiveSubscribers(call: Call): object {
  return listOf(call, ({ active }) => active === call.faulty("M54"));
}

export function listBlockedSubscribers(call: Call): object {
  return listOf(call, ({ blocked }) => blocked || call.faulty("K18"));
}

function listOf(call: Call, isListed: (subscriber: Subscriber) => boolean): object {
  const { state, faulty, params } = call;
  const calendar = calendarOf(call);
  const { month, year, order_by: order } = params;
  const listed = state.subscribers
    .filter((subscriber) => subscriber.calendarId === calendar.id && isListed(subscriber))
    .filter(
      ({ since }) =>
        faulty("K53") ||
        month === undefined ||
        year === undefined ||
        inMonth(wallClock(since, calendar.timezone), { month, year }),
    );
  const ascending = order === "id-asc" || (order === undefined && faulty("K20"));
  listed.sort((one, other) => (ascending ? one.id - other.id : other.id - one.id));
  if (order === "date-desc" && !faulty("K54"))
    listed.sort((one, other) => other.since - one.since || other.id - one.id);
  const { page, paging } = paged(listed, call);
  return {
    calendar: {
      id: String(calendar.id),
      subscribers_count: faulty("K52") ? String(listed.length) : listed.length,
    },
    subscribers: page.map((subscriber) => shownSubscriber(subscriber, calendar, call)),
    paging,
  };
}

/** service.md 4.10 */
export function getSubscriber(call: Call): object {
  const calendar = calendarOf(call);
  const subscriber = call.state.subscribers.find(({ id }) => id === idOf(call.params, "subscriber_id"));
  const follows = subscriber?.calendarId === calendar.id || call.faulty("K21");
  if (subscriber === undefined || !follows) throw new Refusal("subscriber_not_found");
  const one = shownSubscriber(subscriber, calendar, call);
  return { calendar: { id: String(calendar.id) }, subscribers: call.faulty("M56") ? one : [one] };
}

/** service.md 2.5: what is not known is the text `null`. */
function shownSubscriber(subscriber: Subscriber, calendar: Calendar, { faulty }: Call): object {
  const { date, time } = shown(wallClock(subscriber.since, faulty("K34") ? "UTC" : calendar.timezone));
  return {
    id: String(subscriber.id),
    name: subscriber.name,
    email: subscriber.email,
    ip: "203.0.113.7",
    postal: subscriber.postal ?? (faulty("M57") ? null : "null"),
    city: subscriber.city ?? "null",
    state: "null",
    country: subscriber.country,
    date: `${date} ${time}`,
    unixtime_stamp: subscriber.since,
    calendar_type: subscriber.calendarType,
    active: faulty("K33") ? subscriber.active : String(subscriber.active),
    blocked: String(subscriber.blocked),
  };
}
