import { createHash } from "node:crypto";
import { maxLengths } from "@kalends/spec";
import type { EventStatus } from "../db/rows.js";
import { lastLocal } from "../events/dates.js";
import { canonicalRule } from "../events/recurrence-rule.js";
import { dayIndex } from "../time/formats.js";
import { isZone } from "../time/zones.js";
import { type ContentLine, unescaped, valueOf } from "./lines.js";
import {
  type AddedDate,
  addedDatesOf,
  durationOf,
  EventPrivate,
  EventSkipped,
  instantOf,
  dayOf,
  momentOf,
  type Moment,
  type Times,
  type WallClocks,
  momentsOf,
  parsed,
} from "./moments.js";
import {
  categoriesOf,
  cut,
  firstLine,
  firstValue,
  type Fitted,
  htmlText,
  isHtml,
  linesText,
  lineText,
  mostReminderMinutes,
  ownClocks,
  ownColor,
  linkOf,
  ownData,
  ownPicture,
  ownReminder,
} from "./texts.js";
import { type OwnSeries, readOwnSeries } from "./own-series.js";
import type { RawEvent } from "./reader.js";
import { isOfFile, type Years } from "./zone-definitions.js";
import type { Zones } from "./foreign-zones.js";

/** What an event of a file says, except when it takes place. Undefined: the file does not say it. */
export interface Texts {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly organizer: string;
  readonly organizer_email: string;
  readonly status: EventStatus;
  readonly reminder: string | undefined;
  readonly color_id: string | undefined;
  /** With commas between them. */
  readonly categories: string | undefined;
  /** As it is stored. */
  readonly custom_data: string | undefined;
  readonly url: string | undefined;
  /** Both or none: only an account's own export says which picture it is. */
  readonly picture_id: string | undefined;
  readonly picture_alt: string | undefined;
}

/** How an event repeats. */
export interface Repetition {
  readonly rule: string | undefined;
  /** Whether the file writes the rule otherwise. */
  readonly isRewritten: boolean;
  readonly rdates: readonly AddedDate[];
  readonly exdates: readonly Moment[];
}

/** Which state of an event a file has, as far as it says. */
export interface Revision {
  /** LAST-MODIFIED, as it is written: instants in UTC are in the order of their texts. */
  readonly modified: string | undefined;
  readonly sequence: number | undefined;
}

export interface ReadEvent {
  readonly uid: string;
  /** The time of the series that it replaces; undefined for an event of its own. */
  readonly recurrence: Moment | undefined;
  /** Whether it replaces the times after that one too (RFC 5545 3.8.4.4). */
  readonly isForFollowing: boolean;
  readonly texts: Texts;
  readonly times: Times;
  readonly repetition: Repetition | undefined;
  readonly own: OwnSeries | undefined;
  readonly revision: Revision;
  /** Whether its CLASS says that it is not for the public (RFC 5545 3.8.1.3); undefined without one. */
  readonly isPrivate: boolean | undefined;
  readonly notes: readonly string[];
}

/** What the events of a calendar of a file depend on. */
export interface EventContext extends Omit<Zones, "years"> {
  /** Up to which series are followed. */
  readonly lastYear: number;
  /** Whether its texts are never HTML. */
  readonly isOwn: boolean;
  readonly takesPrivate: boolean;
}

/** An event that cannot be imported, or so many dates of a series (one where it does not say), and why. */
export interface Skipped {
  readonly uid: string;
  readonly title: string;
  readonly reason: string;
  readonly dates?: number;
  /** Whether its CLASS is the reason. */
  readonly isPrivate?: boolean;
  /** Whether it is a changed date of a series. */
  readonly isDate?: boolean;
}

