import type { Db } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { CalendarRow } from "../db/rows.js";
import { daySeconds, monthIndex, monthStart } from "../time/formats.js";
import { toUnix } from "../time/zones.js";
import { type ColorsOf, withColors } from "./event-colors.js";
import {
  type CalendarRange,
  type EventFilter,
  type ListedEvent,
  listEventsWithin,
  listMarksOfAll,
  listTexts,
  type MarkedEvent,
} from "./public-queries.js";
import { dayOf, nightSeconds, type ShownEvent, shownEvent } from "./views/dates.js";

const pageSize = 120;

/** Lines of a list that is not divided into pages; an event of several days has a line on each. */
const maxLines = 300;

/** Events read of a day that is not in the list: enough for its mark. */
const markSize = 10;

/** Events of a month whose marks are read at once; of more, each day is read by itself, from an index. */
const mostMarks = 1_000;

/** The same where words are searched: by itself, each day would take a search of the whole month. */
const mostFound = 30_000;

/** Where a list begins: a day, as its midnight in local time, and the page (1, 2, …) of its events. */
export interface ListStart {
  readonly day: number;
  readonly page: number;
}

/** The calendars whose events a month shows, each in its time zone, and which of their events. */
export interface MonthOf extends ColorsOf {
  readonly calendars: readonly Pick<CalendarRow, "id" | "timezone" | "palette_id">[];
  readonly filter?: EventFilter;
  readonly mostMarks?: number;
  /** Events, and lines, of a list that is not divided into pages: on paper more. */
  readonly mostListed?: { readonly events: number; readonly lines: number };
}

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
  of: MonthOf,
  index: number,
  start: ListStart | undefined,
): Promise<MonthEvents> {
  const { listed, marks, ...month } = await readDays(db, of, index, start);
  const shown = [...listed.values(), ...[...marks.values()].map(({ events }) => events)].flat();
  const events = await withColors<MarkedEvent>(
    db,
    of,
    shown.map(({ event }) => event),
  );
  const colors = new Map(events.map(({ id, color_id }) => [id, color_id]));
  const colored = <Row extends MarkedEvent>({ event, ...times }: ShownEvent<Row>): ShownEvent<Row> => ({
    ...times,
    event: { ...event, color_id: colors.get(event.id) ?? "" },
  });
  return {
    ...month,
    listed: new Map([...listed].map(([day, rows]) => [day, rows.map((row) => colored(row))])),
    marks: new Map(
      [...marks].map(([day, mark]) => [day, { ...mark, events: mark.events.map((row) => colored(row)) }]),
    ),
  };
}

async function readDays(
  db: Db,
  of: MonthOf,
  index: number,
  start: ListStart | undefined,
): Promise<MonthEvents> {
  const days = daysOf(index);
  const [first, end] = [monthStart(index), monthStart(index + 1)];
  if (start !== undefined) return readPage(db, of, days, start);
  const most = of.mostListed ?? { events: pageSize, lines: maxLines };
  const rows = await listEventsWithin(db, rangesOf(of, first, end), { limit: most.events + 1 }, of.filter);
  const shown = rows.map(shownIn(of));
  const listed = new Map(days.map((day) => [day, shown.filter(isOn(day))]));
  for (const [day, events] of listed) if (events.length === 0) listed.delete(day);
  const lines = [...listed.values()].reduce((sum, events) => sum + events.length, 0);
  if (rows.length > most.events || lines > most.lines) return readPage(db, of, days, { day: first, page: 1 });
  const marks = new Map([...listed].map(([day, events]) => [day, { events, isComplete: true }]));
  return { days, listed, marks, next: undefined };
}

/** Lists each day by itself, so that every mark is true and each event is on one page. */
async function readPage(
  db: Db,
  of: MonthOf,
  days: readonly number[],
  start: ListStart,
): Promise<MonthEvents> {
  const readDay = await openDays(db, of, days);
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

async function openDays(db: Db, of: MonthOf, days: readonly number[]): Promise<ReadDay> {
  const most = of.mostMarks ?? (of.filter?.words === undefined ? mostMarks : mostFound);
  const [first = 0] = days;
  const month = rangesOf(of, first, first + days.length * daySeconds);
  const marks = await listMarksOfAll(db, month, { limit: most + 1 }, of.filter);
  if (marks.length > most)
    return async (day, page) => {
      const ranges = rangesOf(of, day, day + daySeconds, day + nightSeconds);
      const rows = await listMarksOfAll(db, ranges, page, of.filter);
      return rows.map(shownIn(of)).filter(isOn(day));
    };
  const shown = marks.map(shownIn(of));
  return async (day, { limit, offset }) => shown.filter(isOn(day)).slice(offset, offset + limit);
}

/** Returns the range from one local time to another in the zone of each calendar. */
function rangesOf(
  { calendars }: MonthOf,
  fromLocal: number,
  local: number,
  nightLocal?: number,
): readonly CalendarRange[] {
  return calendars.map(({ id, timezone }) => {
    const from = toUnix(fromLocal, timezone);
    const night = nightLocal === undefined ? {} : { fromNight: toUnix(nightLocal, timezone) };
    return {
      calendarId: id,
      range: { from, fromLocal, ...night, before: { at: toUnix(local, timezone), local } },
    };
  });
}

/** Shows an event in the zone of its calendar. */
export function shownIn({
  calendars,
}: {
  readonly calendars: readonly Pick<CalendarRow, "id" | "timezone">[];
}) {
  const zones = new Map(calendars.map(({ id, timezone }) => [id, timezone]));
  return <Row extends MarkedEvent>(row: Row): ShownEvent<Row> =>
    shownEvent(row, zones.get(row.calendar_id) ?? "UTC");
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
