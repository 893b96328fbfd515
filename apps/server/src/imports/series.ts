import { operations } from "@kalends/spec";
import * as z from "zod";
import { storedData } from "../custom-data/stored.js";
import type { SeriesRow } from "../db/series-row.js";
import type { Template } from "../events/revisions.js";
import { parseRule, type Rule } from "../series/recurrence-rule.js";
import { pastYear9999, year1900 } from "../time/formats.js";
import { isZone } from "../time/zones.js";

import { firstPlace, lastPlace } from "../series/plan.js";
import { toLocal, toUnix } from "../time/zones.js";
import type { ReadEvent, Skipped, Texts } from "./read-event.js";
import { isOfFile } from "./zone-definitions.js";

/** A series of a file. */
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

// What an export says of series (extensions X6.2): its events are single ones to other programs, so the rule stands beside them.

/** What a file says of the rule of a series, as it is stored. */
export const ruleColumns = [
  "rrule",
  "rdate",
  "exdate",
  "rule_timezone",
  "rule_all_day",
  "start_local",
  "from_place",
  "before_place",
  "shift",
  "length",
  "timezone",
  "all_day",
  "made_until",
] as const;

export type FileRule = Pick<SeriesRow, (typeof ruleColumns)[number]>;

/** The series of an event of an export. */
export interface OwnSeries {
  /** What the export calls it. */
  readonly id: string;
  readonly place: number;
  /** Its first event has what all have in common, and what of its texts is not that of the event. */
  readonly rule: FileRule | undefined;
  readonly template: { readonly [Name in keyof Template]?: Template[Name] | undefined };
}

const flag = z.int().min(0).max(1);
const local = z
  .int()
  .min(year1900 - 86_400)
  .max(pastYear9999);
const minutes = z.int().multipleOf(60).min(-pastYear9999).max(pastYear9999);
const places = z
  .string()
  .max(32_768)
  .regex(/^(?:-?\d{1,12}(?:,-?\d{1,12})*)?$/);
const zone = z.string().refine(isZone);
const texts = { title: true, description: true, location: true, organizer: true } as const;
const others = { organizer_email: true, color_id: true, reminder: true, status: true } as const;
const found = { custom_data: true, categories: true } as const;

const written = z.object({
  id: z.string().regex(/^\d{1,16}$/),
  place: local,
  rule: z
    .object({
      rrule: z.string().max(1_000),
      rdate: places,
      exdate: places,
      rule_timezone: zone,
      rule_all_day: flag,
      start_local: local,
      from_place: z.int(),
      before_place: z.int(),
      shift: minutes,
      length: minutes.min(0),
      timezone: zone,
      all_day: flag,
      made_until: z.int(),
    })
    .refine(({ rrule, ...rule }) => rrule === "" || typeof ruleOf({ rrule, ...rule }) !== "string")
    .optional(),
  template: operations.updateEvent.params.pick({ ...texts, ...others, ...found }).optional(),
});

/** Returns the rule, or why it is none. */
export function ruleOf({ rrule, rule_all_day }: Pick<FileRule, "rrule" | "rule_all_day">): Rule | string {
  return parseRule(rrule, { allDay: rule_all_day === 1, lenient: true });
}

/** Reads what an export says of the series of an event; undefined when it is not as exports write it. */
export function readOwnSeries(text: string): OwnSeries | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { success, data } = written.safeParse(json);
  if (!success) return undefined;
  const { id, place, rule, template: { custom_data, status, ...template } = {} } = data;
  return {
    id,
    place,
    rule,
    template: {
      ...template,
      ...(status === undefined || status === "" ? {} : { status }),
      ...(custom_data === undefined ? {} : { custom_data: storedData(custom_data) }),
    },
  };
}
