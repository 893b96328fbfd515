import { refuse } from "./events.js";

const day = 86_400;
const mostEvents = 366;
const weekdays = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];
/** The parts that the model knows; a server knows all of RFC 5545. */
const known = /^(FREQ|INTERVAL|COUNT|UNTIL|WKST|BYDAY)$/;

/**
 * The wall clocks of a rule from a first one on (extensions.md X5.2), for FREQ, INTERVAL, COUNT, an UNTIL on the wall clock, and the BYDAY of
 * weekly rules. An endless one ends at `horizon`.
 */
export function recurrence(text: string, start: number, horizon: number): readonly number[] {
  const parts = readParts(text);
  const freq = parts.get("FREQ") ?? "";
  const count = Number(parts.get("COUNT") ?? Infinity);
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const byDay = parts.get("BYDAY")?.split(",");
  const isWrong =
    !frequencies.includes(freq) ||
    (byDay !== undefined && (freq !== "WEEKLY" || byDay.some((name) => !weekdays.includes(name)))) ||
    !(interval >= 1) ||
    (parts.has("COUNT") && parts.has("UNTIL")) ||
    !(count >= 1 && (count <= mostEvents || !parts.has("COUNT")));
  if (isWrong) refuse("rrule", "must be a rule of RFC 5545 with at most 366 events");
  const last = untilOf(parts.get("UNTIL")) ?? (parts.has("COUNT") ? Infinity : horizon);
  const days = (byDay ?? [weekdays[weekdayOf(start)] ?? ""]).map((name) => weekdays.indexOf(name));
  const found = new Set([start]);
  for (let step = 0; found.size < count && step < 10_000; step++) {
    for (const place of period({ freq, start, step: step * interval, days })) {
      if (place > last) return checked(found, parts);
      if (place >= start && found.size < count) found.add(place);
    }
    if (found.size > mostEvents) break;
  }
  return checked(found, parts);
}

function checked(found: ReadonlySet<number>, parts: ReadonlyMap<string, string>): readonly number[] {
  if (found.size > mostEvents && parts.has("UNTIL")) refuse("rrule", "must make at most 366 events");
  return [...found].slice(0, mostEvents);
}

/** The rule without the "RRULE:" that is copied with it from a calendar file. */
export function withoutPrefix(text: string): string {
  return text.replace(/^RRULE:(?=.)/i, "");
}

function readParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map(
    withoutPrefix(text)
      .split(";")
      .map((part): readonly [string, string] => {
        const [name = "", value = ""] = part.toUpperCase().split("=");
        return [name, value];
      }),
  );
  if (![...parts].every(([name, value]) => known.test(name) && value !== ""))
    refuse("rrule", "must have parts that the fake knows: FREQ, INTERVAL, COUNT, UNTIL, WKST, BYDAY");
  return parts;
}

function untilOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, year, month, date, hour, minute] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d)?$/.exec(text) ?? [];
  if (year === undefined) refuse("rrule", "must have a time on the wall clock as UNTIL");
  const time = hour === undefined ? [23, 59] : [Number(hour), Number(minute)];
  return Date.UTC(Number(year), Number(month) - 1, Number(date), time[0], time[1]) / 1000;
}

/** 0 is Monday. */
function weekdayOf(wall: number): number {
  return (Math.floor(wall / day) + 3) % 7;
}

interface Period {
  readonly freq: string;
  readonly start: number;
  /** How many days, weeks, months or years after the first. */
  readonly step: number;
  readonly days: readonly number[];
}

function period({ freq, start, step, days }: Period): readonly number[] {
  if (freq === "DAILY") return [start + step * day];
  if (freq === "WEEKLY") {
    const monday = start - weekdayOf(start) * day + step * 7 * day;
    return days.toSorted((one, other) => one - other).map((weekday) => monday + weekday * day);
  }
  const first = new Date(start * 1000);
  const months = freq === "MONTHLY" ? step : step * 12;
  const moved = new Date(first);
  moved.setUTCMonth(first.getUTCMonth() + months);
  // the 31st of a month that has 30 days does not exist
  return moved.getUTCDate() === first.getUTCDate() ? [moved.getTime() / 1000] : [];
}
