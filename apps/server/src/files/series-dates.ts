import { mostEvents } from "../http/limits.js";
import { daySeconds } from "../time/formats.js";
import { type FileSeries, fileSeries, type Membership } from "./import-series.js";
import {
  dayOf,
  EventSkipped,
  instantOf,
  localOf,
  type Moment,
  momentAt,
  wholeDay,
  zoneOfRule,
} from "./moments.js";
import type { ReadEvent, Repetition } from "./read-event.js";
import { type Repeated, type RuleTime, type Starts, startsOf } from "./rules.js";
import { cut } from "./texts.js";

/** What the dates of a series depend on. */
export interface SeriesContext {
  readonly now: number;
  readonly rules: RuleTime;
  /** The series that an export names, by their ids there. */
  readonly ownSeries: ReadonlyMap<string, FileSeries>;
}

/** A rule in a note, in characters. */
const longestShown = 200;
/** How far ahead a series is imported. */
export const aheadSeconds = 731 * daySeconds;
/** Of a series with more dates, those from so long ago on are taken first. */
const backSeconds = 30 * daySeconds;

/** The dates of an event or series. */
export interface DatesOfSeries {
  /** Of an event, or of all dates of a series, oldest first. */
  readonly starts: readonly Moment[];
  readonly notes: readonly string[];
  /** Returns what the date that begins at a time is of its series. */
  readonly memberAt: (start: Moment) => Membership | undefined;
  /** Returns the length of a date; undefined where it is that of the event. */
  readonly lengthAt: (start: Moment) => ReadEvent["times"]["length"] | undefined;
  /** Whether its rule is not followed. */
  readonly isPartial: boolean;
}

/** Returns the dates of an event: one, or those of its rule and of RDATE. */
export function datesOfSeries(event: ReadEvent, context: SeriesContext): DatesOfSeries {
  const { times, repetition, own } = event;
  if (repetition !== undefined) return datesByRule(event, repetition, context);
  const series = own && context.ownSeries.get(own.id);
  return {
    starts: [times.start],
    notes: [],
    memberAt: () => series && { series, place: own.place },
    lengthAt: () => undefined,
    isPartial: false,
  };
}

function datesByRule(event: ReadEvent, repetition: Repetition, { now, rules }: SeriesContext): DatesOfSeries {
  const { times } = event;
  const { start } = times;
  const { rdates, exdates } = repetition;
  const zone = zoneOfRule(start, times.zone);
  const first = localOf(start, zone);
  const horizon = now + aheadSeconds;
  const repeated = { rule: repetition.rule, start: first, zone, isAllDay: times.isAllDay };
  const byRule = startsByRule(repeated, { horizon, rules });
  const localIn = (date: Moment): number => (start.kind === "day" ? dayOf(date, zone) : localOf(date, zone));
  const lengths = lengthsOf(rdates, start, zone);
  const added = [...lengths.keys()];
  const isLeftOut = leftOut(exdates, start, zone);
  const isLikeStart = ({ kind }: Moment) => start.kind === "day" || kind !== "day";
  const named = [...new Set([...byRule.locals, ...added])].toSorted((a, b) => a - b);
  const locals = named.filter((local) => !isLeftOut(local));
  const kept = locals.length > mostEvents.ofSeries ? nearest(locals, now) : locals;
  const left = locals.length - kept.length;
  const { series, placeOf, hasRule } = fileSeries(event, {
    zone,
    first,
    kept,
    added,
    horizon,
    isEndless: byRule.isEndless,
    excluded: [...named.filter(isLeftOut), ...exdates.filter(isLikeStart).map(localIn)],
    isCutBefore: left > 0 && kept[0] !== locals[0],
    isCutAfter: byRule.isCut || (left > 0 && kept.at(-1) !== locals.at(-1)),
  });
  const isPartial = byRule.reason !== undefined;
  return {
    starts: kept.map((local) => momentAt(local, start, zone)),
    notes: [...notesOfRule(repetition, byRule.reason), ...notesOf(left, byRule.isCut, hasRule || isPartial)],
    memberAt: (date) => (isPartial ? undefined : { series, place: placeOf(localIn(date)) }),
    lengthAt: (date) => lengths.get(localIn(date)),
    isPartial,
  };
}

/** Returns the starts of RDATE, and the lengths of those that have one of their own; whole days have that of the event. */
function lengthsOf(rdates: Repetition["rdates"], like: Moment, zone: string) {
  const isOfDays = like.kind === "day";
  return new Map(
    rdates.map(({ start, length }) => {
      return [
        isOfDays ? dayOf(start, zone) : localOf(start, zone),
        isOfDays || (length?.seconds ?? 0) < 0 ? undefined : length,
      ];
    }),
  );
}

/** Follows a rule; one that cannot be followed has its first date, and a reason. */
function startsByRule(
  { rule, ...repeated }: Omit<Repeated, "rule"> & Pick<Repetition, "rule">,
  options: Parameters<typeof startsOf>[1],
): Starts & { readonly reason?: string } {
  const first = { locals: [repeated.start], isCut: false, isEndless: false };
  if (rule === undefined) return first;
  try {
    return startsOf({ ...repeated, rule }, options);
  } catch (error) {
    if (!(error instanceof EventSkipped)) throw error;
    return { ...first, reason: error.message };
  }
}

function notesOfRule({ rule = "", isRewritten }: Repetition, reason: string | undefined): readonly string[] {
  if (reason !== undefined) return [`only the first date of its rule is taken: ${reason}`];
  return isRewritten ? [`RRULE is read as ${cut(rule, longestShown).text}`] : [];
}

function notesOf(left: number, isCut: boolean, hasRule: boolean): readonly string[] {
  return [
    ...(left === 0
      ? []
      : [`${left} dates of the series are left out: it has more than ${mostEvents.ofSeries}`]),
    ...(isCut ? ["its dates more than two years ahead are left out"] : []),
    ...(hasRule ? [] : ["its rule is kept as its dates: it runs on another clock than the event"]),
  ];
}

/** A day leaves out all dates of that day; a time the date at that instant. */
function leftOut(exdates: readonly Moment[], start: Moment, zone: string): (local: number) => boolean {
  const days = new Set<number>();
  const instants = new Set<number>();
  for (const date of exdates) {
    if (start.kind === "day" || date.kind === "day") days.add(dayOf(date, zone));
    else instants.add(instantOf(date, zone));
  }
  return (local) => days.has(wholeDay(local)) || instants.has(instantOf(momentAt(local, start, zone), zone));
}

/** The next dates of a long series, and of the past as many as there is room for. */
function nearest(locals: readonly number[], now: number): readonly number[] {
  const found = locals.findIndex((local) => local >= now - backSeconds);
  const from = found === -1 ? locals.length : found;
  const to = Math.min(locals.length, from + mostEvents.ofSeries);
  return locals.slice(to - mostEvents.ofSeries, to);
}
