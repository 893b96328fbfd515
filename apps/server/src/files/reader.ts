import { isDeepStrictEqual } from "node:util";
import {
  type ContentLine,
  LineReader,
  valueOf,
  withDecodedValue,
  withoutEmptyZone,
  withQuotedZone,
} from "./lines.js";
import type { Observance, ZoneDefinition } from "./zone-definitions.js";
import type { Zones } from "./foreign-zones.js";

// A bounded reader before the parser (docs/decisions/0018-import.md): it splits a file into its events and keeps of each the
// lines that an event here is made of, so that the parser sees a few short lines, whatever the file holds.

/** Why a file cannot be imported at all. The text is for its owner. */
export class FileRefused extends Error {}

/** An event of a file, before it is understood. */
export interface RawEvent {
  /** The lines that are used, by the name of the property; of most properties one. */
  readonly lines: ReadonlyMap<string, readonly ContentLine[]>;
  /** TRIGGER of its first alarms. */
  readonly triggers: readonly ContentLine[];
  /** What of it is not read, for its owner. */
  readonly notes: readonly string[];
}

/** One of the calendars of a file. Most files have one, those that were put together have more (RFC 5545 3.4). */
export interface RawCalendar {
  /** X-WR-TIMEZONE; empty without one. */
  readonly timezone: string;
  /** Whether it is an export or a feed of Kalends, whose texts are no HTML. */
  readonly isOwn: boolean;
  /** VTIMEZONEs by their TZID: its own, else the first of the file. */
  readonly definitions: Zones["definitions"];
  readonly events: readonly RawEvent[];
}

/** A calendar file, split. */
export interface RawFile {
  readonly calendars: readonly RawCalendar[];
  /** Components that are no events, such as VTODO: how many of each. */
  readonly others: ReadonlyMap<string, number>;
  /** Whether it has text after the end of a calendar, such as the comment of a cache. */
  readonly hasTail: boolean;
}

/** Events and other components of a file; of calendars and of time zones there may be as many. */
export const mostComponents = 10_000;

const deepest = 16;
const mostAlarms = 8;
/** VTIMEZONEs of a file, STANDARD and DAYLIGHT of each, and the length of their lines in UTF-16 units. */
const [mostZones, mostObservances, longestOfZone] = [1_000, 200, 1_000];

const once =
  "UID RECURRENCE-ID CLASS DTSTART DTEND DURATION SUMMARY DESCRIPTION LOCATION STATUS ORGANIZER CONTACT URL RRULE X-ALT-DESC SEQUENCE LAST-MODIFIED";
const ours =
  "X-KALENDS-TIMEZONE X-KALENDS-COLOR-ID X-KALENDS-REMINDER X-KALENDS-START X-KALENDS-END X-KALENDS-CUSTOM-DATA X-KALENDS-SERIES X-KALENDS-PICTURE-ID X-KALENDS-PICTURE-ALT";

/** The properties that are used, and how many lines of each. */
const used: ReadonlyMap<string, number> = new Map([
  ...`${once} ${ours}`.split(" ").map((name) => [name, 1] as const),
  ["CATEGORIES", 20],
  ["RDATE", 1_000],
  ["EXDATE", 1_000],
]);

/** The properties that are times. */
const ofTimes: ReadonlySet<string> = new Set("DTSTART DTEND RECURRENCE-ID RDATE EXDATE".split(" "));

/** The properties that are not there when they have no value. */
const needValues: ReadonlySet<string> = new Set("DTEND DURATION RECURRENCE-ID RRULE RDATE EXDATE".split(" "));

/** What PRODID begins with where Kalends has written the file. */
const ownProduct = "-//Kalends//";

/** What bytes become that are no character in the encoding of the file. */
const damaged = "\uFFFD";

/** Most characters of dates of one event: some thousand dates. */
const mostDateLength = 65_536;

