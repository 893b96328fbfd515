import { parseRule, type Rule, type Until } from "../events/recurrence-rule.js";
import {
  addZone,
  isZone,
  listedZones,
  type Period,
  populationOf,
  removeZone,
  zonePeriods,
} from "../time/zones.js";
import { type ContentLine, valueOf } from "./lines.js";

// Zones that a file defines itself (RFC 5545 3.6.5), under names that only it knows.

/** STANDARD or DAYLIGHT of a VTIMEZONE: its lines by the names of their properties. */
export type Observance = ReadonlyMap<string, readonly ContentLine[]>;

/** A VTIMEZONE. */
export interface ZoneDefinition {
  /** X-LIC-LOCATION; empty without one. */
  readonly location: string;
  readonly observances: readonly Observance[];
}

/** The first and the last year that a zone is needed for. */
export type Years = readonly [from: number, to: number];

const secondsOfDay = 86_400;

/** Later rules are not known: governments decide them a few years ahead at most. */
const lastYear = 2059;

/** Yields the wall clocks of a rule from a start on, in order, for a limited time. */
type WalkRule = (rule: Rule, start: number) => Iterable<number>;

/** Finds the zones of a file. Close it when the file was read: from then on its own zones are not known any more. */
export class DefinedZones {
  /** By definition, since two calendars of a file may define one name differently. */
  private readonly found = new Map<ZoneDefinition, Map<string, string | undefined>>();
  private readonly added: string[] = [];
  private readonly walk: WalkRule;

  constructor(walk: WalkRule) {
    this.walk = walk;
  }

  /**
   * Returns an IANA zone whose offsets are those of the definition over these years; else a name under which time/zones.ts knows the
   * definition itself. Undefined when the definition is not understood. @param own the zone that is preferred
   */
  zoneOf(definition: ZoneDefinition, own: string, years: Years): string | undefined {
    const [from, to] = years.map((year) => Math.min(Math.max(year, 1900), lastYear));
    const key = `${from} ${to} ${own}`;
    const found = this.found.get(definition) ?? new Map<string, string | undefined>();
    this.found.set(definition, found);
    if (!found.has(key)) found.set(key, this.search(definition, own, [from ?? 0, to ?? 0]));
    return found.get(key);
  }

  close(): void {
    for (const name of this.added.splice(0)) removeZone(name);
  }

  private search({ observances }: ZoneDefinition, own: string, years: Years): string | undefined {
    const periods = periodsOf(observances, years, this.walk);
    if (periods === undefined) return undefined;
    const wanted = offsetsIn(periods, years);
    const agrees = (zone: string): boolean => offsetsIn(zonePeriods(zone, endOf(years)), years) === wanted;
    const found = [own, ...fixedZone(wanted)].find((zone) => isZone(zone) && agrees(zone));
    zonesByPopulation ??= listedZones().toSorted((one, other) => populationOf(other) - populationOf(one));
    const zone = found ?? zonesByPopulation.find(agrees);
    return zone ?? this.add(periods);
  }

  private add(periods: readonly Period[]): string {
    const name = `${ownPrefix}${++additions}`;
    addZone(name, periods);
    this.added.push(name);
    return name;
  }
}

const ownPrefix = "VTIMEZONE ";
let additions = 0;

/** Reports whether a zone is that of a file: events are not stored with it. */
export function isOfFile(zone: string): boolean {
  return zone.startsWith(ownPrefix);
}

let zonesByPopulation: readonly string[] | undefined;

