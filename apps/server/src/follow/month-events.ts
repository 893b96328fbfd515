import type { Db } from "../db/connect.js";
import type { CalendarRow } from "../db/rows.js";
import { monthIndex, monthStart } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import { listEventsWithin, type ListedEvent } from "./queries.js";
import { dayOf, nightSeconds, type ShownEvent, shownEvent } from "./views/shown-events.js";

const daySeconds = 86_400;

/** Events on one page of the list. */
const pageSize = 120;

/** Lines of a list that is not divided into pages; an event of several days has a line on each. */
const maxLines = 300;

/** Events read of a day that is not in the list: enough for its mark. */
const markSize = 10;

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
  readonly events: readonly ShownEvent<ListedEvent>[];
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

/** Reads each day by itself, so that every mark is true and each event is on one page. */
async function readPage(
  db: Db,
  calendar: CalendarOfMonth,
  days: readonly number[],
  start: ListStart,
): Promise<MonthEvents> {
  const listed = new Map<number, readonly ShownEvent<ListedEvent>[]>();
  const marks = new Map<number, DayMark>();
  let left = pageSize;
  let next: ListStart | undefined;
  for (const day of days) {
    const isListed = day >= start.day && left > 0;
    const page = isListed && day === start.day ? start.page : 1;
    const limit = isListed ? pageSize + 1 : markSize + 1;
    const events = await readDay(db, calendar, day, { limit, offset: (page - 1) * pageSize });
    if (events.length === 0 && page === 1) continue;
    marks.set(day, {
      events: events.slice(0, markSize),
      isComplete: page === 1 && events.length <= markSize,
    });
    if (!isListed) {
      if (day > start.day) next ??= { day, page: 1 };
    } else if (events.length <= left) {
      listed.set(day, events);
      left -= events.length;
    } else if (left === pageSize) {
      listed.set(day, events.slice(0, pageSize));
      next = { day, page: page + 1 };
      left = 0;
    } else {
      next = { day, page: 1 };
      left = 0;
    }
  }
  return { days, listed, marks, next };
}

async function readDay(
  db: Db,
  { id, timezone }: CalendarOfMonth,
  day: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly ShownEvent<ListedEvent>[]> {
  const range = rangeOf(timezone, day, day + daySeconds);
  const fromNight = toUnix(day + nightSeconds, timezone);
  const rows = await listEventsWithin(db, id, { ...range, fromNight }, page);
  return rows.map((row) => shownEvent(row, timezone)).filter(isOn(day));
}

function rangeOf(timezone: string, fromLocal: number, local: number) {
  return { from: toUnix(fromLocal, timezone), fromLocal, before: { at: toUnix(local, timezone), local } };
}

const isOn =
  (day: number) =>
  ({ firstDay, lastDay }: ShownEvent): boolean =>
    firstDay <= day && day <= lastDay;

/** Returns the days of a month. */
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
