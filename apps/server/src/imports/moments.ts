import ICAL from "ical.js";
import { toLocal, toUnix } from "../time/zones.js";
import { type ContentLine, valueOf } from "./lines.js";
import { type Zones, zoneOf } from "./tzid.js";

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
  // Some apps say VALUE=DATE of times.
  const isTimeSaidDay = valueType.test(line.rest) && /^\s*\d{8}T\d{6}/i.test(valueOf(line) ?? "");
  const { parameters, values } = parsed(
    isTimeSaidDay ? { ...line, rest: line.rest.replace(valueType, "") } : line,
  );
  const { tzid } = parameters;
  // A day has no zone; some apps name one all the same.
  const zone = tzid === undefined ? zones.own : zoneOf(tzid, zones);
  const written = (valueOf(line) ?? "").split(",").map((text) => text.trim());
  // The parser would leave the offset out.
  if (written.some((text) => /T\d{6}[+-]/i.test(text)))
    throw new EventSkipped(`${line.name} has an offset from UTC, which is no form of iCalendar`);
  return values.map((value, index) => moment(line.name, dayOf(written[index]) ?? value, zone, tzid));
}

const valueType = /;VALUE="?DATE"?(?=[;:])/i;

/** Some apps leave out VALUE=DATE, which the parser needs to see a day. */
function dayOf(text = ""): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** Returns the only time of a line. @throws EventSkipped */
export function momentOf(line: ContentLine, zones: Zones): Moment {
  const [first, ...others] = momentsOf(line, zones);
  if (first === undefined || others.length > 0) throw new EventSkipped(`${line.name} is not one date`);
  return first;
}

function moment(name: string, value: string, zone: string | undefined, tzid = ""): Moment {
  // RDATE may hold periods: "2026-07-04T10:00:00/PT1H". Their start counts.
  const [, year, month, day, hour, minute, second, utc] = form.exec(value) ?? [];
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

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(Z)?)?(?:[/,].*)?$/;

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
