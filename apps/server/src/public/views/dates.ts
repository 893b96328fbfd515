import { LRUCache } from "lru-cache";
import type { EventRow } from "../../db/rows.js";
import { lastLocal } from "../../events/dates.js";
import { daySeconds, untilYear9999 } from "../../time/formats.js";
import { toLocal } from "../../time/zones.js";

/*
 * Dates and times in a visitor's language. A local time is stored as the Unix seconds of the same digits in UTC, so the
 * formatters always use UTC and never Intl's own zone data (rulings R4.5).
 */

export type DateFormats = ReturnType<typeof createFormats>;

/** Intl formatters are slow to create. The locale comes from a request header, so the cache is bounded. */
const formats = new LRUCache<string, DateFormats>({ max: 60, memoMethod: createFormats });

export function dateFormats(locale: string): DateFormats {
  return formats.memo(locale);
}

function createFormats(locale: string) {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory", timeZone: "UTC" });
  const date = { weekday: "short", day: "numeric", month: "short" } as const;
  const year = { year: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit" } as const;
  return {
    date: format(date), // Sat, 21 Nov
    shortDate: format({ day: "numeric", month: "short" }), // 21 Nov
    dateWithYear: format({ ...date, ...year }),
    longDate: format({ weekday: "long", day: "numeric", month: "long", ...year }), // Saturday, 21 November 2026
    dateTime: format({ ...date, ...time }), // Sat, 21 Nov, 19:30
    dateTimeWithYear: format({ ...date, ...year, ...time }),
    time: format({ timeStyle: "short" }), // 19:30
    month: format({ month: "long", ...year }), // November 2026
    shortMonth: format({ month: "short" }),
    columnWeekday: columnWeekday(format({ weekday: "short" }), format({ weekday: "narrow" })),
    longWeekday: format({ weekday: "long" }),
    day: format({ day: "numeric" }),
    number: new Intl.NumberFormat(locale),
    firstWeekday: firstWeekday(locale), // 1 is Monday, 7 is Sunday
  };
}

/** A column of the month on a phone has room for so many letters. */
const columnLetters = 5;

function columnWeekday(short: Intl.DateTimeFormat, narrow: Intl.DateTimeFormat): Intl.DateTimeFormat {
  const names = Array.from({ length: 7 }, (_, day) => formatLocal(short, day * 86_400));
  return names.every(({ length }) => length <= columnLetters) ? short : narrow;
}

/** Node 20 has a property, later versions a method; TypeScript's library declares neither. */
function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag);
  const method: unknown = Reflect.get(locale, "getWeekInfo");
  const info: { readonly firstDay?: number } | undefined =
    typeof method === "function" ? Reflect.apply(method, locale, []) : Reflect.get(locale, "weekInfo");
  return info?.firstDay ?? 1;
}

/** Formats a range of local times, such as "7:30 – 9:00 PM"; an empty range as one time. */
export function formatRange(format: Intl.DateTimeFormat, fromLocal: number, toLocal: number): string {
  return format.formatRange(fromLocal * 1000, toLocal * 1000);
}

export function formatLocal(format: Intl.DateTimeFormat, local: number): string {
  return format.format(local * 1000);
}

/** Formats an offset in seconds as "UTC+01:00"; 0 as "UTC". */
export function formatOffset(seconds: number): string {
  if (seconds === 0) return "UTC";
  return `UTC${seconds < 0 ? "−" : "+"}${clock(Math.abs(seconds))}`;
}

/** Returns a value for HTML's `datetime`: "2026-11-21", or with an offset in seconds "2026-11-21T19:30:00+01:00". */
export function machineTime(local: number, offset?: number): string {
  const text = new Date(local * 1000).toISOString();
  if (offset === undefined) return text.slice(0, 10);
  // Offsets of local mean time have seconds, which HTML does not allow: use UTC instead.
  if (offset % 60 !== 0) return new Date((local - offset) * 1000).toISOString();
  return `${text.slice(0, 19)}${offset < 0 ? "-" : "+"}${clock(Math.abs(offset))}`;
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return shown.map((part) => String(part).padStart(2, "0")).join(":");
}

