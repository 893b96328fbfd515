import ICAL from "ical.js";
import type { EventDates } from "../events/dates.js";
import { daySeconds, monthIndex, pastYear9999, year1900 } from "../time/formats.js";
import { dateText, dayText } from "../time/recurrence-id.js";
import { dayNamedBy, toLocal, toUnix } from "../time/zones.js";
import { type ContentLine, valueOf } from "./lines.js";
import { type Zones, zoneOf } from "./foreign-zones.js";

/** Why one event is left out. The text is for its owner. */
export class EventSkipped extends Error {}

/** Its CLASS says that it is not for the public, and the import takes public events only. */
export class EventPrivate extends EventSkipped {
  constructor() {
    super("it is private, as its CLASS says");
  }
}

/** A property by ical.js. */
export interface Parsed {
  readonly parameters: Readonly<Record<string, string>>;
  readonly type: string;
  readonly values: readonly string[];
}

/** Parses a line. @throws EventSkipped when it is not well-formed */
export function parsed({ name, rest, isCut }: ContentLine): Parsed {
  if (isCut || rest.length > longestParsed) throw new EventSkipped(`${name} is too long`);
  try {
    const [, parameters, type, ...values]: readonly [
      string,
      Readonly<Record<string, unknown>>,
      string,
      ...unknown[],
    ] = ICAL.parse.property(name + rest);
    const texts = Object.entries(parameters).map(([key, value]) => [key, String(value)] as const);
    return { parameters: Object.fromEntries(texts), type, values: values.map(String) };
  } catch {
    throw new EventSkipped(`${name} is not well-formed`);
  }
}

/** Longest line that the parser gets, in UTF-16 units: a thousand dates. */
const longestParsed = 32_768;

/**
 * A time of a file: a day, an instant in UTC, or a wall clock in a zone. `local` is a wall clock in seconds (time/zones.ts). A time
 * without a zone is one in the zone of the calendar.
 */
export type Moment =
  | { readonly kind: "day"; readonly local: number }
  | { readonly kind: "utc"; readonly at: number }
  | { readonly kind: "zoned"; readonly local: number; readonly zone: string };

/** Returns the times of a line. @throws EventSkipped when one is none, or its zone is not known */
export function momentsOf(line: ContentLine, zones: Zones): readonly Moment[] {
  const { texts, read } = timesIn(line, zones);
  return texts.map(read);
}

/** Returns the only time of a line. @throws EventSkipped */
export function momentOf(line: ContentLine, zones: Zones): Moment {
  const [first, ...others] = momentsOf(line, zones);
  if (first === undefined || others.length > 0) throw new EventSkipped(`${line.name} is not one date`);
  return first;
}

/** A date that a series has beside its rule; undefined is the length of the event. */
export interface AddedDate {
  readonly start: Moment;
  readonly length: Times["length"] | undefined;
}

/**
 * Returns the times of RDATE. Those that are periods have their own lengths (RFC 5545 3.8.5.2).
 * @param zone that of days, for periods
 * @throws EventSkipped
 */
export function addedDatesOf(line: ContentLine, zones: Zones, zone: string): readonly AddedDate[] {
  const { texts, read } = timesIn(line, zones);
  return texts.map((text) => {
    const [first = "", end] = text.split("/", 2);
    const start = read(first);
    if (end === undefined) return { start, length: undefined };
    const duration = durationOf(end);
    if (duration !== undefined) return { start, length: duration.isNegative ? negative : duration };
    return { start, length: { days: 0, seconds: instantOf(read(end), zone) - instantOf(start, zone) } };
  });
}

/** The length of what ends before it starts. */
const negative = { days: 0, seconds: -1 };

