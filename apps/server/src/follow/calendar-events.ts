import type { Db, Reader } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { CalendarRow } from "../db/rows.js";
import { monthIndex, monthStart } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import {
  type ListedEvent,
  listEventCategories,
  listEventsWithin,
  listMarksWithin,
  listTexts,
  listUpcomingEvents,
  type MarkedEvent,
  type TimeRange,
  type UpcomingEvent,
} from "./queries.js";
import { dayOf, nightSeconds, type ShownEvent, shownEvent } from "./views/shown-events.js";

const daySeconds = 86_400;

/** Events on one page of the list. */
const pageSize = 120;

/** Lines of a list that is not divided into pages; an event of several days has a line on each. */
const maxLines = 300;

/** Events read of a day that is not in the list: enough for its mark. */
const markSize = 10;

/** Events of a month that are read at once; of more, those of each day are read by themselves. */
const mostMarks = 1_000;

/** Where a list begins: a day, as its midnight in local time, and the page (1, 2, …) of its events. */
export interface ListStart {
  readonly day: number;
  readonly page: number;
}

type CalendarOfMonth = Pick<CalendarRow, "id" | "timezone">;

/** The events of a month by day; each day is its midnight in local time. */
export interface MonthEvents {
  readonly days: readonly number[];
  readonly listed: ReadonlyMap<number, readonly ShownEvent<ListedEvent>[]>;
  /** Every day that has events. */
  readonly marks: ReadonlyMap<number, DayMark>;
  /** Where the list goes on. */
  readonly next: ListStart | undefined;
}

export interface DayMark {
  /** The first events of the day. */
  readonly events: readonly ShownEvent<MarkedEvent>[];
  /** Whether these are all. */
  readonly isComplete: boolean;
}

/** Reads a month (year * 12 + month - 1). With many events the list begins at `start` and ends with its page. */
export async function readMonth(
  db: Db,
  calendar: CalendarOfMonth,
  index: number,
  start: ListStart | undefined,
): Promise<MonthEvents> {
  const days = daysOf(index);
  const [first, end] = [monthStart(index), monthStart(index + 1)];
  if (start !== undefined) return readPage(db, calendar, days, start);
  const range = rangeOf(calendar.timezone, first, end);
  const rows = await listEventsWithin(db, calendar.id, range, { limit: pageSize + 1 });
  const shown = rows.map((row) => shownEvent(row, calendar.timezone));
  const listed = new Map(days.map((day) => [day, shown.filter(isOn(day))]));
  for (const [day, events] of listed) if (events.length === 0) listed.delete(day);
  const lines = [...listed.values()].reduce((sum, events) => sum + events.length, 0);
  if (rows.length > pageSize || lines > maxLines)
    return readPage(db, calendar, days, { day: first, page: 1 });
  const marks = new Map([...listed].map(([day, events]) => [day, { events, isComplete: true }]));
  return { days, listed, marks, next: undefined };
}

/** Lists each day by itself, so that every mark is true and each event is on one page. */
async function readPage(
  db: Db,
  calendar: CalendarOfMonth,
  days: readonly number[],
  start: ListStart,
): Promise<MonthEvents> {
  const readDay = await openDays(db, calendar, days);
  const found = new Map<number, readonly ShownEvent<MarkedEvent>[]>();
  const marks = new Map<number, DayMark>();
  let left = pageSize;
  let next: ListStart | undefined;
  for (const day of days) {
    const isListed = day >= start.day && left > 0;
    const page = isListed && day === start.day ? start.page : 1;
    const limit = isListed ? pageSize + 1 : markSize + 1;
    const events = await readDay(day, { limit, offset: (page - 1) * pageSize });
    if (events.length === 0 && page === 1) continue;
    marks.set(day, {
      events: events.slice(0, markSize),
      isComplete: page === 1 && events.length <= markSize,
    });
    if (!isListed) {
      if (day > start.day) next ??= { day, page: 1 };
    } else if (events.length <= left) {
      found.set(day, events);
      left -= events.length;
    } else if (left === pageSize) {
      found.set(day, events.slice(0, pageSize));
      next = { day, page: page + 1 };
      left = 0;
    } else {
      next = { day, page: 1 };
      left = 0;
    }
  }
  return { days, listed: await withTexts(db, found), marks, next };
}

/** Adds to the events of each day what a list prints besides. */
async function withTexts(
  db: Db,
  found: ReadonlyMap<number, readonly ShownEvent<MarkedEvent>[]>,
): Promise<ReadonlyMap<number, readonly ShownEvent<ListedEvent>[]>> {
  const ids = new Set([...found.values()].flat().map(({ event }) => event.id));
  const texts = new Map((await listTexts(db, [...ids])).map((row) => [row.id, row]));
  const listed = ({ event, ...times }: ShownEvent<MarkedEvent>): readonly ShownEvent<ListedEvent>[] => {
    const text = texts.get(event.id);
    return text === undefined ? [] : [{ ...times, event: { ...event, ...text } }];
  };
  return new Map([...found].map(([day, events]) => [day, events.flatMap(listed)]));
}