/** Returns how many days of its week are before a day, which is given as its midnight in local time. */
export function daysBeforeInWeek(day: number, { firstWeekday }: DateFormats): number {
  // 1970-01-01 was a Thursday, 4. Of days before it the remainder is negative.
  return (((day / daySeconds + 4 - firstWeekday) % 7) + 7) % 7;
}

export type EventTimes = Pick<EventRow, "all_day" | "start_at" | "end_at" | "start_local" | "end_local">;

/** An event in the local time of the calendar's zone. All-day events have the same dates in every zone. */
export interface ShownEvent<Row extends EventTimes = EventTimes> {
  readonly event: Row;
  readonly isAllDay: boolean;
  /** Local time in seconds. */
  readonly start: number;
  readonly end: number;
  /** Offset from UTC at the start, in seconds. */
  readonly offset: number;
  /** The first and last day it covers, each as its midnight in local time. */
  readonly firstDay: number;
  readonly lastDay: number;
}

/** An event shorter than a day that ends before 6:00 is not shown on that day: a concert until 1:00 is on one day. */
export const nightSeconds = 6 * 3600;

export function shownEvent<Row extends EventTimes>(event: Row, zone: string): ShownEvent<Row> {
  const isAllDay = event.all_day === 1;
  const startLocal = isAllDay ? event.start_local : toLocal(event.start_at, zone);
  const endLocal = isAllDay ? lastLocal(event) : toLocal(event.end_at, zone);
  const [start, end] = [untilYear9999(startLocal), untilYear9999(endLocal)];
  const firstDay = dayOf(start);
  // The end of all-day events is inclusive (rulings R4.4).
  const lastDay = isAllDay ? dayOf(end) : dayOf(end - (end - start < daySeconds ? nightSeconds : 1));
  return {
    event,
    isAllDay,
    start,
    end: Math.max(start, end), // the clock may go back between the two
    offset: startLocal - event.start_at,
    firstDay,
    lastDay: Math.max(firstDay, lastDay),
  };
}

export function commonOffset(events: readonly ShownEvent[]): string | undefined {
  const [first, ...others] = events.filter(({ isAllDay }) => !isAllDay).map(({ offset }) => offset);
  if (first === undefined || others.some((offset) => offset !== first)) return undefined;
  return formatOffset(first);
}

export function dayOf(local: number): number {
  return Math.floor(local / daySeconds) * daySeconds;
}

/** The time of an event as text: the date, the hours of a timed event, and its offset from UTC. */
export interface EventTime {
  readonly text: string;
  readonly offset: string | undefined;
  readonly datetime: string;
}

export function eventTime(shown: ShownEvent, formats: DateFormats, today: number): EventTime {
  const { isAllDay, start, end, offset, firstDay, lastDay } = shown;
  const isThisYear = [firstDay, lastDay].every((day) => yearOf(day) === yearOf(today));
  const date = isThisYear ? formats.date : formats.dateWithYear;
  if (isAllDay) {
    return { text: formatRange(date, firstDay, lastDay), offset: undefined, datetime: machineTime(start) };
  }
  const dateTime = isThisYear ? formats.dateTime : formats.dateTimeWithYear;
  const text =
    firstDay === lastDay
      ? `${formatLocal(date, start)} · ${hours(shown, formats)}`
      : formatRange(dateTime, start, end);
  return { text, offset: formatOffset(offset), datetime: machineTime(start, offset) };
}

function yearOf(local: number): number {
  return new Date(local * 1000).getUTCFullYear();
}

/** Formats the hours of a timed event, without its days. */
export function hours({ start, end }: ShownEvent, formats: DateFormats): string {
  // Intl adds the dates to a range across midnight.
  if (dayOf(start) !== dayOf(end))
    return `${formatLocal(formats.time, start)} – ${formatLocal(formats.time, end)}`;
  return formatRange(formats.time, start, end);
}

/** Formats the hours on one of the days that an event covers; undefined when it covers all of that day. */
export function hoursOn(day: number, shown: ShownEvent, formats: DateFormats): string | undefined {
  const { isAllDay, start, end, firstDay, lastDay } = shown;
  if (isAllDay) return undefined;
  if (firstDay === lastDay) return hours(shown, formats);
  if (day === firstDay) return `${formatLocal(formats.time, start)} –`;
  return day === lastDay ? `– ${formatLocal(formats.time, end)}` : undefined;
}