/** Returns what a line has between its commas, and what reads one of these. The parser gets the parameters alone. */
function timesIn(line: ContentLine, zones: Zones) {
  const { name, rest } = line;
  const value = valueOf(line) ?? "";
  const isCut = line.isCut || rest.length > longestParsed;
  // What a time is, its form says: some apps say VALUE=DATE of times, or do not say it of days.
  const head = rest.slice(0, rest.length - value.length).replace(valueType, "");
  const { tzid } = parsed({ name, rest: head, isCut }).parameters;
  // A day has no zone; some apps name one all the same.
  const zone = tzid === undefined ? zones.own : zoneOf(tzid, zones);
  const texts = value.split(",").map((text) => text.trim());
  return {
    texts: texts.filter((text) => text !== ""),
    read: (text: string): Moment => moment(name, text, zone, tzid),
  };
}

const valueType = /;VALUE="?[A-Z-]+"?(?=[;:])/i;

function moment(name: string, text: string, zone: string | undefined, tzid = ""): Moment {
  if (/T\d{6}[+-]/i.test(text))
    throw new EventSkipped(`${name} has an offset from UTC, which is no form of iCalendar`);
  const [, year, month, day, hour, minute, second, utc] = form.exec(text) ?? [];
  const date = [Number(year), Number(month) - 1, Number(day)] as const;
  const local = Date.UTC(...date, Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)) / 1000;
  const isReal =
    year !== undefined &&
    Number(hour ?? 0) < 24 &&
    Number(minute ?? 0) < 60 &&
    Number(second ?? 0) <= 60 &&
    new Date(Date.UTC(...date)).getUTCMonth() === date[1] &&
    new Date(Date.UTC(...date)).getUTCDate() === Number(day);
  if (!isReal) throw new EventSkipped(`${name} is not a real date`);
  // In UTC the first hours of 1900 may be in the year before.
  if (Number(year) < 1899) throw new EventSkipped(`${name} is before the year 1900`);
  if (hour === undefined) return { kind: "day", local };
  if (utc !== undefined) return { kind: "utc", at: local };
  if (zone === undefined) throw new EventSkipped(`the time zone "${shown(tzid)}" is not known`);
  return { kind: "zoned", local, zone };
}

const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;

function shown(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, "")
    .toWellFormed()
    .slice(0, 64);
}

/** Returns the instant of a time; of a day, its first one in a zone. */
export function instantOf(moment: Moment, zone: string): number {
  if (moment.kind === "utc") return moment.at;
  return toUnix(moment.local, moment.kind === "zoned" ? moment.zone : zone);
}

/** Returns the wall clock of a time in a zone. */
export function localOf(moment: Moment, zone: string): number {
  if (moment.kind === "day" || (moment.kind === "zoned" && moment.zone === zone)) return moment.local;
  return toLocal(instantOf(moment, zone), zone);
}

/** Returns the zone on whose wall clock a start is written, on which its rule runs. */
export function zoneOfRule(start: Moment, zone: string): string {
  if (start.kind === "utc") return "UTC";
  return start.kind === "zoned" ? start.zone : zone;
}

/** Returns a wall clock as a time of the same kind as another one. */
export function momentAt(local: number, like: Moment, zone: string): Moment {
  if (like.kind === "day") return { kind: "day", local: wholeDay(local) };
  return like.kind === "utc" ? { kind: "utc", at: local } : { kind: "zoned", local, zone };
}

/** The day that a time means which names a whole day. @param zone where its midnight is tried first */
export function dayOf(moment: Moment, zone: string): number {
  return moment.kind === "utc" ? dayNamedBy(moment.at, zone) : wholeDay(moment.local);
}

export function wholeDay(local: number): number {
  return Math.floor(local / daySeconds) * daySeconds;
}

/** Returns RECURRENCE-ID as it is compared: a day, or an instant in UTC. */
export function keyOf(moment: Moment, zone: string): string {
  const seconds = moment.kind === "day" ? moment.local : instantOf(moment, zone);
  return moment.kind === "day" ? dayText(seconds) : dateText(seconds);
}

/** Wall clocks in seconds. */
export interface WallClocks {
  readonly start: number;
  readonly end: number;
}

