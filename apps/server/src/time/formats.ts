/*
 * The date and time forms of the contract. A wall clock is one number: the Unix seconds of the same digits in UTC,
 * `Date.UTC(...) / 1000`. No time zone is needed here.
 */

/**
 * Reads `MM/DD/YYYY HH:MM`, optionally followed by one blank and AM or PM in any case, `YYYY-MM-DD HH:MM` or
 * `YYYY-MM-DDTHH:MM`, each with or without seconds, which are dropped; or one of the two dates alone, which means 00:00
 * (rulings R4.2). Returns the wall clock in seconds, or `undefined` when the text has another form, names no real date or
 * time, or is outside the years 1900 to 9999.
 */
export function parseStartDate(text: string): number | undefined {
  const form = startDate.find((pattern) => pattern.test(text));
  const seconds = fromParts(form?.exec(text)?.groups);
  return seconds === undefined ? undefined : Math.floor(seconds / 60) * 60;
}

/** Reports whether a text that `parseStartDate` accepts has no time. */
export function isDateAlone(text: string): boolean {
  return text.length === "MM/DD/YYYY".length;
}

/**
 * Reads the `upcoming` parameter: one of its four date and time forms, or the date alone, which means 00:00 (rulings
 * R3.6). The caller handles "now". Returns the wall clock in seconds, or `undefined` as `parseStartDate` does.
 */
export function parseUpcoming(text: string): number | undefined {
  const form = upcoming.find((pattern) => pattern.test(text));
  return fromParts(form?.exec(text)?.groups);
}

/**
 * Reads a moment: ISO 8601 with an offset or `Z`, or `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM` on a wall clock, with a blank for the `T` and with
 * seconds or without, whose fraction is dropped. Returns Unix seconds, or the wall clock in seconds; undefined where `parseStartDate` does.
 */
export function parseMoment(
  text: string,
): { readonly unix: number } | { readonly local: number } | undefined {
  const { offset, ...parts } = momentForm.exec(text)?.groups ?? {};
  const local = parts.year === undefined ? undefined : fromParts(parts);
  if (local === undefined || offset === undefined) return local === undefined ? undefined : { local };
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const seconds = 60 * (60 * Number(hours ?? 0) + Number(minutes ?? 0));
  return { unix: local - (sign === "-" ? -seconds : seconds) };
}

const momentForm =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[ T](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:\d\d)?)?$/;

/** Formats a wall clock in seconds as "MM/DD/YYYY". */
export function formatDate(local: number): string {
  const date = new Date(local * 1000);
  return `${pad(date.getUTCMonth() + 1)}/${pad(date.getUTCDate())}/${pad(date.getUTCFullYear(), 4)}`;
}

/** Formats a wall clock in seconds as "HH:MM:SS", 00 to 23. */
export function formatTime(local: number): string {
  const date = new Date(local * 1000);
  return `${pad(date.getUTCHours())}:${pad(date.getUTCMinutes())}:${pad(date.getUTCSeconds())}`;
}

/** Formats a wall clock in seconds as "YYYY-MM-DDTHH:MM". */
export function formatWallClock(local: number): string {
  return new Date(untilYear9999(local) * 1000).toISOString().slice(0, "YYYY-MM-DDTHH:MM".length);
}

/**
 * Limits a time in seconds to the last minute of the year 9999: another zone than that of an event may show a time some hours
 * later.
 */
export function untilYear9999(seconds: number): number {
  return Math.min(seconds, pastYear9999 - 60);
}

export const daySeconds = 86_400;

/** First second of the year 1900, before which no format here reads a date. */
export const year1900 = Date.UTC(1900, 0, 1) / 1000;

/** First second of the year 10000, which no format here can write. */
export const pastYear9999 = Date.UTC(10_000, 0, 1) / 1000;

/** Returns the half of the day of a wall clock in seconds. */
export function formatMeridiem(local: number): "AM" | "PM" {
  return new Date(local * 1000).getUTCHours() < 12 ? "AM" : "PM";
}

/** Formats a wall clock in seconds as "MM/DD/YYYY HH:MM:SS". */
export function formatDateTime(local: number): string {
  return `${formatDate(local)} ${formatTime(local)}`;
}

/** Returns the month of a wall clock in seconds as one number: year * 12 + month - 1. */
export function monthIndex(local: number): number {
  const date = new Date(local * 1000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the day of a wall clock in seconds as one number. */
export function dayIndex(local: number): number {
  return Math.floor(local / daySeconds);
}

/** Returns the month index of the parameters `year` and `month`, such as "2026" and "03", which are validated before. */
export function monthOf(year: string, month: string): number {
  return Number(year) * 12 + Number(month) - 1;
}

/** Returns the wall clock in seconds at which a month of `monthIndex` starts. */
export function monthStart(index: number): number {
  // Date.UTC maps the years 0 to 99 to 1900 to 1999.
  return new Date(0).setUTCFullYear(Math.floor(index / 12), index % 12, 1) / 1000;
}

const startDate = [
  /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})(?: (?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?(?: (?<meridiem>[ap]m))?)?$/i,
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[ T](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d))?)?$/,
];

const upcoming = [
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?: (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d))?$/,
  /^(?<day>\d\d)-(?<month>\d\d)-(?<year>\d{4})(?: (?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d))?$/,
  /^(?<year>\d{4})\/(?<month>\d\d)\/(?<day>\d\d)(?: (?<hour>\d\d):(?<minute>\d\d) ?(?<meridiem>[ap]m))?$/i,
  /^(?<month>\d\d)\/(?<day>\d\d)\/(?<year>\d{4})(?: (?<hour>\d\d):(?<minute>\d\d) ?(?<meridiem>[ap]m))?$/i,
];

function fromParts(parts: Record<string, string | undefined> | undefined): number | undefined {
  if (!parts) return undefined;
  const [year, month, day] = [Number(parts.year), Number(parts.month), Number(parts.day)];
  const hour = hour24(Number(parts.hour ?? 0), parts.meridiem?.toUpperCase());
  const [minute, second] = [Number(parts.minute ?? 0), Number(parts.second ?? 0)];
  if (year < 1900 || hour === undefined || minute > 59 || second > 59) return undefined;
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(milliseconds);
  // Date.UTC turns 02/30 into a day of March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  return milliseconds / 1000;
}

// Clients send back times that they received: "13:00 PM" is 13:00 and "00:30 AM" is 00:30 (rulings R4.2).
function hour24(hour: number, meridiem: string | undefined): number | undefined {
  if (hour > 23) return undefined;
  if (!meridiem) return hour;
  if (meridiem === "AM") return hour > 12 ? undefined : hour % 12;
  if (hour === 0) return undefined;
  return hour > 12 ? hour : (hour % 12) + 12;
}

function pad(value: number, width = 2): string {
  return String(value).padStart(width, "0");
}
