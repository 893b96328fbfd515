import { createRequire } from "node:module";
import leven from "leven";
import { dayIndex, daySeconds } from "./formats.js";

/**
 * Wall clock and Unix time in every IANA time zone. The data is that of tzdata, as packed by moment-timezone (whose code is not
 * used), not that of Node, whose ICU lags behind (rulings R4.5). A wall clock is one number: the Unix seconds of the same
 * digits in UTC, `Date.UTC(...) / 1000`.
 */

/** A time range with one offset. `offset` is in seconds, east positive. */
export type Period = {
  readonly offset: number;
  /** Unix seconds at which the period ends, `Infinity` for the last. */
  readonly until: number;
  /** The wall clock in seconds from which the next period's offset applies. */
  readonly wallUntil: number;
};

const require = createRequire(import.meta.url);
const packed: {
  version: string;
  zones: string[];
  links: string[];
} = require("moment-timezone/data/packed/latest.json");
const meta: { zones: Record<string, unknown> } = require("moment-timezone/data/meta/latest.json");

/** The tzdata release the data comes from, such as "2026f". */
export const tzdataVersion: string = packed.version;

const records = new Map(packed.zones.map((record) => [record.slice(0, record.indexOf("|")), record]));
for (const link of packed.links) {
  const [target = "", alias = ""] = link.split("|");
  records.set(alias, records.get(target) ?? "");
}

// The package generates its meta file from zone.tab.
const listed: readonly string[] = Object.freeze([...Object.keys(meta.zones), "Etc/UTC"].sort());

/** Returns the zones of the API's list: the names of tzdata's zone.tab and "Etc/UTC", by code point (rulings R4.5). */
export function listedZones(): readonly string[] {
  return listed;
}

/** Reports whether `name` is an IANA zone name or alias, spelled exactly (rulings R4.5). */
export function isZone(name: string): boolean {
  return records.has(name);
}

/** Returns the IANA name or alias that is spelled so in any case; undefined when there is none. */
export function zoneNamed(name: string): string | undefined {
  if (isZone(name)) return name;
  byLowerCase ??= new Map([...records.keys()].map((key) => [key.toLowerCase(), key]));
  return byLowerCase.get(name.toLowerCase());
}

let byLowerCase: ReadonlyMap<string, string> | undefined;

/** Returns the population of the largest city of a zone; 0 when unknown. */
export function populationOf(zone: string): number {
  const record = records.get(zone) ?? "";
  return Number(record.slice(record.lastIndexOf("|") + 1));
}

/**
 * Adds a zone that a file defines, under a name that is no IANA name, for the functions below. Remove it once the file was
 * read.
 * @param periods oldest first; the last one ends with Infinity
 */
export function addZone(name: string, periods: readonly Period[]): void {
  unpacked.set(name, periods);
}

export function removeZone(name: string): void {
  if (!isZone(name)) unpacked.delete(name);
}

/**
 * Converts a wall clock to Unix seconds. A time in a gap takes the offset before the gap, so it is later by the length of
 * the gap; a repeated time means the first occurrence (RFC 5545 3.3.5, rulings R4.3). Converting keeps the order of wall
 * clocks, except that times in a gap come after the gap. Throws a RangeError for an unknown zone.
 */
export function toUnix(localSeconds: number, zone: string): number {
  const seconds = localSeconds - beyondData(localSeconds);
  return localSeconds - periodAt(periodsTo(zone, seconds), "wallUntil", seconds).offset;
}

/** Converts Unix seconds to the wall clock in seconds. Throws a RangeError for an unknown zone. */
export function toLocal(unixSeconds: number, zone: string): number {
  const seconds = unixSeconds - beyondData(unixSeconds);
  return unixSeconds + periodAt(periodsTo(zone, seconds), "until", seconds).offset;
}

/**
 * Returns the wall clock with which the day begins that an instant names: programs write the midnight with which it begins in the zone of
 * the author, which is tried first, or in another one, or in UTC.
 */
export function dayNamedBy(unixSeconds: number, zone: string): number {
  const local = toLocal(unixSeconds, zone);
  return local % daySeconds === 0 ? local : dayIndex(unixSeconds + daySeconds / 2) * daySeconds;
}

/**
 * Returns the standard-time offset in minutes, east positive: the smallest one in force in the 365 days from `nowUnix` (Unix
 * seconds). Throws a RangeError for an unknown zone.
 */
export function standardOffset(zone: string, nowUnix: number): number {
  const from = nowUnix - beyondData(nowUnix);
  const to = from + 365 * daySeconds - 1;
  const periods = periodsTo(zone, to);
  const first = periods.indexOf(periodAt(periods, "until", from));
  const last = periods.indexOf(periodAt(periods, "until", to));
  return Math.min(...periods.slice(first, last + 1).map((period) => period.offset)) / 60;
}

