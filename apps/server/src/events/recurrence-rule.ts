import { mostOfSeries } from "@kalends/spec";

/*
 * Reads the text of a recurrence rule (RFC 5545 3.3.10). What it does not understand, or what makes no sense for events of whole
 * minutes, it refuses with a message; it never guesses.
 */

/** A day of the week; `nth` is its place in the month or year, from the end where negative, 0 for each one. */
export interface WeekdayRule {
  /** 0 is Monday. */
  readonly weekday: number;
  readonly nth: number;
}

/** The last moment of a rule: an instant in Unix seconds, or a wall clock. */
export type Until = { readonly unix: number } | { readonly local: number };

export interface Rule {
  readonly freq: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  readonly count: number | undefined;
  readonly until: Until | undefined;
  /** First day of the week, 0 is Monday. */
  readonly weekStart: number;
  /** Empty where the part is absent. */
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly WeekdayRule[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly positions: readonly number[];
}

export interface RuleOptions {
  readonly allDay: boolean;
  /**
   * Accepts what files of other programs have and RFC 5545 forbids: what `canonicalRule` changes, COUNT beside UNTIL, an UNTIL of the other
   * type, times of all-day events.
   */
  readonly lenient?: boolean;
}

/** The rule of a text, with or without "RRULE:" in front; a message when it is refused. */
export function parseRule(text: string, options: RuleOptions): Rule | string {
  try {
    return ruleOf(
      partsOf(options.lenient === true ? canonicalRule(text) : text.trim().toUpperCase()),
      options,
    );
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

/**
 * Returns a rule without what changes nothing: blanks, parts that are empty or said twice or belong to a program (X-), and the defaults
 * of RFC 7529.
 */
export function canonicalRule(text: string): string {
  const parts = text
    .replaceAll(/\s/g, "")
    .toUpperCase()
    .replace(/^RRULE:/, "")
    .split(";");
  const used = parts.map((part) => part.replaceAll(/,(?=,|$)/g, "")).filter((part) => !unused.test(part));
  return [...new Set(used)].join(";");
}

const unused = /^(?:|[^=]+=|X-[^=]+=.*|RSCALE=GREGORIAN|SKIP=OMIT)$/;

/** The rule without the "RRULE:" that is copied with it from a calendar file. */
export function withoutPrefix(text: string): string {
  return text.replace(/^RRULE:(?=.)/i, "");
}

class Refused extends Error {}

type Parts = ReadonlyMap<string, string>;

function partsOf(text: string): Parts {
  const parts = new Map<string, string>();
  for (const part of text.replace(/^RRULE:/, "").split(";")) {
    const [name = "", value = "", ...rest] = part.split("=");
    if (value === "" || rest.length > 0) throw new Refused("must have the form FREQ=WEEKLY;BYDAY=MO,WE");
    const only = scale.get(name);
    if (only !== undefined && value !== only)
      throw new Refused(`has a ${name} other than ${only}, which is not supported`);
    if (!known.has(name)) throw new Refused(`must have no part other than ${[...known].join(", ")}`);
    if (parts.has(name)) throw new Refused(`must have ${name} once`);
    parts.set(name, value);
  }
  return parts;
}

function ruleOf(parts: Parts, options: RuleOptions): Rule {
  const freq = freqOf(parts.get("FREQ"));
  checkTogether(parts, freq, options);
  const withTimes = !options.allDay; // a lenient reader ignores the times of all-day events, as RFC 5545 3.3.10 asks
  const months = numbers(parts, "BYMONTH", { from: 1, to: 12 });
  const seconds = numbers(parts, "BYSECOND", { from: 0, to: 60 });
  if (withTimes && seconds.some((second) => second !== 0)) throw new Refused("must have no BYSECOND but 0");
  return {
    freq,
    interval: numbers(parts, "INTERVAL", { from: 1, to: mostOfSeries.interval, single: true })[0] ?? 1,
    count: numbers(parts, "COUNT", { from: 1, to: 999_999, single: true })[0],
    until: untilOf(parts.get("UNTIL"), options),
    weekStart: weekdayOf(parts.get("WKST") ?? "MO", "WKST"),
    months,
    weeks: numbers(parts, "BYWEEKNO", { from: 1, to: 53, signed: true }),
    yearDays: numbers(parts, "BYYEARDAY", { from: 1, to: 366, signed: true }),
    monthDays: numbers(parts, "BYMONTHDAY", { from: 1, to: 31, signed: true }),
    weekdays: weekdaysOf(parts, freq, months.length > 0),
    hours: withTimes ? numbers(parts, "BYHOUR", { from: 0, to: 23 }) : [],
    minutes: withTimes ? numbers(parts, "BYMINUTE", { from: 0, to: 59 }) : [],
    positions: numbers(parts, "BYSETPOS", { from: 1, to: 366, signed: true }),
  };
}

function freqOf(text: string | undefined): Rule["freq"] {
  const freq = frequencies.find((name) => name === text);
  if (freq === undefined) throw new Refused(`must have a FREQ of ${frequencies.join(", ")}`);
  return freq;
}

/** What RFC 5545 3.3.10 forbids of parts together. */
function checkTogether(parts: Parts, freq: Rule["freq"], { allDay, lenient }: RuleOptions): void {
  if (lenient !== true && parts.has("COUNT") && parts.has("UNTIL"))
    throw new Refused("must have COUNT or UNTIL, not both");
  for (const [name, allowed] of Object.entries(allowedWith))
    if (parts.has(name) && !allowed.some((other) => other === freq))
      throw new Refused(`must have ${name} only with a FREQ of ${allowed.join(", ")}`);
  const byParts = [...parts.keys()].filter((name) => name.startsWith("BY"));
  if (parts.has("BYSETPOS") && byParts.length === 1)
    throw new Refused("must have another BY part beside BYSETPOS");
  const times = byParts.find((name) => timeParts.some((other) => other === name));
  if (allDay && times !== undefined && lenient !== true)
    throw new Refused(`must not have ${times} for an all-day event`);
}

interface Range {
  readonly from: number;
  readonly to: number;
  /** Whether negative numbers count from the end. */
  readonly signed?: boolean;
  readonly single?: boolean;
}

function numbers(parts: Parts, name: string, { from, to, signed, single }: Range): readonly number[] {
  const text = parts.get(name);
  if (text === undefined) return [];
  const items = text.split(",").map((item) => {
    const value = /^[+-]?\d{1,6}$/.test(item) ? Number(item) : NaN;
    const size = signed === true ? Math.abs(value) : value;
    return size >= from && size <= to ? value : NaN;
  });
  const range = `${from} to ${to}${signed === true ? `, or -${to} to -${from}` : ""}`;
  if (items.some(Number.isNaN) || (single === true && items.length > 1))
    throw new Refused(`must have ${single === true ? "one number" : "numbers"} of ${range} as ${name}`);
  return [...new Set(items)].toSorted((one, other) => one - other);
}

function weekdaysOf(parts: Parts, freq: Rule["freq"], hasMonths: boolean): readonly WeekdayRule[] {
  const text = parts.get("BYDAY");
  if (text === undefined) return [];
  const found = new Map<string, WeekdayRule>();
  for (const item of text.split(",")) {
    const [, sign = "", digits = "", day = ""] = /^([+-]?)(\d{0,2})([A-Z]{2})$/.exec(item) ?? [];
    const nth = Number(`${sign}${digits === "" ? 0 : digits}`);
    const weekday = weekdayOf(day, "BYDAY");
    if ((digits === "") !== (sign === "" && nth === 0))
      throw new Refused("must have days as MO or -1MO as BYDAY");
    if (digits !== "" && (freq === "DAILY" || freq === "WEEKLY" || parts.has("BYWEEKNO")))
      throw new Refused(
        "must have a number in BYDAY only with FREQ=MONTHLY, or with FREQ=YEARLY without BYWEEKNO",
      );
    const most = freq === "MONTHLY" || hasMonths ? 5 : 53;
    if (Math.abs(nth) > most)
      throw new Refused(`must have numbers of 1 to ${most}, or -${most} to -1, in BYDAY`);
    found.set(`${nth} ${weekday}`, { weekday, nth });
  }
  return [...found.values()];
}

function weekdayOf(day: string, name: string): number {
  const weekday = weekdays.indexOf(day);
  if (weekday === -1) throw new Refused(`must have days of ${weekdays.join(", ")} as ${name}`);
  return weekday;
}

/** The value types of DTSTART and UNTIL are the same (RFC 5545 3.3.10); a wall clock is that of the event's zone. */
function untilOf(text: string | undefined, { allDay, lenient }: RuleOptions): Until | undefined {
  if (text === undefined) return undefined;
  const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (form ?? [])
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const local = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  const isReal =
    form !== null &&
    year >= 1900 &&
    hour < 24 &&
    minute < 60 &&
    second <= 60 &&
    new Date(local * 1000).getUTCDate() === day;
  const hasTime = form?.[4] !== undefined;
  if (!isReal || month < 1 || month > 12 || (hasTime === allDay && lenient !== true))
    throw new Refused(
      allDay
        ? "must have a date such as 20271231 as UNTIL, since the event has no times"
        : "must have a time such as 20271231T230000Z as UNTIL, or without Z the wall clock of the event",
    );
  if (form[7] === "Z") return { unix: local };
  return { local: hasTime ? local : local + 86_399 };
}

const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;
const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
/** What RFC 7529 adds, and its defaults. */
const scale = new Map([
  ["RSCALE", "GREGORIAN"],
  ["SKIP", "OMIT"],
]);
const timeParts = ["BYHOUR", "BYMINUTE", "BYSECOND"] as const;
const allowedWith = {
  BYWEEKNO: ["YEARLY"],
  BYYEARDAY: ["YEARLY"],
  BYMONTHDAY: ["DAILY", "MONTHLY", "YEARLY"],
} as const;
const known = new Set(
  "FREQ INTERVAL COUNT UNTIL WKST BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND BYSETPOS".split(
    " ",
  ),
);
