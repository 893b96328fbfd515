import { setImmediate as nextTurn } from "node:timers/promises";
import type { ParameterFailure } from "@kalends/spec";
import { datesOf, type EventDates } from "./dates.js";
import { mostEvents, ruleMs } from "../http/limits.js";
import { stopwatch } from "../time/stopwatch.js";
import { dayIndex, daySeconds, pastYear9999 } from "../time/formats.js";
import { dayNamedBy, toLocal, toUnix } from "../time/zones.js";
import { parseRule, type Rule, type RuleOptions, type Until } from "./recurrence-rule.js";
import { mostYears, walkPeriods } from "./series-walk.js";

/** How far ahead of now the events of an endless rule are made, in seconds: two years. */
export const aheadSeconds = 2 * 366 * 86_400;

/** A first event and what repeats it. Times are wall clocks of its zone: Unix seconds of the same digits in UTC. */
export interface SeriesPlan {
  readonly start: number;
  readonly end: number;
  readonly allDay: boolean;
  readonly timezone: string;
  /** As in RFC 5545 3.3.10; empty when `rdate` names all other events. */
  readonly rrule: string;
  /** Starts of further events, and starts that are left out. */
  readonly rdate?: readonly number[];
  readonly exdate?: readonly number[];
}

export interface ExpandOptions extends Pick<RuleOptions, "lenient"> {
  readonly now: number;
  /** Of an endless rule, no later wall clock than this is looked for. */
  readonly until?: number;
  /** Goes on after this wall clock, for an endless rule whose events up to there exist. */
  readonly after?: number;
  /** Events at most, as many as a request makes (extensions X5.1) unless told; an endless rule is cut, any other one refused. */
  readonly most?: number;
}

export interface Expansion {
  /**
   * The start of each event as the rule names it, which identifies the event within its series (RECURRENCE-ID), in their order. It differs
   * from `start_local` for a time that the wall clock skips. Never empty, except with `after`.
   */
  readonly places: readonly number[];
  /** The times of the last one. */
  readonly last: EventDates | undefined;
  /** Whether the rule has neither COUNT nor UNTIL. */
  readonly isEndless: boolean;
  /** Whether an endless rule has more events within two years than were allowed. */
  readonly isCut: boolean;
  /** Where an endless rule goes on: the `after` of the next call. */
  readonly madeUntil: number;
}

/** Why there is no series. */
export interface Refusal extends ParameterFailure {
  readonly parameter: "rrule" | "rdate" | "exdate" | "end_date";
  /** Whether the rule was not followed to its end. */
  readonly isTooSlow?: true;
}

/** How long a rule is followed in one turn of the event loop: in milliseconds, and in dates of one period. */
const [turnMs, mostAtOnce] = [5, 1_000];

/** Returns the events of a series. Lets others in meanwhile, and refuses a rule that takes too long to follow. */
export async function expand(plan: SeriesPlan, options: ExpandOptions): Promise<Expansion | Refusal> {
  const steps = expandInSteps(plan, options);
  for (let ms = 0; ms <= ruleMs; await nextTurn()) {
    const endsAt = performance.now() + turnMs;
    const elapsed = stopwatch();
    do {
      const step = steps.next();
      if (step.done === true) return step.value;
    } while (performance.now() < endsAt);
    ms += elapsed();
  }
  return { ...refused(`takes more than ${ruleMs} ms to follow; give it fewer parts`), isTooSlow: true };
}

/**
 * Returns the events of a series. The wall clock of the zone repeats, for start and end; then each is an instant (rulings R4.3).
 * The first event is always one of them and counts, also when the rule does not name it (RFC 5545 3.8.5.3), unless `exdate` does.
 */