/** Formats an offset in minutes as "HH:MM", with "-" in front when west of UTC and no sign otherwise (rulings R4.5). */
export function formatOffset(minutes: number): string {
  const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, "0");
  return `${minutes < 0 ? "-" : ""}${hours}:${String(Math.abs(minutes) % 60).padStart(2, "0")}`;
}

/**
 * Returns the periods of a zone, oldest first, at least up to `to` in Unix seconds; adjacent periods have different offsets. Throws a
 * RangeError for an unknown zone.
 */
export function zonePeriods(zone: string, to = Infinity): readonly Period[] {
  return periodsTo(zone, to);
}

const unpacked = new Map<string, readonly Period[]>();

/** Returns the periods at least up to `seconds`, of either clock. Periods after 2060 are unpacked on first use. */
function periodsTo(zone: string, seconds: number): readonly Period[] {
  const needed = seconds + daySeconds; // a wall clock differs from Unix time by less than a day
  const known = unpacked.get(zone);
  if (known !== undefined && (known.at(-1) ?? always).until >= needed) return known;
  const record = records.get(zone);
  if (!record) throw new RangeError(`Unknown time zone: ${zone}`);
  const periods = unpack(record, needed < soon ? soon : Infinity);
  unpacked.set(zone, periods);
  return periods;
}

const soon = Date.UTC(2060, 0, 1) / 1000;
const cycleSeconds = 146_097 * daySeconds;
const dataEnd = Date.UTC(2499, 0, 1) / 1000;

// The data ends with 2499. The Gregorian calendar repeats every 400 years, weekdays included, and so do the rules for
// summer time: a later year maps to the same year of the cycle 2099 to 2498. (Irregular years, those of Asia/Gaza, end in 2086.)
function beyondData(seconds: number): number {
  return seconds < dataEnd ? 0 : (Math.floor((seconds - dataEnd) / cycleSeconds) + 1) * cycleSeconds;
}

function periodAt(periods: readonly Period[], end: "until" | "wallUntil", seconds: number): Period {
  let low = 0;
  let high = periods.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (seconds < (periods[middle] ?? always)[end]) high = middle;
    else low = middle + 1;
  }
  return periods[low] ?? always;
}

const always: Period = { offset: 0, until: Infinity, wallUntil: Infinity };

/**
 * Unpacks the record of a zone: "name|abbreviations|offsets, west positive|one digit per period: index of its offset|
 * lengths of the periods|population". Stops after the first period that ends after `to`, in Unix seconds.
 */
function unpack(record: string, to: number): readonly Period[] {
  const [, , offsetList = "", indices = "", lengths = ""] = record.split("|");
  const offsets = offsetList.split(" ").map((text) => 0 - seconds60(text));
  const periods: Period[] = [];
  let [until, position, isComplete] = [0, 0, false];
  for (let i = 0; i < indices.length && !isComplete; i++) {
    const offset = offsets[digitAt(indices, i)] ?? NaN;
    const next = offsets[digitAt(indices, Math.min(i + 1, indices.length - 1))] ?? NaN;
    const separator = lengths.indexOf(" ", position);
    const length = lengths.slice(position, separator === -1 ? undefined : separator);
    position = separator === -1 ? lengths.length : separator + 1;
    until += length === "" ? Infinity : seconds60(length);
    // Only the abbreviation changes: merge with the next period.
    if (offset === next && until < Infinity) continue;
    // Times in a gap, and both occurrences of a repeated hour, belong to this period: it ends at the later of both clocks.
    periods.push({ offset, until, wallUntil: until + Math.max(offset, next) });
    isComplete = until > to;
  }
  return periods;
}

// Parses minutes in base 60, such as "-4U.2"; the digit after the point counts seconds. Avoids splitting strings, since the
// list of time zones parses every zone.
function seconds60(text: string): number {
  const isNegative = text.startsWith("-");
  let size = 0;
  let index = isNegative ? 1 : 0;
  for (; index < text.length && text.charAt(index) !== "."; index++) size = size * 60 + digitAt(text, index);
  size = size * 60 + (index < text.length ? digitAt(text, index + 1) : 0);
  return isNegative ? -size : size;
}

/** Returns the value of a digit: 0-9, a-z, A-X. */
function digitAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= lowerA) return code - lowerA + 10;
  return code >= upperA ? code - upperA + 36 : code - zero;
}

const [zero, upperA, lowerA] = [48, 65, 97];

const mostErrors = 2;

/** Returns the listed zone that an unknown name probably means: in another case, misspelled, or the city alone. */
export function similarZone(name: string): string | undefined {
  const typed = name.toLowerCase();
  const found = listedZones().map((zone) => {
    const [whole, city] = [zone.toLowerCase(), zone.slice(zone.lastIndexOf("/") + 1).toLowerCase()];
    return { zone, errors: city === typed ? 0 : leven(typed, whole, { maxDistance: mostErrors + 1 }) };
  });
  return found.filter(({ errors }) => errors <= mostErrors).toSorted((a, b) => a.errors - b.errors)[0]?.zone;
}
