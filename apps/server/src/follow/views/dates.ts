import { LRUCache } from "lru-cache";

/*
 * Dates and times in a visitor's language. A local time is stored as the Unix seconds of the same digits in UTC, so the
 * formatters always use UTC and never Intl's own zone data (rulings R4.5).
 */

export interface DateFormats {
  /** Sat, 21 Nov */
  readonly date: Intl.DateTimeFormat;
  /** 21 Nov */
  readonly shortDate: Intl.DateTimeFormat;
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
  /** Sat, or S where a language's short names are too long for a column of the month. */
  readonly columnWeekday: Intl.DateTimeFormat;
  readonly longWeekday: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly number: Intl.NumberFormat;
  /** 1 is Monday, 7 is Sunday. */
  readonly firstWeekday: number;
}

/** Intl formatters are slow to create. The locale comes from a request header, so the cache is bounded. */
const formats = new LRUCache<string, DateFormats>({ max: 60 });

export function dateFormats(locale: string): DateFormats {
  const cached = formats.get(locale);
  if (cached !== undefined) return cached;
  const created = createFormats(locale);
  formats.set(locale, created);
  return created;
}

function createFormats(locale: string): DateFormats {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { ...options, calendar: "gregory", timeZone: "UTC" });
  const date = { weekday: "short", day: "numeric", month: "short" } as const;
  const year = { year: "numeric" } as const;
  const time = { hour: "numeric", minute: "2-digit" } as const;
  return {
    date: format(date),
    shortDate: format({ day: "numeric", month: "short" }),
    dateWithYear: format({ ...date, ...year }),
    longDate: format({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
    dateTime: format({ ...date, ...time }),
    dateTimeWithYear: format({ ...date, ...year, ...time }),
    time: format({ timeStyle: "short" }),
    month: format({ month: "long", year: "numeric" }),
    shortMonth: format({ month: "short" }),
    columnWeekday: columnWeekday(format({ weekday: "short" }), format({ weekday: "narrow" })),
    longWeekday: format({ weekday: "long" }),
    day: format({ day: "numeric" }),
    number: new Intl.NumberFormat(locale),
    firstWeekday: firstWeekday(locale),
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

/** Formats a local time in seconds. */
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
