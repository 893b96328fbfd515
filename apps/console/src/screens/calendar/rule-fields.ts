import type { SeriesDetails } from "@kalends/client/extensions";
import { mostOfSeries } from "@kalends/spec/limits";
import { addDays, type Day, isDay, weekday } from "../../dates/days.js";

/** How an event repeats, as the editor holds it. */
export type RuleFields = Readonly<
  Record<"freq" | "interval" | "ends" | "count" | "until" | "days" | "by" | "rule" | "except", string>
>;

/** An event that does not repeat. */
export const once: RuleFields = {
  freq: "",
  interval: "1",
  ends: "count",
  count: "10",
  until: "",
  days: "", // of a week, as "MO,WE"; "" is that of the start
  by: "", // of a month: "" is its day, "nth" its second Friday, "last" its last Friday
  rule: "", // that of "CUSTOM": one that has no fields here
  except: "", // days that are left out, with commas between them
};

/** Fields without those of a rule. */
export function withoutRule<Names extends object>(fields: Names): Partial<Names> {
  const found: Partial<Names> = {};
  for (const name in fields) if (!(name in once)) found[name] = fields[name];
  return found;
}

export const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;

export const weekdayCodes = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

/** RFC 5545's letters of the weekday of a date. */
export function codeOf(day: Day): string {
  return weekdayCodes[weekday(day) - 1] ?? "MO";
}

/** Which of its weekday a date is in its month, from 1. */
export function nthOf(day: Day): number {
  return Math.ceil(Number(day.slice(8)) / 7);
}

/** Whether a date is the last of its weekday in its month. */
export function isLastOf(day: Day): boolean {
  return addDays(day, 7).slice(0, 7) !== day.slice(0, 7);
}

/** Fields of the event that its rule depends on. */
interface Start {
  readonly startDay: Day;
  readonly allDay: string;
}

/** The rule (RFC 5545 3.3.10) that the fields choose; "" when the event is to be once. */
export function ruleOf(fields: RuleFields & Start): string {
  const { freq, interval, ends, count, until, rule, allDay } = fields;
  if (freq === "" || freq === "CUSTOM") return rule;
  const every = interval === "1" ? "" : `;INTERVAL=${interval}`;
  const last = `${until.replaceAll("-", "")}${allDay === "true" ? "" : "T235959"}`;
  const end = ends === "count" ? `;COUNT=${count}` : ends === "until" ? `;UNTIL=${last}` : "";
  return `FREQ=${freq}${every}${byOf(fields)}${end}`;
}

/** The days that a series leaves out, soonest first. Its first date is always one of it. */
export function exceptOf({ except, startDay }: Pick<RuleFields & Start, "except" | "startDay">): string[] {
  return except
    .split(",")
    .filter((day) => day !== "" && day !== startDay)
    .toSorted();
}

/** The days that a series leaves out: those of its rule, and those whose events were deleted. */
export function leftOutOf({
  series: { exdate },
  deleted_dates: deleted,
}: Pick<SeriesDetails, "deleted_dates"> & {
  readonly series: { readonly exdate: readonly string[] };
}): string {
  return [...new Set([...exdate, ...deleted].map((start) => start.slice(0, 10)))].toSorted().join(",");
}

/** A field of the rule that the server would refuse, and why: no whole number up to `most`, a date that is half typed, or an early one. */
export type Mistake = readonly ["interval" | "count", number] | readonly ["until", "missing" | "early"];

/** The first mistake of the fields. A rule that they cannot hold has none. */
export function mistakeOf(fields: RuleFields & Start): Mistake | undefined {
  const { freq, interval, ends, count, until, startDay } = fields;
  if (freq === "" || freq === "CUSTOM") return undefined;
  if (!isUpTo(mostOfSeries.interval, interval)) return ["interval", mostOfSeries.interval];
  if (ends === "count" && !isUpTo(mostOfSeries.events, count)) return ["count", mostOfSeries.events];
  if (ends !== "until" || (isDay(until) && until >= startDay)) return undefined;
  return ["until", isDay(until) ? "early" : "missing"];
}