/** Reads a file. @throws FileRefused */
export function readFile(text: string): RawFile {
  const lines = new LineReader(text);
  const file = new FileReader();
  while (!lines.isAtEnd) {
    const line = lines.step();
    if (line !== undefined) file.take(line);
  }
  return file.end();
}

/** A calendar while it is read. */
class OpenCalendar {
  timezone = "";
  isOwn = false;
  readonly own = new Map<string, ZoneDefinition>();
  readonly events: RawEvent[] = [];
  readonly definitions: Zones["definitions"];

  constructor(ofFile: Zones["definitions"]) {
    this.definitions = { get: (tzid) => this.own.get(tzid) ?? ofFile.get(tzid) };
  }
}

/** A component that is open. */
interface Open {
  readonly name: string;
  /** Of a VTIMEZONE. */
  tzid: string;
  location: string;
  readonly observances: Observance[];
  /** Of a STANDARD or DAYLIGHT. */
  readonly lines: Map<string, ContentLine[]>;
}

class FileReader {
  private readonly open: Open[] = [];
  private readonly calendars: OpenCalendar[] = [];
  private readonly others = new Map<string, number>();
  private readonly definitions = new Map<string, ZoneDefinition>();
  private components = 0;
  private zones = 0;
  private hasTail = false;
  private event: EventLines | undefined;

  take(line: ContentLine): void {
    if (line.name === "BEGIN") this.begin(componentName(line));
    else if (line.name === "END") this.close(componentName(line));
    else this.property(line);
  }

  end(): RawFile {
    const last = this.open.at(-1);
    if (last !== undefined)
      throw new FileRefused(`The file ends within a ${last.name}: a part of it is missing`);
    const { calendars, others, hasTail } = this;
    if (calendars.length === 0) throw notCalendar();
    return { calendars, others, hasTail };
  }

  private begin(name: string): void {
    if (this.open.length === 0 && name !== "VCALENDAR") throw notCalendar();
    if (this.open.length >= deepest)
      throw new FileRefused("The file has components that are nested too deep");
    if (this.open.length === 0) {
      if (this.calendars.length >= mostComponents)
        throw new FileRefused(`The file has more than ${mostComponents} calendars`);
      this.calendars.push(new OpenCalendar(this.definitions));
    }
    if (this.open.length === 1 && name !== "VTIMEZONE") this.count(name);
    if (this.open.length === 1 && name === "VEVENT") this.event = new EventLines();
    if (this.open.length === 2 && name === "VALARM") this.event?.alarm();
    this.open.push({ name, tzid: "", location: "", observances: [], lines: new Map() });
  }

  private close(name: string): void {
    const closed = this.open.pop();
    if (closed?.name !== name)
      throw new FileRefused(`The file is damaged: END:${name} closes no component of this name`);
    const calendar = this.calendars.at(-1);
    if (name === "VTIMEZONE" && ++this.zones <= mostZones) {
      const first = this.definitions.get(closed.tzid) ?? closed;
      this.definitions.set(closed.tzid, first);
      // Calendars that were put together often repeat a definition: as one object, its zone is found once.
      calendar?.own.set(closed.tzid, isDeepStrictEqual(first, closed) ? first : closed);
    }
    const zone = this.open.at(-1);
    if (zone?.name === "VTIMEZONE" && zone.observances.length < mostObservances)
      zone.observances.push(closed.lines);
    if (this.open.length !== 1 || this.event === undefined) return;
    calendar?.events.push(this.event.end());
    this.event = undefined;
  }

  private property(line: ContentLine): void {
    const depth = this.open.length;
    const current = this.open[depth - 1];
    const calendar = this.calendars.at(-1);
    if (calendar === undefined) throw notCalendar();
    if (current === undefined) this.hasTail = true;
    else if (depth === 1 && line.name === "X-WR-TIMEZONE" && calendar.timezone === "")
      calendar.timezone = textOf(line);
    else if (depth === 1 && line.name === "PRODID") calendar.isOwn = textOf(line).startsWith(ownProduct);
    else if (depth === 2 && current.name === "VEVENT") this.event?.add(line);
    else if (depth === 2 && current.name === "VTIMEZONE") {
      if (line.name === "TZID") current.tzid = textOf(line);
      if (line.name === "X-LIC-LOCATION") current.location = textOf(line);
    } else if (depth === 3 && this.open[1]?.name === "VTIMEZONE") keepOf(current.lines, line);
    else if (depth === 3 && current.name === "VALARM" && line.name === "TRIGGER") this.event?.trigger(line);
  }

