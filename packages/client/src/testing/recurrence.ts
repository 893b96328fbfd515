import { refuse } from "./events.js";
import { instant, wallClock } from "./zones.js";

const day = 86_400;
const mostEvents = 366;
const mostYears = 100;
const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];
/** The parts that the model knows; a server knows all of RFC 5545. */
const known = /^(FREQ|INTERVAL|COUNT|UNTIL|WKST|BYDAY)$/;

/** A first event and what repeats it. Times are wall clocks. */
export interface Plan {
  readonly rrule: string;
  readonly start: number;
  readonly rdate: readonly number[];
  readonly exdate: readonly number[];
  readonly timezone: string;
  readonly allDay: boolean;
  /** Unix time. */
  readonly now: number;
}

/** The starts of a series, soonest first, without `exdate` (extensions.md X5.2). An endless rule ends two years from now. */
export function recurrence(plan: Plan): readonly number[] {
  const rule = readRule(plan);
  const { count, isPast } = rule;
  const isEndless = count === undefined && isPast === undefined;
  const room = isEndless ? Math.max(mostEvents - plan.rdate.length, 1) : mostEvents;
  if (count !== undefined && count > room) refuse("rrule", tooMany);
  if (isPast?.(plan.start) === true) refuse("rrule", "must not end before the first event");
  const isMade = (place: number): boolean => !plan.exdate.includes(place);
  const named = namedBy(rule, plan, room).filter(isMade);
  const kept = named.slice(0, room);
  const places = new Set([...kept, ...plan.rdate.filter(isMade)]);
  if (places.size > mostEvents) refuse(isEndless ? "rdate" : "rrule", tooMany);
  if (places.size === 0) refuse("exdate", "must leave at least one event");
  const sorted = [...places].toSorted((one, other) => one - other);
  if (isEndless && named.length > room && instant(sorted.at(-1) ?? 0, plan.timezone) <= plan.now)
    refuse("rrule", "must have its 366th event in the future");
  return sorted;
}

const tooMany = `must make at most ${mostEvents} events`;

/** The rule without the "RRULE:" that is copied with it from a calendar file. */
export function withoutPrefix(text: string): string {
  return text.replace(/^RRULE:(?=.)/i, "");
}

interface Rule {
  readonly freq: string;
  readonly interval: number;
  readonly count: number | undefined;
  /** Whether a wall clock is past UNTIL; undefined without it. */
  readonly isPast: ((place: number) => boolean) | undefined;
  /** 0 is Monday. */
  readonly weekStart: number;
  readonly days: readonly number[];
}

function readRule(plan: Plan): Rule {
  const parts = new Map<string, string>();
  for (const part of withoutPrefix(plan.rrule).toUpperCase().split(";")) {
    const [name = "", value = "", ...rest] = part.split("=");
    if (value === "" || rest.length > 0) refuse("rrule", "must have the form FREQ=WEEKLY;BYDAY=MO,WE");
    if (!known.test(name)) refuse("rrule", `must have no part other than ${known.source}`);
    if (parts.has(name)) refuse("rrule", `must have ${name} once`);
    parts.set(name, value);
  }
  const freq = parts.get("FREQ") ?? "";
  if (!frequencies.includes(freq)) refuse("rrule", `must have a FREQ of ${frequencies.join(", ")}`);
  if (parts.has("COUNT") && parts.has("UNTIL")) refuse("rrule", "must have COUNT or UNTIL, not both");
  const byDay = parts.get("BYDAY");
  if (byDay !== undefined && freq !== "WEEKLY") refuse("rrule", "must have BYDAY only with FREQ=WEEKLY");
  return {
    freq,
    interval: numberOf(parts, "INTERVAL", 9_999) ?? 1,
    count: numberOf(parts, "COUNT", 999_999),
    isPast: untilOf(parts.get("UNTIL"), plan),
    weekStart: weekdayNamed(parts.get("WKST") ?? "MO"),
    days: byDay?.split(",").map(weekdayNamed) ?? [weekdayOf(plan.start)],
  };
}

