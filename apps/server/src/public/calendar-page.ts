import { type DescribedCalendar, findDescribedCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import type { Db, Reader } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { CalendarRow } from "../db/rows.js";
import { parseForm } from "../http/query-string.js";
import { monthIndex, monthStart } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
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
} from "./public-queries.js";
import { dayOf, nightSeconds, type ShownEvent, shownEvent } from "./views/dates.js";

export interface PageQuery {
  readonly month: number | undefined;
  readonly start: ListStart | undefined;
  readonly isDataDeleted: boolean;
}

/** Returns undefined when the query is invalid. Ignores other parameters, such as those of mailings. */
export function readPageQuery(url: string): PageQuery | undefined {
  const mark = url.indexOf("?");
  const pairs = parseForm(mark === -1 ? "" : url.slice(mark + 1));
  if (pairs === undefined || pairs === "too many") return undefined;
  const isDataDeleted = pairs.some(([name, value]) => name === "left" && value === "1");
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name !== "month" && name !== "day" && name !== "page") continue;
    if (values.has(name)) return undefined;
    values.set(name, value);
  }
  const [text, day, page] = ["month", "day", "page"].map((name) => values.get(name));
  const isList = day !== undefined || page !== undefined;
  if (text === undefined) return isList ? undefined : { month: undefined, start: undefined, isDataDeleted };
  const month = parseMonth(text);
  if (month === undefined) return undefined;
  const start = day === undefined ? undefined : parseListStart(month, day, page ?? "1");
  return isList && start === undefined ? undefined : { month, start, isDataDeleted };
}

/** Events are in the years 1900 to 9999 (rulings R4.2). */
export const firstMonth = 1900 * 12;
export const lastMonth = 9999 * 12 + 11;

export interface Month {
  /** year * 12 + month - 1. */
  readonly index: number;
  /** The current day in the calendar's zone, as its midnight in local time. */
  readonly today: number;
  readonly events: MonthEvents;
  /** Whether the address names the month. If not, its list is folded: it begins with the next events, which the page shows above. */
  readonly isNamed: boolean;
}

/** What the page of a calendar prints. */
export interface CalendarContent {
  readonly calendar: DescribedCalendar;
  readonly upcoming: NextEvents;
  readonly month: Month;
  readonly categories: readonly string[];
}

/** Reads what the page of a calendar prints; undefined when the calendar was deleted. */
export async function readCalendar(
  on: Reader,
  id: number,
  query: PageQuery,
  now: number,
): Promise<CalendarContent | undefined> {
  const calendar = await findDescribedCalendar(on.read, id);
  if (calendar === undefined || calendar.deleted_at !== null) return undefined;
  const today = dayOf(toLocal(now, calendar.timezone));
  const range = { from: now, fromLocal: today };
  const categories = await listCategories(on, id);
  const upcoming = await readNextEvents(on, id, range, categories.length > 0);
  const [first] = upcoming.entries;
  const firstDay = first === undefined ? today : Math.max(today, first.event.start_local);
  // The default is the month of the next event.
  const index = query.month ?? monthIndex(firstDay);
  const events = await readMonth(on.read, calendar, index, query.start);
  const month: Month = { index, today, events, isNamed: query.month !== undefined };
  return { calendar, upcoming, month, categories };
}

const daySeconds = 86_400;

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
  readonly marks: ReadonlyMap<number, DayMark>;
  readonly next: ListStart | undefined;
}

export interface DayMark {
  readonly events: readonly ShownEvent<MarkedEvent>[];
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

/** Events that are read for them: those of a weekly series for a year. */
export const mostEvents = 50;

/** Dates of a series that a list names at once. */
export const mostDates = 4;

/** An event with the later ones that have the same title and place. */
interface EventSeries {
  readonly event: UpcomingEvent;
  readonly others: readonly UpcomingEvent[];
}

export interface NextEvents {
  readonly entries: readonly (EventSeries & { readonly categories: readonly string[] })[];
  readonly more: ListedEvent | undefined;
  /** Whether the dates of each series are all there are. */
  readonly isComplete: boolean;
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
    others,
  }));
  const isComplete = rows.length < mostEvents;
  const [more] = [...rest.map(({ event }) => event), ...(isComplete ? [] : rows.slice(-1))].toSorted(
    (one, other) => one.start_at - other.start_at,
  );
  return { entries, more, isComplete };
}

/** Parses a month such as 2026-11; returns undefined when it is invalid. */
function parseMonth(text: string): number | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  const index = Number(year) * 12 + Number(month) - 1;
  return index >= firstMonth && index <= lastMonth ? index : undefined;
}
