import { storedCustomData } from "./custom-data.js";
import { readStartDate } from "./dates.js";
import { calendarOf } from "./calendars.js";
import { categoriesOf, requireTimes, updateEvent } from "./extension-events.js";
import { wallText } from "./extension-form.js";
import { eventFields, eventOf, newEvent, nextChange, refuse, year10000 } from "./events.js";
import { requireMatch } from "./if-match.js";
import { recurrence, withoutPrefix } from "./recurrence.js";
import type { CalendarEvent, Call, Series } from "./state.js";

const hour = 3600;
const soonestFirst = (one: CalendarEvent, other: CalendarEvent): number => one.startAt - other.startAt;

/** What a request says of a series: wall clocks. */
function planned(call: Call) {
  const { params, faulty, now } = call;
  const start = readStartDate(params["start_date"] ?? "", faulty) ?? 0;
  const end = readStartDate(params["end_date"] ?? "", faulty) ?? start + hour;
  const { timezone, allDay } = eventFields(call, calendarOf(call), undefined);
  const rdate = readPlaces(call, "rdate", start);
  const exdate = readPlaces(call, "exdate", start);
  const plan = { rrule: params["rrule"] ?? "", start, rdate, timezone, allDay, now };
  const places = recurrence({ ...plan, exdate: faulty("X40") ? [] : exdate });
  return { start, length: end - start, rdate, exdate, places };
}

/** extensions.md X5.1 */
export function createSeries(call: Call): object {
  const { params, state, faulty } = call;
  calendarOf(call);
  const categories = categoriesOf(call, params["categories"] ?? "");
  const { start, length, rdate, exdate, places } = planned(call);
  const events = places.map((place) => {
    const times = { start_date: wallText(place), end_date: wallText(place + length) };
    return newEvent({ ...call, params: { ...params, ...times } });
  });
  const series: Series = {
    id: state.series.size + 1,
    rrule: withoutPrefix(params["rrule"] ?? ""),
    rdate,
    exdate,
    shift: 0,
    length,
    endless: !/COUNT|UNTIL/i.test(params["rrule"] ?? ""),
  };
  state.series.set(series.id, series);
  const added = events.map((event, index) => {
    const status = params["status"] ?? "confirmed";
    const customData = storedCustomData(params["custom_data"] ?? "");
    const repeated = {
      ...event,
      status,
      categories,
      customData,
      seriesId: series.id,
      place: places[index] ?? 0,
    };
    // an instant that repeats would be at another time of the clock once that changes
    const shifted = faulty("X41") ? (events[0]?.startAt ?? 0) + repeated.place - start : undefined;
    const stored = shifted === undefined ? repeated : { ...repeated, startAt: shifted };
    state.events.set(stored.id, stored);
    return stored;
  });
  return answer(call, series, added);
}

/** extensions.md X5.3. The model changes no rule. */
export function updateSeries(call: Call): object {
  const { params, state, faulty } = call;
  const { anchor, series, all } = found(call);
  const rule = ["rrule", "rdate", "exdate"].find((name) => params[name] !== undefined);
  if (rule !== undefined) refuse(rule, "must not be given: the fake does not change rules");
  if (params["scope"] === "this") {
    updateEvent(call);
    return answer(call, series, [anchor]);
  }
  requireTimes(call, anchor);
  const isAll = params["scope"] === "all" || faulty("X42");
  const concerned = all.filter(({ place }) => isAll || place >= anchor.place);
  const start = readStartDate(params["start_date"] ?? "", faulty);
  const end = readStartDate(params["end_date"] ?? "", faulty);
  const by = start === undefined ? 0 : start - anchor.place;
  const length = end === undefined ? series.length : end - (start ?? anchor.startShown);
  if (length < 0) refuse("end_date", "must not be before start_date");
  const moved = { ...series, shift: series.shift + by, length };
  const target = concerned.length < all.length ? { ...moved, id: state.series.size + 1 } : moved;
  state.series.set(target.id, target);
  for (const event of concerned) {
    const isOwn = event.startShown !== event.place || event.endShown - event.startShown !== series.length;
    const from = start === undefined ? event.startShown : event.place + by;
    const lasts = end === undefined ? (isOwn ? event.endShown - event.startShown : series.length) : length;
    if (from + lasts >= year10000) refuse("end_date", "must be before the year 10000");
    const isTimed = start !== undefined || end !== undefined;
    const times = isTimed ? { start_date: wallText(from), end_date: wallText(from + lasts) } : {};
    const own = faulty("X43") ? { location: params["location"] ?? anchor.location } : {};
    const { scope: _scope, ...fields } = params;
    const { ifMatch: _ifMatch, ...rest } = call;
    updateEvent({
      ...rest,
      ifMatch: undefined,
      params: { ...fields, ...own, ...times, event_id: String(event.id) },
    });
    const changed = state.events.get(event.id) ?? event;
    state.events.set(event.id, { ...changed, seriesId: target.id, place: event.place + by });
  }
  return answer(call, target, concerned);
}

/** extensions.md X5.3 */
export function deleteSeries(call: Call): object {
  const { params, state, faulty, now } = call;
  const { anchor, all } = found(call);
  const scope = faulty("X44") ? "this" : params["scope"];
  const deleted = all.filter(
    ({ id, place }) => scope === "all" || (scope === "following" ? place >= anchor.place : id === anchor.id),
  );
  for (const event of deleted)
    state.events.set(event.id, { ...event, deleted: true, modified: now, changeNumber: nextChange(call) });
  return { status: "deleted", event_ids: deleted.toSorted(soonestFirst).map(({ id }) => String(id)) };
}

/** The event that the request names, its series, and all events of it. */
function found(call: Call) {
  const { event: anchor } = eventOf(call);
  requireMatch(call, anchor);
  const series = call.state.series.get(anchor.seriesId);
  if (series === undefined) refuse("event_id", "must be the id of an event of a series");
  const all = [...call.state.events.values()]
    .filter(({ seriesId, deleted }) => seriesId === series.id && !deleted)
    .toSorted((one, other) => one.place - other.place);
  return { anchor, series, all };
}

function answer({ state }: Call, series: Series, events: readonly CalendarEvent[]): object {
  const all = [...state.events.values()].filter(
    ({ seriesId, deleted }) => seriesId === series.id && !deleted,
  );
  const [first] = all;
  return {
    series: {
      id: String(series.id),
      calendar_id: String(first?.calendarId ?? 0),
      rrule: series.rrule,
      rdate: series.rdate.map((place) => wallText(place + series.shift)),
      exdate: series.exdate.map((place) => wallText(place + series.shift)),
      shift_minutes: series.shift / 60,
      timezone: first?.timezone ?? "",
      all_day_event: first?.allDay ?? false,
      endless: series.endless,
      events_count: all.length,
    },
    event_ids: events.toSorted(soonestFirst).map(({ id }) => String(id)),
  };
}

/** The starts of a list; a date alone means the time of the first. */
function readPlaces({ params, faulty }: Call, name: string, start: number): readonly number[] {
  const items = (params[name] ?? "").split(",").filter((item) => item !== "");
  return items.map((item) => {
    const wall = readStartDate(item, faulty);
    if (wall === undefined) refuse(name, "must be real dates");
    return item.length === 10 ? wall + (start % 86_400) : wall;
  });
}
