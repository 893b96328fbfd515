import { type DescribedCalendar, findDescribedCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import type { CalendarRow } from "../db/rows.js";
import type { Reader } from "../db/database.js";
import { parseForm } from "../http/query-string.js";
import { daySeconds, monthIndex } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import { type ColorsOf, withColors } from "./event-colors.js";
import { type ListStart, type MonthEvents, parseListStart, readMonth, shownIn } from "./month-events.js";
import {
  type CalendarRange,
  type ListedEvent,
  listEventCategories,
  listUpcomingEvents,
  type UpcomingEvent,
} from "./public-queries.js";
import { dayOf, shownEvent } from "./views/dates.js";

export interface PageQuery {
  readonly month: number | undefined;
  readonly start: ListStart | undefined;
  readonly isDataDeleted: boolean;
}

/** Returns undefined when the query is invalid. Ignores other parameters, such as those of mailings. */
export function readPageQuery(query: string): PageQuery | undefined {
  const pairs = parseForm(query);
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
  const categories = await listCategories(on, id);
  const colors = {
    calendars: [calendar],
    categories: new Map(categories.length === 0 ? [] : [[id, categories]]),
  };
  const upcoming = await readNextEvents(on, colors, now);
  const [first] = upcoming.entries;
  const firstDay =
    first === undefined ? today : Math.max(today, shownEvent(first.event, calendar.timezone).firstDay);
  // The default is the month of the next event.
  const index = query.month ?? monthIndex(firstDay);
  const events = await readMonth(on.read, colors, index, query.start);
  const month: Month = { index, today, events, isNamed: query.month !== undefined };
  return { calendar, upcoming, month, categories };
}

/** Entries of the list: a page begins with what is next, and its month has the rest. */
const mostEntries = 6;

/** Events that are read for them: those of a weekly series for a year. */
export const mostEvents = 50;

/** Dates of a series that a list names at once. */
export const mostDates = 4;

/** An event with the later ones that have the same title and place. */
export interface EventSeries {
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
export function bySeries(
  rows: readonly UpcomingEvent[],
  calendars: readonly Pick<CalendarRow, "id" | "timezone">[],
): readonly EventSeries[] {
  const show = shownIn({ calendars });
  const found = new Map<string, { readonly event: UpcomingEvent; readonly others: UpcomingEvent[] }>();
  for (const event of rows) {
    const { start, end } = show(event);
    const times = [start % daySeconds, end - start]; // as the entry says for all of them, in the zone of the calendar
    const key = JSON.stringify([
      event.calendar_id,
      event.title,
      event.location,
      event.status,
      event.all_day,
      ...times,
    ]);
    const known = found.get(key);
    if (known === undefined) found.set(key, { event, others: [] });
    else known.others.push(event);
  }
  return [...found.values()];
}

/** Returns the range from now on in the zone of each calendar: of what is running or to come. */
export function rangesFrom(
  calendars: readonly Pick<CalendarRow, "id" | "timezone">[],
  now: number,
): readonly CalendarRange[] {
  return calendars.map(({ id, timezone }) => ({
    calendarId: id,
    range: { from: now, fromLocal: dayOf(toLocal(now, timezone)) },
  }));
}

async function readNextEvents(
  on: Reader,
  colors: ColorsOf & { readonly calendars: readonly Pick<CalendarRow, "id" | "timezone">[] },
  now: number,
): Promise<NextEvents> {
  const { calendars } = colors;
  const rows = await listUpcomingEvents(on, rangesFrom(calendars, now), mostEvents);
  const series = bySeries(rows, calendars);
  const [shown, rest] = [series.slice(0, mostEntries), series.slice(mostEntries)];
  const first = shown.map(({ event }) => event);
  const ids = first.map(({ id }) => id);
  const ofEvents = colors.categories.size === 0 ? [] : await listEventCategories(on.read, ids);
  const colored = await withColors(on.read, colors, first);
  const entries = shown.map(({ event, others }, index) => ({
    event: colored[index] ?? event,
    categories: ofEvents.flatMap(({ event_id, name }) => (event_id === event.id ? name : [])),
    others,
  }));
  return { entries, more: firstLeft(rows, rest), isComplete: rows.length < mostEvents };
}

/** Returns the event with which a list of the month goes on; undefined when all events to come are shown. @param rest series that are not */
export function firstLeft(
  rows: readonly UpcomingEvent[],
  rest: readonly EventSeries[],
): UpcomingEvent | undefined {
  const lastRead = rows.length < mostEvents ? [] : rows.slice(-1);
  const left = [...rest.map(({ event }) => event), ...lastRead];
  return left.toSorted((one, other) => one.start_at - other.start_at)[0];
}

/** Parses a month such as 2026-11; returns undefined when it is invalid. */
function parseMonth(text: string): number | undefined {
  const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  const index = Number(year) * 12 + Number(month) - 1;
  return index >= firstMonth && index <= lastMonth ? index : undefined;
}