export function readEvent(
  raw: RawEvent,
  { lastYear, isOwn, takesPrivate, ...ofFile }: EventContext,
): ReadEvent | Skipped {
  const zones: Zones = { ...ofFile, years: yearsOf(raw, lastYear) };
  const notes = [...raw.notes];
  const title = text(raw, "SUMMARY", lineText, notes);
  const uid = uidOf(raw, title, notes);
  try {
    if (uid.length > longestUid) throw new EventSkipped("its UID is too long");
    const line = firstLine(raw, "RECURRENCE-ID");
    const recurrence = line === undefined ? undefined : momentOf(line, zones);
    const range = line === undefined ? undefined : parsed(line).parameters.range;
    const isForFollowing = range?.toUpperCase() === "THISANDFUTURE";
    if (range !== undefined && !isForFollowing)
      notes.push("RANGE of RECURRENCE-ID is not THISANDFUTURE: one date is changed");
    const times = timesOf(raw, zones, notes);
    if (title === "") notes.push("it has no title");
    const texts = { ...textsOf(raw, isOwn, notes), title: title || untitled };
    const own = firstLine(raw, "X-KALENDS-SERIES");
    return {
      uid,
      recurrence,
      isForFollowing,
      texts,
      times,
      repetition: repetitionOf(raw, zones, times.zone, notes),
      own: own && readOwnSeries(unescaped(own)),
      revision: revisionOf(raw),
      isPrivate: isPrivate(raw),
      notes,
    };
  } catch (error) {
    if (!(error instanceof EventSkipped)) throw error;
    const isHidden = !takesPrivate && isPrivate(raw) === true;
    const { message: reason } = isHidden ? new EventPrivate() : error;
    const isDate = raw.lines.has("RECURRENCE-ID");
    return { uid: uid.slice(0, longestUid), title, reason, isPrivate: isHidden, isDate };
  }
}

function revisionOf(raw: RawEvent): Revision {
  const modified = firstValue(raw, "LAST-MODIFIED");
  const sequence = firstValue(raw, "SEQUENCE");
  return {
    modified: modified !== undefined && /^\d{8}T\d{6}Z$/.test(modified) ? modified : undefined,
    sequence: sequence !== undefined && /^\d{1,10}$/.test(sequence) ? Number(sequence) : undefined,
  };
}

/**
 * Whether the second of two states of an event is at least as new as the first. The time comes before SEQUENCE: a file that has both may
 * have each from another program, with a count of its own.
 */
export function isNewer(second: Revision, first: Revision): boolean {
  if (second.modified !== undefined && first.modified !== undefined && second.modified !== first.modified)
    return second.modified > first.modified;
  return (second.sequence ?? 0) >= (first.sequence ?? 0);
}

/** The years of all times of an event. */
function yearsOf(raw: RawEvent, lastYear: number): Years {
  const named = ["DTSTART", "DTEND", "RECURRENCE-ID"].flatMap((name) => {
    const [year] = /^\d{4}/.exec(firstValue(raw, name) ?? "") ?? [];
    return year === undefined ? [] : [Number(year)];
  });
  const repeats = raw.lines.has("RRULE") || raw.lines.has("RDATE");
  const years = repeats || named.length === 0 ? [...named, lastYear] : named;
  return [Math.min(...years), Math.max(...years)];
}

const untitled = "Untitled event";
const longestUid = 1_024;

/** A file that gives an event no UID gives it the same one again when its start and title are the same. */
function uidOf(raw: RawEvent, title: string, notes: string[]): string {
  const line = firstLine(raw, "UID");
  const uid = line === undefined ? "" : lineTextOf(line).trim();
  if (uid !== "") return uid;
  notes.push("it has no UID: it is known by its start and title");
  const start = firstLine(raw, "DTSTART")?.rest ?? "";
  return `kalends-${createHash("sha256").update(`${start}\n${title}`).digest("hex").slice(0, 32)}`;
}

function lineTextOf(line: ContentLine): string {
  return unescaped(line)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "");
}

function text(raw: RawEvent, name: string, fit: (text: string) => Fitted, notes: string[]): string {
  const line = firstLine(raw, name);
  if (line === undefined) return "";
  const { text: fitted, isCut } = fit(unescaped(line));
  if (isCut || line.isCut) notes.push(`${name} is too long: its end is left out`);
  return fitted;
}