const isUpTo = (most: number, text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= most;

function byOf({ freq, days, by, startDay }: RuleFields & Start): string {
  if (freq === "WEEKLY" && days !== "") return `;BYDAY=${days}`;
  if (freq !== "MONTHLY" || by === "" || startDay === "") return "";
  return `;BYDAY=${by === "last" ? "-1" : nthOf(startDay)}${codeOf(startDay)}`;
}

/** How far the events of a series are from the days that its rule names, in days: it may have been moved over midnight. */
function daysMoved(start: string, shiftMinutes: number): number {
  const [hour = "0", minute = "0"] = (start.split("T")[1] ?? "").split(":");
  return -Math.floor((Number(hour) * 60 + Number(minute) - shiftMinutes) / 1440);
}

/** Of a series, as the server has it. */
interface Rule {
  readonly rrule: string;
  readonly shift_minutes: number;
  readonly timezone: string;
}

/** The day of an UNTIL in the series' zone. Where the browser lacks the zone, an instant has its day in UTC. */
function dayOfUntil(until: string, timeZone: string): Day {
  const [, year, month, day, time = "", isInstant = ""] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(Z?))?$/.exec(until) ?? [];
  if (year === undefined) return "";
  const date = `${year}-${month}-${day}`;
  if (isInstant === "") return date;
  const instant = new Date(`${date}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`);
  try {
    return new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short" }).format(instant);
  } catch {
    return date;
  }
}

/**
 * Reads the rule of a series into fields. One that they cannot hold is "CUSTOM". A series that was divided ends with its own last date: by the
 * end of its rule, a change would make the dates of the other part a second time.
 * @param start of one of its events
 */
export function readSeries(
  { series, ends_on }: Pick<SeriesDetails, "ends_on"> & { series: Rule },
  start: string,
): RuleFields {
  const rule = readRule(series, start);
  return ends_on === "" || rule.freq === "CUSTOM" ? rule : { ...rule, ends: "until", until: ends_on };
}

export function readRule({ rrule, shift_minutes, timezone }: Rule, start: string): RuleFields {
  const parts = new Map(
    rrule
      .toUpperCase()
      .split(";")
      .map((part) => part.split("=", 2))
      .map(([name = "", value = ""]) => [name, value]),
  );
  const custom = { ...once, freq: "CUSTOM", rule: rrule };
  const freq = frequencies.find((each) => each === parts.get("FREQ"));
  const known = ["FREQ", "INTERVAL", "COUNT", "UNTIL", "BYDAY", "WKST"];
  if (freq === undefined || [...parts.keys()].some((name) => !known.includes(name))) return custom;
  const by = readBy(freq, parts.get("BYDAY") ?? "", start.slice(0, 10), daysMoved(start, shift_minutes));
  if (by === undefined) return custom;
  const [count, until = ""] = [parts.get("COUNT"), parts.get("UNTIL")];
  return {
    ...once,
    freq,
    interval: parts.get("INTERVAL") ?? "1",
    ends: count !== undefined ? "count" : until === "" ? "never" : "until",
    count: count ?? once.count,
    until: dayOfUntil(until, timezone),
    ...by,
  };
}

function readBy(
  freq: string,
  byDay: string,
  day: Day,
  moved: number,
): Pick<RuleFields, "days" | "by"> | undefined {
  if (byDay === "") return { days: "", by: "" };
  if (freq === "WEEKLY" && /^\w\w(,\w\w)*$/.test(byDay)) {
    const codes = byDay.split(",").map((code) => weekdayCodes.findIndex((each) => each === code) + 7 + moved);
    const days = codes.toSorted((a, b) => (a % 7) - (b % 7)).map((index) => weekdayCodes[index % 7] ?? "");
    return { days: days.join(","), by: "" };
  }
  if (freq !== "MONTHLY" || moved !== 0) return undefined;
  if (byDay === `-1${codeOf(day)}` && isLastOf(day)) return { days: "", by: "last" };
  return byDay === `${nthOf(day)}${codeOf(day)}` ? { days: "", by: "nth" } : undefined;
}