function* expandInSteps(plan: SeriesPlan, options: ExpandOptions): Steps<Expansion | Refusal> {
  const { lenient = false, after = -Infinity, most = mostEvents.ofSeries } = options;
  const rule = plan.rrule === "" ? undefined : parseRule(plan.rrule, { allDay: plan.allDay, lenient });
  if (typeof rule === "string") return refused(rule);
  const isEndless = rule !== undefined && rule.count === undefined && rule.until === undefined;
  const rdate = new Set(plan.rdate);
  const excluded = new Set(plan.exdate);
  const isMade = (place: number) =>
    place > after && !excluded.has(place) && (after === -Infinity || !rdate.has(place));
  const room = isEndless ? Math.max(most - rdate.size, 1) : most;
  const named =
    rule === undefined
      ? [plan.start]
      : yield* namedBy(rule, plan, { ...options, most: room, isMade, lenient });
  if ("message" in named) return named;
  const made = named.filter(isMade);
  const isCut = isEndless && made.length > room;
  const kept = isCut ? made.slice(0, room) : made;
  const places = new Set([...kept, ...(after === -Infinity ? rdate : [])].filter(isMade));
  if (places.size > most) return tooMany(plan.rrule === "" || isEndless ? "rdate" : "rrule", most);
  if (places.size === 0 && after === -Infinity) return nothingLeft;
  const sorted = [...places].toSorted((one, other) => one - other);
  const lastPlace = sorted.at(-1);
  const last =
    lastPlace === undefined
      ? undefined
      : datesOf({ ...plan, start: lastPlace, length: plan.end - plan.start });
  if (last !== undefined && last.end_local >= pastYear9999) return endTooLate;
  const lastKept = isCut ? kept.at(-1) : undefined;
  return {
    places: sorted,
    last,
    isEndless,
    isCut,
    madeUntil: lastKept ?? Math.max(plan.start, horizonOf(plan, options.now)),
  };
}

/** The wall clock up to which the events of an endless rule are made. */
function horizonOf({ timezone }: SeriesPlan, now: number): number {
  return toLocal(now + aheadSeconds, timezone);
}

interface Limits extends Pick<ExpandOptions, "now" | "until"> {
  readonly most: number;
  readonly lenient: boolean;
  readonly isMade: (place: number) => boolean;
}

/** Work that may stop wherever it yields. */
type Steps<Result> = Generator<undefined, Result>;

/** The wall clocks that a rule names, and the first event's. Of an endless rule, one more than are allowed at most. */
function* namedBy(
  rule: Rule,
  plan: SeriesPlan,
  { now, until: latest = Infinity, most, isMade, lenient }: Limits,
): Steps<readonly number[] | Refusal> {
  const { count, until } = rule;
  if (count !== undefined && count > most) return tooMany("rrule", most);
  const isPast = pastUntil(until, plan);
  if (isPast(plan.start) && !lenient) return refused("must not end before the first event");
  const isEndless = count === undefined && until === undefined;
  const horizon = isEndless ? Math.min(horizonOf(plan, now), latest) : Infinity;
  const places = [plan.start];
  if (count === 1) return places;
  let made = isMade(plan.start) ? 1 : 0;
  // A rule that is stored may have begun long ago: it goes on all the same.
  for (const period of walkPeriods(rule, plan.start, lenient ? horizonOf(plan, now) : undefined)) {
    for (const place of period) {
      if (place === plan.start) continue;
      if (place > horizon || isPast(place)) return places;
      if (places.push(place) % mostAtOnce === 0) yield;
      if (isMade(place)) made++;
      if (places.length === count || (isEndless && made > most)) return places;
      if (!isEndless && places.length > most) return tooMany("rrule", most);
    }
    yield;
  }
  return refused(
    count === undefined && places.length === 1
      ? "must name a date after the first event"
      : `must end within ${mostYears} years`,
  );
}

/** Returns a function that tells whether a wall clock is past the end of the rule. The UNTIL of all-day events means its day. */
export function pastUntil(
  until: Until | undefined,
  { allDay, timezone }: Pick<SeriesPlan, "allDay" | "timezone">,
): (place: number) => boolean {
  if (until === undefined) return () => false;
  if (!allDay)
    return (place) => ("unix" in until ? toUnix(place, timezone) > until.unix : place > until.local);
  const last = dayIndex("unix" in until ? lastDay(until.unix, timezone) : until.local);
  return (place) => dayIndex(place) > last;
}

const quarterSeconds = 900;

/** The day that an UNTIL in UTC means, which files have of all-day events: its midnight in some zone, or its last minute. */
function lastDay(until: number, timezone: string): number {
  const quarter = Math.ceil(until / quarterSeconds) * quarterSeconds; // offsets of zones are whole quarters of an hour
  const isLastMinute = quarter > until && quarter - until <= 60;
  return isLastMinute ? dayNamedBy(quarter, timezone) - daySeconds : dayNamedBy(until, timezone);
}

const nothingLeft: Refusal = {
  parameter: "exdate",
  message: "must leave at least one event",
  code: "not_allowed",
};

const endTooLate: Refusal = {
  parameter: "end_date",
  message: "must be before the year 10000 in every event of the series",
  code: "too_late",
};

function refused(message: string): Refusal {
  return { parameter: "rrule", message, code: "refused" };
}

function tooMany(parameter: "rrule" | "rdate", most: number): Refusal {
  return { parameter, message: `must make at most ${most} events`, code: "too_many", limit: most };
}
