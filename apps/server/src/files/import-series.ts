import { type FileRule, ruleOf } from "./own-series.js";

import { firstPlace, lastPlace } from "../events/series-plan.js";
import { toLocal, toUnix } from "../time/zones.js";
import type { ReadEvent, Skipped, Texts } from "./read-event.js";
import { isOfFile } from "./zone-definitions.js";

export interface FileSeries extends FileRule {
  /** What no other series of the file has. */
  readonly key: string;
  /** UIDs of its events, by which it is found again. */
  readonly uids: readonly string[];
  readonly isEndless: boolean;
  /** What its next events have. */
  readonly texts: Texts;
}

/** An event's series and its place there. */
export interface Membership {
  readonly series: FileSeries;
  readonly place: number;
}

/** The dates of a series on the wall clock on which its rule runs. */
export interface SeriesDates {
  readonly zone: string;
  /** DTSTART. */
  readonly first: number;
  /** The dates that are taken, oldest first. */
  readonly kept: readonly number[];
  readonly added: readonly number[];
  readonly excluded: readonly number[];
  readonly isEndless: boolean;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  /** Up to which instant the rule was followed. */
  readonly horizon: number;
}

/** As long as the API takes a rule. */
const longestRule = 1_000;
/** More dates to leave out than a series of an import can have. */
const mostExcluded = 1_000;

/**
 * Returns a series as it is stored, and what gives its dates their places. A rule that runs on another wall clock than the events,
 * to which it has no fixed distance, is stored as its dates.
 */
export function fileSeries(
  { uid, texts, times, repetition }: ReadEvent,
  dates: SeriesDates,
): { readonly series: FileSeries; readonly placeOf: (local: number) => number; readonly hasRule: boolean } {
  const { zone, isAllDay } = times;
  const isSameClock = isAllDay || dates.zone === zone;
  const onEvents = (local: number): number =>
    isSameClock ? wholeMinute(local) : wholeMinute(toLocal(toUnix(local, dates.zone), zone));
  const distances = new Set(dates.kept.map((local) => onEvents(local) - wholeMinute(local)));
  const rule = repetition?.rule ?? "";
  const hasRule = distances.size < 2 && rule.length <= longestRule;
  const placeOf = hasRule ? wholeMinute : onEvents;
  const places = dates.kept.map(placeOf);
  const [from = firstPlace, last = lastPlace] = [places[0], places.at(-1)];
  const named = hasRule ? new Set(dates.added.map(placeOf)) : new Set(places);
  const isEndless = dates.isEndless && hasRule;
  const series = {
    key: uid,
    uids: [uid],
    rrule: hasRule ? rule : "",
    rdate: places.filter((place) => named.has(place)).join(),
    exdate: hasRule ? excludedFrom(dates.excluded.map(placeOf), from) : "",
    rule_timezone: hasRule && !isOfFile(dates.zone) ? dates.zone : zone,
    rule_all_day: isAllDay ? 1 : 0,
    start_local: hasRule ? placeOf(dates.first) : from,
    from_place: dates.isCutBefore ? from : firstPlace,
    before_place: dates.isCutAfter && !isEndless ? last + 1 : lastPlace,
    shift: hasRule ? ([...distances][0] ?? 0) : 0,
    length: lengthOf(times),
    timezone: zone,
    all_day: isAllDay ? 1 : 0,
    made_until: dates.isCutAfter ? last : Math.max(last, toLocal(dates.horizon, zone)),
    isEndless,
    texts,
  };
  return { series, placeOf, hasRule };
}

function excludedFrom(places: readonly number[], from: number): string {
  const sorted = [...new Set(places)].toSorted((one, other) => one - other);
  return sorted
    .filter((place) => place >= from)
    .slice(0, mostExcluded)
    .join();
}

function lengthOf({ isAllDay, start, length: { days, seconds } }: ReadEvent["times"]): number {
  if (isAllDay) return (days - 1) * 86_400;
  const ofMinute = ("local" in start ? start.local : start.at) % 60;
  return days * 86_400 + wholeMinute(ofMinute + seconds);
}

/** Events begin at whole minutes. */
function wholeMinute(seconds: number): number {
  return Math.floor(seconds / 60) * 60;
}

/** UIDs by which a series is found again. */
const mostUids = 10;

/** Returns the series of an export by their ids there. */
export function ownSeriesOf(read: readonly (ReadEvent | Skipped)[]): ReadonlyMap<string, FileSeries> {
  const series = new Map<string, FileSeries & { readonly uids: string[] }>();
  for (const event of read) {
    if ("reason" in event || event.own === undefined) continue;
    const { id, rule, template } = event.own;
    const known = series.get(id);
    if (known !== undefined && known.uids.length < mostUids) known.uids.push(event.uid);
    if (known !== undefined || rule === undefined) continue;
    const parsed = rule.rrule === "" ? "" : ruleOf(rule);
    const hasEnd = typeof parsed === "string" || parsed.count !== undefined || parsed.until !== undefined;
    const isEndless = !hasEnd && rule.before_place === lastPlace;
    const given = Object.entries(template).filter(([, text]) => text !== undefined);
    const of: Texts = { ...event.texts, ...Object.fromEntries(given) };
    series.set(id, { ...rule, key: `own ${id}`, uids: [event.uid], isEndless, texts: of });
  }
  return series;
}