/** The zone of an offset of whole hours that never changes: no city is meant. */
function fixedZone(offsets: string): readonly string[] {
  const hours = Number(offsets) / 3600;
  if (!Number.isInteger(hours)) return [];
  return [hours === 0 ? "Etc/UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`]; // POSIX counts westwards
}

function endOf([, to]: Years): number {
  return Date.UTC(to + 1, 0, 1) / 1000 + secondsOfDay;
}

/** The offset with which the years begin, and each change with its instant, as one text. */
function offsetsIn(periods: readonly Period[], years: Years): string {
  const [start, end] = [Date.UTC(years[0], 0, 1) / 1000 - secondsOfDay, endOf(years)];
  const texts: string[] = [];
  for (const [index, { offset, until }] of periods.entries()) {
    if (until <= start) continue;
    if (texts.length === 0) texts.push(String(offset));
    if (until >= end) break;
    texts.push(`${until} ${periods[index + 1]?.offset ?? offset}`);
  }
  return texts.join(",");
}

/** A change of the offset, in Unix seconds; offsets are in seconds, east positive. */
interface Change {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

function periodsOf(observances: readonly Observance[], years: Years, walk: WalkRule) {
  const changes: Change[] = [];
  for (const observance of observances) {
    const found = changesOf(observance, years, walk);
    if (found === undefined) return undefined;
    changes.push(...found);
  }
  const [first] = changes.sort((one, other) => one.at - other.at);
  if (first === undefined) return undefined;
  const periods: Period[] = [];
  let offset = first.from;
  for (const { at, to } of changes) {
    if (to === offset) continue;
    periods.push({ offset, until: at, wallUntil: at + Math.max(offset, to) });
    offset = to;
  }
  return [...periods, { offset, until: Infinity, wallUntil: Infinity }];
}

/** The changes of an observance up to the end of the years; undefined when it is not understood. */
function changesOf(observance: Observance, years: Years, walk: WalkRule): readonly Change[] | undefined {
  const text = (name: string): string => valueOf(observance.get(name)?.[0] ?? nothing)?.trim() ?? "";
  const [from, to] = [offsetOf(text("TZOFFSETFROM")), offsetOf(text("TZOFFSETTO"))];
  const start = wallClockOf(text("DTSTART"));
  if (from === undefined || to === undefined || start === undefined) return undefined;
  const rule = text("RRULE");
  const byRule = rule === "" ? [start] : onsets(rule, { start, from, years, walk });
  if (byRule === undefined) return undefined;
  const dates = (observance.get("RDATE") ?? []).flatMap((line) => (valueOf(line) ?? "").split(","));
  const byDate = dates.flatMap((date) => wallClockOf(date.trim()) ?? []);
  return [...byRule, ...byDate].map((local) => ({ at: local - from, from, to }));
}

const nothing: ContentLine = { name: "", rest: "", isCut: false };

/** Most changes by one rule: more than two a year over all years. */
const mostOnsets = 1_000;

interface OnsetOptions {
  readonly start: number;
  readonly from: number;
  readonly years: Years;
  readonly walk: WalkRule;
}

/** The wall clocks at which an observance begins, before each of them; undefined when its rule is not understood. */
function onsets(text: string, { start, from, years, walk }: OnsetOptions): readonly number[] | undefined {
  const rule = parseRule(text, { allDay: false, lenient: true });
  if (typeof rule === "string") return undefined;
  // Files of Windows begin in 1601.
  const date = new Date(start * 1000);
  const isYearly = rule.freq === "YEARLY" && rule.interval === 1 && rule.count === undefined;
  // Of a rule that has ended, the last change is still in force.
  const firstYear = Math.min(years[0], lastYearOf(rule.until)) - 2;
  const skips = isYearly && date.getUTCFullYear() < firstYear;
  const begin = skips ? date.setUTCFullYear(firstYear) / 1000 : start;
  const found = skips ? [] : [start];
  for (const local of walk(rule, begin)) {
    if (local > endOf(years) || isPast(local, rule.until, from) || found.length === rule.count) break;
    if (found.length >= mostOnsets) return undefined;
    if (local !== start) found.push(local);
  }
  return found;
}

function lastYearOf(until: Until | undefined): number {
  if (until === undefined) return Infinity;
  return new Date(("unix" in until ? until.unix : until.local) * 1000).getUTCFullYear();
}

function isPast(local: number, until: Until | undefined, offset: number): boolean {
  if (until === undefined) return false;
  return "unix" in until ? local - offset > until.unix : local > until.local;
}

/** "+0100" or "-013000" in seconds. */
function offsetOf(text: string): number | undefined {
  const [, sign, hours, minutes, seconds] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(text) ?? [];
  if (sign === undefined || Number(hours) > 23) return undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0));
}

function wallClockOf(text: string): number | undefined {
  const form = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/;
  const [, ...parts] = form.exec(text) ?? [];
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return new Date(0).setUTCFullYear(year, month - 1, day) / 1000 + hour * 3600 + minute * 60 + second;
}