/** When an event takes place, and for how long: an end, or a length of days and seconds. */
export interface Times {
  readonly start: Moment;
  readonly isAllDay: boolean;
  /** The zone of its wall clock. */
  readonly zone: string;
  /** Whether the file names that zone; else it is that of the calendar. */
  readonly namesZone: boolean;
  readonly length: { readonly days: number; readonly seconds: number };
  /** Of whole days that have times of day: the wall clocks of its start and its end, in seconds. */
  readonly clocks: WallClocks | undefined;
}

/** A duration (RFC 5545 3.3.6): its days are those of the calendar, the rest is exact. */
export interface Duration {
  readonly isNegative: boolean;
  readonly days: number;
  readonly seconds: number;
}

/** Returns a duration; undefined when the text is none. */
export function durationOf(text: string): Duration | undefined {
  const [, sign, weeks, days, time, hours, minutes, seconds] = durationForm.exec(text.trim()) ?? [];
  if ([weeks, days, time].every((part) => part === undefined)) return undefined;
  return {
    isNegative: sign === "-",
    days: 7 * Number(weeks ?? 0) + Number(days ?? 0),
    seconds: 3600 * Number(hours ?? 0) + 60 * Number(minutes ?? 0) + Number(seconds ?? 0),
  };
}

const durationForm =
  /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,8})S)?)?$/i;

/** Returns when an event takes place that begins at a time, as it is stored: to the minute. @throws EventSkipped */
export function eventDatesOf(
  start: Moment,
  { zone, length, clocks }: Pick<Times, "zone" | "length" | "clocks">,
): EventDates {
  const dates =
    start.kind === "day"
      ? daysOf(clocks ?? wholeDays(start.local, length.days), zone)
      : timesOf(start, zone, length);
  if (dates.start_local < year1900) throw new EventSkipped("it begins before the year 1900");
  if (dates.end_local >= pastYear9999) throw new EventSkipped("it ends after the year 9999");
  return dates;
}

/** Whether the wall clock is within the years that dates are read and shown in (rulings R4.2). */
export function isWithinYears({ start_local, end_local }: EventDates): boolean {
  return start_local >= year1900 && end_local < pastYear9999;
}

/** Returns the same days, or the same instants, in another zone. */
export function datesInZone(dates: EventDates, zone: string, isAllDay: boolean): EventDates {
  const { start_at, end_at, start_local, end_local } = dates;
  const moved = isAllDay
    ? { start_local, end_local, start_at: toUnix(start_local, zone), end_at: toUnix(end_local, zone) }
    : { start_local: toLocal(start_at, zone), end_local: toLocal(end_at, zone), start_at, end_at };
  return { ...moved, start_month: monthIndex(moved.start_local) };
}

/** The end of whole days is the start of the last one (rulings R4.4). */
function wholeDays(start: number, days: number): WallClocks {
  return { start, end: start + (days - 1) * daySeconds };
}

function daysOf({ start, end }: WallClocks, zone: string): EventDates {
  if (end >= pastYear9999) throw new EventSkipped("it ends after the year 9999");
  return {
    start_local: start,
    end_local: end,
    start_month: monthIndex(start),
    start_at: toUnix(start, zone),
    end_at: toUnix(end, zone),
  };
}

function timesOf(start: Moment, zone: string, { days, seconds }: Times["length"]): EventDates {
  const start_at = wholeMinute(instantOf(start, zone), zone);
  const start_local = toLocal(start_at, zone);
  const afterDays = days === 0 ? start_at : toUnix(start_local + days * daySeconds, zone);
  const end_at = Math.max(start_at, wholeMinute(afterDays + seconds, zone));
  return {
    start_local,
    end_local: toLocal(end_at, zone),
    start_month: monthIndex(start_local),
    start_at,
    end_at,
  };
}

/** Drops the seconds of the wall clock, which are not those of UTC where a zone was off by a part of a minute. */
function wholeMinute(at: number, zone: string): number {
  const seconds = toLocal(at, zone) % 60;
  return at - (seconds < 0 ? seconds + 60 : seconds);
}
