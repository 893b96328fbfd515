import type { SeriesRow } from "../db/series-row.js";
import { formatWallClock, isDateAlone, parseStartDate } from "../time/formats.js";
import type { WallTimes } from "./dates.js";
import {
  expand,
  type ExpandOptions,
  type Expansion,
  type Refusal,
  type SeriesPlan,
} from "./series-expand.js";

/** Before and after all places. */
export const [firstPlace, lastPlace] = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/** How often an endless rule is looked at, in seconds. */
export const extendSeconds = 86_400;

/** Returns the places that the rule of a series names. */
export function followRule(series: StoredRule, options: ExpandOptions): Promise<Expansion | Refusal> {
  return expand(planOf(series), options);
}

/** What a rule is read with, as a series stores it. */
type StoredRule = Pick<
  SeriesRow,
  "rrule" | "rdate" | "exdate" | "rule_timezone" | "rule_all_day" | "start_local" | "length"
>;

function planOf(series: StoredRule): SeriesPlan {
  return {
    start: series.start_local,
    end: series.start_local + series.length,
    allDay: series.rule_all_day === 1,
    timezone: series.rule_timezone,
    rrule: series.rrule,
    rdate: readPlaces(series.rdate),
    exdate: readPlaces(series.exdate),
  };
}

export function readPlaces(text: string): readonly number[] {
  return text === "" ? [] : text.split(",").map(Number);
}

/** Reads `rdate` and `exdate`. A date alone means the time at which the series begins. Undefined when a date is not real. */
export function parsePlaces(text: string, start: number): readonly number[] | undefined {
  if (text === "") return [];
  const places = text.split(",").map((item) => {
    const local = parseStartDate(item);
    const timeOfDay = isDateAlone(item) ? ((start % 86_400) + 86_400) % 86_400 : 0;
    return local === undefined ? undefined : local + timeOfDay;
  });
  const real = places.filter((place) => place !== undefined);
  return real.length < places.length ? undefined : [...new Set(real)].toSorted((one, other) => one - other);
}

/** The places of `rdate` or `exdate` that are of this part of a series, as the starts of events. */
export function shownPlaces(list: string, { shift, from_place, before_place }: SeriesRow): string[] {
  return readPlaces(list)
    .filter((place) => place >= from_place && place < before_place)
    .map((place) => formatWallClock(place + shift));
}

/** The times of the event at a place, unless it was changed by itself. */
export function wallTimes({ shift, length, all_day, timezone }: SeriesRow, place: number): WallTimes {
  return { start: place + shift, length, allDay: all_day === 1, timezone };
}