  private count(name: string): void {
    if (++this.components > mostComponents)
      throw new FileRefused(`The file has more than ${mostComponents} events`);
    if (name !== "VEVENT") this.others.set(name, (this.others.get(name) ?? 0) + 1);
  }
}

/** The lines of one event that are kept. */
class EventLines {
  private readonly lines = new Map<string, ContentLine[]>();
  private readonly triggers: ContentLine[] = [];
  private readonly notes = new Set<string>();
  private alarms = 0;
  private dateLength = 0;

  add(written: ContentLine): void {
    if (written.name === "EXRULE") this.notes.add("EXRULE is not supported: its dates are not left out");
    const most = used.get(written.name);
    if (most === undefined) return;
    const isTime = ofTimes.has(written.name);
    const named = isTime ? withoutEmptyZone(written) : written;
    const zoned = isTime ? withQuotedZone(named) : named;
    if (named !== written) this.notes.add("a TZID has no value: the time is read as one without a zone");
    if (zoned !== named) this.notes.add("a TZID has no quotes: it is read up to the time");
    const line = withDecodedValue(zoned);
    if (needValues.has(line.name) && (valueOf(line) ?? "").trim() === "") {
      this.notes.add(`${line.name} has no value`);
      return;
    }
    if (line.rest.includes(damaged))
      this.notes.add(`${line.name} has damaged characters, each of which is shown as ${damaged}`);
    const kept = this.lines.get(line.name) ?? [];
    if (most > 1) this.dateLength += line.rest.length;
    if (kept.length < most && this.dateLength <= mostDateLength) kept.push(line);
    else this.notes.add(`there is more than one ${line.name}, or too many: the first are used`);
    this.lines.set(line.name, kept);
  }

  alarm(): void {
    this.alarms++;
    if (this.alarms === 2) this.notes.add("of several alarms the first that fits is used");
  }

  trigger(line: ContentLine): void {
    if (this.alarms <= mostAlarms) this.triggers.push(line);
  }

  end(): RawEvent {
    return { lines: this.lines, triggers: this.triggers.slice(0, mostAlarms), notes: [...this.notes] };
  }
}

/** The properties of STANDARD and DAYLIGHT that are used, and how many lines of each. */
const ofZones: ReadonlyMap<string, number> = new Map([
  ["DTSTART", 1],
  ["TZOFFSETFROM", 1],
  ["TZOFFSETTO", 1],
  ["RRULE", 1],
  ["RDATE", 200],
]);

function keepOf(lines: Map<string, ContentLine[]>, line: ContentLine): void {
  const kept = lines.get(line.name) ?? [];
  if (line.isCut || line.rest.length > longestOfZone || kept.length >= (ofZones.get(line.name) ?? 0)) return;
  kept.push(line);
  lines.set(line.name, kept);
}

/** The names that others are given, as they are shown to people. */
function componentName(line: ContentLine): string {
  const name = (valueOf(line) ?? "").trim().toUpperCase();
  if (!/^[A-Z0-9-]{1,64}$/.test(name))
    throw new FileRefused("The file is damaged: a component has no proper name");
  return name;
}

/** A name as parameters have it, without the escapes of a TEXT; some programs write other backslashes as they are. */
function textOf(line: ContentLine): string {
  const text = (valueOf(line) ?? "").slice(0, 255).trim();
  return text.replaceAll(/\\([\\,;])/g, "$1");
}

function notCalendar(): FileRefused {
  return new FileRefused("The file is no iCalendar file: it does not begin with BEGIN:VCALENDAR");
}