function numberOf(parts: ReadonlyMap<string, string>, name: string, most: number): number | undefined {
  const text = parts.get(name);
  if (text === undefined) return undefined;
  const value = /^[+-]?\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) refuse("rrule", `must have one number of 1 to ${most} as ${name}`);
  return value;
}

function weekdayNamed(name: string): number {
  const weekday = weekdays.indexOf(name);
  if (weekday === -1) refuse("rrule", `must have days of ${weekdays.join(", ")}`);
  return weekday;
}

/** UNTIL has a time exactly when the event has one (RFC 5545 3.3.10). */
function untilOf(text: string | undefined, { allDay, timezone }: Plan): Rule["isPast"] {
  if (text === undefined) return undefined;
  const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(text);
  const [year = 0, month = 0, date = 0, hour = 0, minute = 0, second = 0] = (form ?? [])
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const last = Date.UTC(year, month - 1, date, hour, minute, second) / 1000;
  const isDay = new Date(last * 1000).getUTCDate() === date && month >= 1 && month <= 12;
  const isReal = isDay && year >= 1900 && hour < 24 && minute < 60 && second <= 60;
  const [, , , , time, , , utc] = form ?? [];
  if (!isReal || (time !== undefined) === allDay)
    refuse("rrule", `must have ${allDay ? "a date" : "a time"} as UNTIL`);
  if (allDay) return (place) => Math.floor(place / day) > Math.floor(last / day);
  return utc === "Z" ? (place) => instant(place, timezone) > last : (place) => place > last;
}

/** The wall clocks that a rule names, and the first event's, which counts. Of an endless rule one more than are allowed. */
function namedBy(rule: Rule, plan: Plan, room: number): readonly number[] {
  const { count, isPast, interval } = rule;
  const { start, exdate } = plan;
  const isEndless = count === undefined && isPast === undefined;
  const horizon = isEndless ? wallClock(plan.now + 2 * 366 * day, plan.timezone) : Infinity;
  const end =
    new Date(start * 1000).setUTCFullYear(new Date(start * 1000).getUTCFullYear() + mostYears) / 1000;
  const places = [start];
  let made = exdate.includes(start) ? 0 : 1;
  if (count === 1) return places;
  for (let step = 0; ; step += interval) {
    const { from, named } = period(rule, start, step);
    if (from > end) break;
    for (const place of named) {
      if (place <= start) continue;
      if (place > horizon || isPast?.(place) === true) return places;
      places.push(place);
      if (!exdate.includes(place)) made += 1;
      if (places.length === count || (isEndless && made > room)) return places;
      if (!isEndless && places.length > room) refuse("rrule", tooMany);
    }
  }
  return refuse("rrule", `must end within ${mostYears} years`);
}

/** 0 is Monday. */
function weekdayOf(wall: number): number {
  return (((Math.floor(wall / day) + 3) % 7) + 7) % 7;
}

/** The wall clocks of a period, and one at its begin. `step`: how many days, weeks, months or years after the first. */
function period({ freq, days, weekStart }: Rule, start: number, step: number) {
  if (freq === "DAILY") return { from: start + step * day, named: [start + step * day] };
  if (freq === "WEEKLY") {
    const from = start - ((weekdayOf(start) - weekStart + 7) % 7) * day + step * 7 * day;
    const offsets = days
      .map((weekday) => (weekday - weekStart + 7) % 7)
      .toSorted((one, other) => one - other);
    return { from, named: [...new Set(offsets)].map((offset) => from + offset * day) };
  }
  const first = new Date(start * 1000);
  const moved = new Date(first);
  moved.setUTCMonth(first.getUTCMonth() + (freq === "MONTHLY" ? step : step * 12));
  const from =
    new Date(first).setUTCMonth(first.getUTCMonth() + (freq === "MONTHLY" ? step : step * 12), 1) / 1000;
  // the 31st of a month that has 30 days does not exist
  return { from, named: moved.getUTCDate() === first.getUTCDate() ? [moved.getTime() / 1000] : [] };
}