function textsOf(raw: RawEvent, isOwn: boolean, notes: string[]): Omit<Texts, "title"> {
  const status = statusOf(firstValue(raw, "STATUS"));
  return {
    description: isOwn ? text(raw, "DESCRIPTION", linesText, notes) : descriptionOf(raw, notes),
    location: text(raw, "LOCATION", lineText, notes),
    ...organizerOf(raw, notes),
    status,
    // Feeds have no alarm for a cancelled event, so its alarms say nothing of the reminder; an export says it by itself.
    reminder: status === "cancelled" ? ownReminder(raw) : reminderOf(raw.triggers),
    color_id: ownColor(raw),
    categories: categoriesOf(raw.lines.get("CATEGORIES") ?? [], notes),
    custom_data: ownData(raw, notes),
    url: linkOf(firstValue(raw, "URL")),
    ...ownPicture(raw),
  };
}

/** Google writes HTML; Outlook writes it beside the text, which may be empty. */
function descriptionOf(raw: RawEvent, notes: string[]): string {
  const plain = text(raw, "DESCRIPTION", (each) => linesText(isHtml(each) ? htmlText(each) : each), notes);
  return plain === "" ? text(raw, "X-ALT-DESC", (html) => linesText(htmlText(html)), notes) : plain;
}

/** Names of one's own are to be taken as PRIVATE. */
function isPrivate(raw: RawEvent): boolean | undefined {
  const value = firstValue(raw, "CLASS")?.toUpperCase() ?? "";
  return value === "" ? undefined : value !== "PUBLIC";
}

function statusOf(value = ""): EventStatus {
  const status = value.toLowerCase();
  return status === "cancelled" || status === "tentative" ? status : "confirmed";
}

/** ORGANIZER has an address and perhaps a name; CONTACT is a text. */
function organizerOf(raw: RawEvent, notes: string[]): Pick<Texts, "organizer" | "organizer_email"> {
  const line = firstLine(raw, "ORGANIZER");
  if (line === undefined) return { organizer: text(raw, "CONTACT", lineText, notes), organizer_email: "" };
  // Parameters have no escapes (RFC 5545 3.1), but the parser reads them; a comma or a semicolon is one in practice.
  const { parameters, values } = parsed({ ...line, rest: line.rest.replaceAll(/\\(?![,;])/g, "\\\\") });
  const { text: organizer, isCut } = lineText((parameters.cn ?? "").replace(/\\ $/, "\\")); // a feed adds that blank
  if (isCut) notes.push("the name of ORGANIZER is too long: its end is left out");
  const address = decoded((values[0] ?? "").replace(/^mailto:/i, ""));
  if (addressForm.test(address) && !cut(address, maxLengths.email).isCut)
    return { organizer, organizer_email: address };
  return { organizer: organizer || text(raw, "CONTACT", lineText, notes), organizer_email: "" };
}

const addressForm = /^[^\s@<>()[\]\\,;:"\p{Cc}]+@[^\s@<>()[\]\\,;:"\p{Cc}]+$/u;

function decoded(address: string): string {
  try {
    return decodeURIComponent(address).trim();
  } catch {
    return address.trim();
  }
}

/** Minutes before the start, of the first alarm that is so many minutes before it; "" when there is none. */
function reminderOf(triggers: readonly ContentLine[]): string {
  for (const line of triggers) {
    if (/RELATED=END/i.test(line.rest)) continue;
    const trigger = durationOf(valueOf(line) ?? "");
    if (trigger === undefined) continue;
    const { isNegative, days, seconds } = trigger;
    const minutes = Math.floor((days * 86_400 + seconds) / 60);
    if ((isNegative || minutes === 0) && minutes <= mostReminderMinutes) return String(minutes);
  }
  return "";
}

