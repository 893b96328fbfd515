import type { Params } from "@kalends/spec";
import type { EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { invalid, type InvalidParameter } from "./fields.js";
import { mostEvents } from "../http/limits.js";
import { checked, placesGiven, requireReach } from "./series-create.js";
import type { Expansion } from "./series-expand.js";
import { extendSeconds, firstPlace, followRule, lastPlace, readPlaces } from "./series-plan.js";
import { withoutPrefix } from "./recurrence-rule.js";

/** What another rule, or other dates, make of a series. */
export interface RuleChange {
  readonly series: SeriesRow;
  /** What is added to the places of its events. */
  readonly by: number;
  readonly kept: readonly EventRow[];
  readonly removed: readonly EventRow[];
  /** Places of events that are to be made, by the new rule. */
  readonly added: readonly number[];
}

/** Places that a stored rule names: more than a request may make, since an endless one goes on for years. */
const mostStored = 100_000;

interface Before {
  /** The series before, of which these are all the events that the request concerns. */
  readonly before: SeriesRow;
  readonly events: readonly EventRow[];
  /** The series with the new times of its events. */
  readonly after: SeriesRow;
  readonly now: number;
}

/**
 * Which events stay, go and come when `rrule`, `rdate` or `exdate` is sent. An event stays when its start is still one of the series,
 * and one that was deleted by itself is not made again.
 */
export async function ruleChange(
  params: Params<"eventsSeriesUpdate">,
  { before, events, after, now }: Before,
  error: InvalidParameter,
): Promise<RuleChange> {
  const isNew = params.rrule !== undefined;
  const series = isNew ? withRule(params, events, after, error) : withDates(params, after, error);
  const stored = { ...asStored(now), until: before.made_until };
  const expansion = checked(await followRule(series, isNew ? { now } : stored), error);
  const made = placesIn(expansion, isNew ? lastPlace : before.made_until, series);
  const old = placesIn(checked(await followRule(before, stored), error), before.made_until, before);
  const by = isNew ? after.shift : 0;
  if (isNew) {
    requireReach(expansion, now, error);
    const latest = events.at(-1)?.series_place ?? firstPlace;
    if (expansion.isCut && latest + by > expansion.madeUntil) throw tooMany("rrule", error);
  }
  const changed = { by, ...difference(events, old, made, by) };
  requireSize(params, changed.kept.length + changed.added.length, events.length, error);
  const next_at = expansion.isEndless ? now + extendSeconds : null;
  return { series: isNew ? { ...series, made_until: expansion.madeUntil, next_at } : series, ...changed };
}

/** Which events stay, go and come. `by` is what is added to the places of events to get those of `made`. */
function difference(
  events: readonly EventRow[],
  old: readonly number[],
  made: readonly number[],
  by: number,
): Pick<RuleChange, "kept" | "removed" | "added"> {
  const existing = new Set(events.map(({ series_place }) => series_place + by));
  const deleted = new Set(old.map((place) => place + by).filter((place) => !existing.has(place)));
  const named = new Set(made);
  return {
    kept: events.filter(({ series_place }) => named.has(series_place + by)),
    removed: events.filter(({ series_place }) => !named.has(series_place + by)),
    added: made.filter((place) => !existing.has(place) && !deleted.has(place)),
  };
}

/** The series with a rule of its own, which begins with the first of its events. */
function withRule(
  params: Params<"eventsSeriesUpdate">,
  events: readonly EventRow[],
  after: SeriesRow,
  error: InvalidParameter,
): SeriesRow {
  const start = (events[0]?.series_place ?? after.start_local) + after.shift;
  const given = (name: "rdate" | "exdate"): string =>
    params[name] === undefined ? moved(after[name], after) : placesGiven(name, params[name], start, error);
  const rule = {
    rrule: withoutPrefix(params.rrule ?? ""),
    rdate: given("rdate"),
    exdate: given("exdate"),
    rule_timezone: after.timezone,
    rule_all_day: after.all_day,
    start_local: start,
  };
  if (rule.rrule === "" && rule.rdate === "")
    throw invalid("rrule", "must be given, or rdate", "missing", error);
  return { ...after, ...rule, shift: 0, from_place: firstPlace, before_place: lastPlace };
}

/** The series with other dates beside its rule. */
function withDates(
  params: Params<"eventsSeriesUpdate">,
  after: SeriesRow,
  error: InvalidParameter,
): SeriesRow {
  const { start_local, shift } = after;
  const given = (parameter: "rdate" | "exdate"): string => {
    if (params[parameter] === undefined) return after[parameter];
    const starts = readPlaces(placesGiven(parameter, params[parameter], start_local + shift, error));
    return starts.map((start) => start - shift).join(",");
  };
  const series = { ...after, rdate: given("rdate"), exdate: given("exdate") };
  const isInPart = (place: number) => place >= after.from_place && place < after.before_place;
  if (params.rdate !== undefined && !readPlaces(series.rdate).every(isInPart))
    throw invalid("rdate", "must be dates of this part of the series", "not_allowed", error);
  return series;
}

/** The places of a list that are of this part of a series, as a rule without a shift has them. */
function moved(list: string, { shift, from_place, before_place }: SeriesRow): string {
  const places = readPlaces(list).filter((place) => place >= from_place && place < before_place);
  return places.map((place) => place + shift).join(",");
}

/** How a stored rule is followed. */
const asStored = (now: number) => ({ now, most: mostStored, lenient: true });

/** The places that a stored series names, up to where its events were made; none when its rule cannot be followed any more. */
export async function storedPlaces(series: SeriesRow, now: number): Promise<readonly number[]> {
  const expansion = await followRule(series, asStored(now));
  return "message" in expansion ? [] : placesIn(expansion, series.made_until, series);
}

/**
 * The places after those that an import has made of a rule that ends: it ends the series one second after the last (files/import-series.ts),
 * where a split ends it at a whole minute. Another rule, or a later import, makes an end of its own.
 */
export async function placesLeftOut(series: SeriesRow, now: number): Promise<readonly number[]> {
  const { before_place, made_until } = series;
  if (before_place !== made_until + 1) return [];
  const expansion = await followRule(series, asStored(now));
  return "message" in expansion ? [] : expansion.places.filter((place) => place >= before_place);
}

/** Whether `scope=following` has divided a series, whose rule still says the end of the whole. */
export const isDivided = ({ from_place, before_place, made_until }: SeriesRow): boolean =>
  from_place !== firstPlace || (before_place !== lastPlace && before_place !== made_until + 1);

/** The places of a part of a series; of an endless rule those up to `until`, and its `rdate`. */
function placesIn({ places, isEndless }: Expansion, until: number, series: SeriesRow): readonly number[] {
  const rdate = new Set(readPlaces(series.rdate));
  return places
    .filter((place) => place >= series.from_place && place < series.before_place)
    .filter((place) => !isEndless || place <= until || rdate.has(place));
}

function requireSize(
  params: Params<"eventsSeriesUpdate">,
  total: number,
  before: number,
  error: InvalidParameter,
) {
  const parameter = params.rrule === undefined ? (params.rdate === undefined ? "exdate" : "rdate") : "rrule";
  if (total === 0) throw invalid(parameter, "must leave at least one event", "not_allowed", error);
  if (total > Math.max(mostEvents.ofSeries, before)) throw tooMany(parameter, error);
}

function tooMany(parameter: string, error: InvalidParameter): Error {
  const message = `must make at most ${mostEvents.ofSeries} events; scope=following begins with this one`;
  return error("parameter_invalid", [{ parameter, message, code: "too_many", limit: mostEvents.ofSeries }]);
}
