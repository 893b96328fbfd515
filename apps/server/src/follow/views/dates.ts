/*
 * Dates and times in a visitor's language. A wall clock is Unix seconds of the same digits in UTC, so Intl is always told
 * "UTC": its own zone data is not used (rulings R4.5).
 */

/** Writes wall clocks, given in seconds, in one locale. */
export interface DateWriter {
  /** Sat, 21 Nov */
  readonly date: Intl.DateTimeFormat;
  /** Sat, 21 Nov 2026 */
  readonly dateWithYear: Intl.DateTimeFormat;
  /** Saturday, 21 November 2026 */
  readonly longDate: Intl.DateTimeFormat;
  /** Sat, 21 Nov, 19:30 */
  readonly dateTime: Intl.DateTimeFormat;
  /** Sat, 21 Nov 2026, 19:30 */
  readonly dateTimeWithYear: Intl.DateTimeFormat;
  /** 19:30 */
  readonly time: Intl.DateTimeFormat;
  /** November 2026 */
  readonly month: Intl.DateTimeFormat;
  readonly shortMonth: Intl.DateTimeFormat;
  readonly weekday: Intl.DateTimeFormat;
  readonly longWeekday: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly number: Intl.NumberFormat;
  /** 1 is Monday, 7 is Sunday. */
  readonly firstWeekday: number;
}

const writers = new Map<string, DateWriter>();

/** Making a writer takes milliseconds; the locale comes from a request header, so only so many are kept. */
const mostWriters = 60;

export function dateWriter(locale: string): DateWriter {
  const known = writers.get(locale);
  if (known !== undefined) return known;
  const [oldest] = writers.keys();
  if (writers.size >= mostWriters && oldest !== undefined) writers.delete(oldest);
  const made = makeWriter(locale);
  writers.set(locale, made);
  return made;
}

function makeWriter(locale: string): DateWriter {
  const writer = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory", timeZone: "UTC" });
  const date = { weekday: "short", day: "numeric", month: "short" } as const;
  const year = { year: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit" } as const;
  return {
    date: writer(date),
    dateWithYear: writer({ ...date, ...year }),
    longDate: writer({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    dateTime: writer({ ...date, ...time }),
    dateTimeWithYear: writer({ ...date, ...year, ...time }),
    time: writer({ timeStyle: "short" }),
    month: writer({ month: "long", year: "numeric" }),
    shortMonth: writer({ month: "short" }),
    weekday: writer({ weekday: "short" }),
    longWeekday: writer({ weekday: "long" }),
    day: writer({ day: "numeric" }),
    number: new Intl.NumberFormat(locale),
    firstWeekday: firstWeekday(locale),
  };
}

/** Node 20 has a property, later versions a method; TypeScript's library knows neither. */
function firstWeekday(tag: string): number {
  const locale = new Intl.Locale(tag);
  const method: unknown = Reflect.get(locale, "getWeekInfo");
  const info: { readonly firstDay?: number } | undefined =
    typeof method === "function" ? Reflect.apply(method, locale, []) : Reflect.get(locale, "weekInfo");
  return info?.firstDay ?? 1;
}

/** Writes a stretch of wall clocks, such as "7:30 – 9:00 PM"; one that has no length as one time. */
export function writeRange(writer: Intl.DateTimeFormat, fromLocal: number, toLocal: number): string {
  return writer.formatRange(fromLocal * 1000, toLocal * 1000);
}

export function write(writer: Intl.DateTimeFormat, local: number): string {
  return writer.format(local * 1000);
}

/** An offset in seconds as "UTC+01:00"; "UTC" when there is none. */
export function writeOffset(seconds: number): string {
  if (seconds === 0) return "UTC";
  return `UTC${seconds < 0 ? "−" : "+"}${clock(Math.abs(seconds))}`;
}

/** A wall clock as HTML's `datetime` wants it: "2026-11-21", or "2026-11-21T19:30:00+01:00" with an offset in seconds. */
export function machineTime(local: number, offset?: number): string {
  const text = new Date(local * 1000).toISOString();
  if (offset === undefined) return text.slice(0, 10);
  // Offsets in local mean time have seconds, which HTML does not take: then the instant in UTC.
  if (offset % 60 !== 0) return new Date((local - offset) * 1000).toISOString();
  return `${text.slice(0, 19)}${offset < 0 ? "-" : "+"}${clock(Math.abs(offset))}`;
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[2] === 0 ? parts.slice(0, 2) : parts;
  return shown.map((part) => String(part).padStart(2, "0")).join(":");
}