function timesOf(raw: RawEvent, zones: Zones, notes: string[]): Times {
  const line = firstLine(raw, "DTSTART");
  if (line === undefined) throw new EventSkipped("it has no DTSTART");
  const start = momentOf(line, zones);
  const own = firstValue(raw, "X-KALENDS-TIMEZONE");
  const named = own !== undefined && isZone(own) ? own : undefined;
  const written = start.kind === "zoned" && !isOfFile(start.zone) ? start.zone : undefined;
  const zone = named ?? written ?? zones.own;
  const namesZone = named !== undefined || (written !== undefined && "tzid" in parsed(line).parameters);
  const isAllDay = start.kind === "day";
  const none = { days: isAllDay ? 1 : 0, seconds: 0 };
  const given = guarded("its end", notes, () => lengthOf(raw, zones, { start, zone, notes }));
  const length = given ?? none;
  return { start, isAllDay, zone, namesZone, length, clocks: clocksOf(raw, start, length.days) };
}

/** Only where they are of the days that the file says: another program may have moved the event. */
function clocksOf(raw: RawEvent, start: Moment, days: number): WallClocks | undefined {
  if (start.kind !== "day") return undefined;
  const clocks = ownClocks(raw);
  if (clocks === undefined) return undefined;
  const last = lastLocal({ start_local: clocks.start, end_local: clocks.end });
  const isOfDays =
    dayIndex(clocks.start) === dayIndex(start.local) && dayIndex(last) === dayIndex(start.local) + days - 1;
  return isOfDays ? clocks : undefined;
}

/** Returns what a step reads; undefined, with a note, when it cannot be read. */
function guarded<T>(what: string, notes: string[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof EventSkipped)) throw error;
    notes.push(`${what} is left out: ${error.message}`);
    return undefined;
  }
}

interface Start {
  readonly start: Moment;
  readonly zone: string;
  readonly notes: string[];
}

/** Returns the length of an event; undefined without an end, when it is a day, or nothing (RFC 5545 3.6.1). @throws EventSkipped */
function lengthOf(raw: RawEvent, zones: Zones, { start, zone, notes }: Start): Times["length"] | undefined {
  const isAllDay = start.kind === "day";
  const end = firstLine(raw, "DTEND");
  const written = firstValue(raw, "DURATION");
  if (end !== undefined) {
    const moment = momentOf(end, zones);
    if ((moment.kind === "day") !== isAllDay)
      notes.push("of DTSTART and DTEND one is a day and the other a time: DTEND is read as DTSTART is");
    const seconds = isAllDay
      ? lastDayOf(moment, zone) - start.local
      : instantOf(moment, zone) - instantOf(start, zone);
    if (seconds < 0) throw new EventSkipped("it is before the start");
    return isAllDay ? { days: Math.max(1, seconds / 86_400), seconds: 0 } : { days: 0, seconds }; // some apps repeat the day
  }
  if (written === undefined) return undefined;
  const duration = durationOf(written);
  if (duration === undefined) throw new EventSkipped("DURATION is not a duration");
  if (duration.isNegative) throw new EventSkipped("it is before the start");
  if (!isAllDay) return duration;
  return { days: Math.max(1, duration.days + Math.ceil(duration.seconds / 86_400)), seconds: 0 };
}

/** Returns the day that ends whole days, of a time the one that it is at the begin of, or within. */
function lastDayOf(moment: Moment, zone: string): number {
  const day = dayOf(moment, zone);
  return moment.kind === "zoned" && moment.local > day ? day + 86_400 : day;
}

function repetitionOf(raw: RawEvent, zones: Zones, zone: string, notes: string[]): Repetition | undefined {
  const written = firstValue(raw, "RRULE");
  const dates = <T>(name: string, read: (line: ContentLine) => readonly T[]): readonly T[] =>
    (raw.lines.get(name) ?? []).flatMap((line) => guarded(name, notes, () => read(line)) ?? []);
  const rdates = dates("RDATE", (line) => addedDatesOf(line, zones, zone));
  const exdates = dates("EXDATE", (line) => momentsOf(line, zones));
  if (written === undefined && rdates.length === 0) return undefined;
  if (rdates.some(({ length }) => length !== undefined && length.seconds < 0))
    notes.push("a period of RDATE has no end after its start: it has the length of the event");
  const rule = written === undefined ? undefined : canonicalRule(written);
  return { rule, isRewritten: rule !== written?.toUpperCase(), rdates, exdates };
}