type ReadDay = (day: number, page: Rows) => Promise<readonly ShownEvent<MarkedEvent>[]>;

/** Returns what reads the events of a day: of all days at once unless the month has very many. */
async function openDays(
  db: Db,
  { id, timezone }: CalendarOfMonth,
  days: readonly number[],
): Promise<ReadDay> {
  const [first = 0] = days;
  const month = rangeOf(timezone, first, first + days.length * daySeconds);
  const marks = await listMarksWithin(db, id, month, { limit: mostMarks + 1 });
  if (marks.length > mostMarks)
    return async (day, page) => {
      const fromNight = toUnix(day + nightSeconds, timezone);
      const range = { ...rangeOf(timezone, day, day + daySeconds), fromNight };
      const rows = await listMarksWithin(db, id, range, page);
      return rows.map((row) => shownEvent(row, timezone)).filter(isOn(day));
    };
  const shown = marks.map((row) => shownEvent(row, timezone));
  return async (day, { limit, offset }) => shown.filter(isOn(day)).slice(offset, offset + limit);
}

function rangeOf(timezone: string, fromLocal: number, local: number) {
  return { from: toUnix(fromLocal, timezone), fromLocal, before: { at: toUnix(local, timezone), local } };
}

const isOn =
  (day: number) =>
  ({ firstDay, lastDay }: ShownEvent): boolean =>
    firstDay <= day && day <= lastDay;

function daysOf(index: number): readonly number[] {
  const start = monthStart(index);
  const length = (monthStart(index + 1) - start) / daySeconds;
  return Array.from({ length }, (_, day) => start + day * daySeconds);
}

/** Parses the start of a list from the query, such as day 18 and page 2; undefined when it is invalid. */
export function parseListStart(index: number, day: string, page: string): ListStart | undefined {
  if (!/^[1-9]\d?$/.test(day) || !/^[1-9]\d{0,3}$/.test(page)) return undefined;
  const midnight = dayOf(monthStart(index) + (Number(day) - 1) * daySeconds);
  return monthIndex(midnight) === index ? { day: midnight, page: Number(page) } : undefined;
}

/** Entries of the list: a page begins with what is next, and its month has the rest. */
const mostEntries = 6;

/** Events that are read for them: those of a weekly series for a year, less two. */
export const mostEvents = 50;

/** More dates that an entry names. */
export const mostDates = 4;

/** An event with the later ones that have the same title and place. */
interface EventSeries {
  readonly event: UpcomingEvent;
  readonly others: readonly UpcomingEvent[];
}

export interface NextEvents {
  readonly entries: readonly (EventSeries & { readonly categories: readonly string[] })[];
  /** The first event that is not in the list, where there is one. */
  readonly more: ListedEvent | undefined;
}

/**
 * Groups events, so that a weekly one does not hide the others. What people read as a series counts: many are single events of one
 * title, and an imported one has no other mark.
 */
export function bySeries(rows: readonly UpcomingEvent[]): readonly EventSeries[] {
  const found = new Map<string, { readonly event: UpcomingEvent; readonly others: UpcomingEvent[] }>();
  for (const event of rows) {
    const times = [event.start_local % daySeconds, event.end_local - event.start_local]; // as the entry says for all of them
    const key = JSON.stringify([event.title, event.location, event.status, event.all_day, ...times]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { event, others: [] });
    else known.others.push(event);
  }
  return [...found.values()];
}

/** Reads the next events, each series as one entry. */
export async function readNextEvents(
  on: Reader,
  calendarId: number,
  range: TimeRange,
  hasCategories: boolean,
): Promise<NextEvents> {
  const rows = await listUpcomingEvents(on, calendarId, range, mostEvents);
  const series = bySeries(rows);
  const [shown, rest] = [series.slice(0, mostEntries), series.slice(mostEntries)];
  const ids = shown.map(({ event }) => event.id);
  const ofEvents = hasCategories ? await listEventCategories(on.read, ids) : [];
  const entries = shown.map(({ event, others }) => ({
    event,
    categories: ofEvents.flatMap(({ event_id, name }) => (event_id === event.id ? name : [])),
    others: others.slice(0, mostDates),
  }));
  const cut = shown.flatMap(({ others }) => others[mostDates] ?? []);
  const unread = rows.length < mostEvents ? [] : rows.slice(-1);
  const [more] = [...rest.map(({ event }) => event), ...cut, ...unread].toSorted(
    (one, other) => one.start_at - other.start_at,
  );
  return { entries, more };
}
