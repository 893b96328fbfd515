import type { EventRow } from "../db/rows.js";
import { monthIndex, parseStartDate, pastYear9999 } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";

/** When an event takes place, as it is stored. */
export type EventDates = Pick<EventRow, "start_local" | "end_local" | "start_month" | "start_at" | "end_at">;

const defaultLengthSeconds = 3600;

/** A wall clock in seconds, and its instant where that is known: one that occurs twice stands for two. */
export interface WallClock {
  readonly local: number;
  readonly at?: number;
}

/** The times of an event from the texts of a request, whose form is already checked (contract 4.6, rulings R4.2, R4.3). */
export function eventDates(
  { start_date, end_date }: { readonly start_date: string; readonly end_date?: string | undefined },
  zone: string,
  allDay: boolean,
): EventDates | "end_before_start" | "end_too_late" {
  const end = end_date === undefined ? undefined : wallClock(end_date);
  return datesBetween({ start: wallClock(start_date), end }, zone, allDay);
}

/**
 * The times of an event from its start and its end; without an end it lasts an hour.
 * "end_before_start" when it ends before it starts; "end_too_late" when the default end passes the year 9999.
 */
export function datesBetween(
  { start, end }: { readonly start: WallClock; readonly end: WallClock | undefined },
  zone: string,
  allDay: boolean,
): EventDates | "end_before_start" | "end_too_late" {
  const instantOf = ({ local, at }: WallClock): number => at ?? toUnix(local, zone);
  const start_at = instantOf(start);
  const end_at = end === undefined ? start_at + defaultLengthSeconds : instantOf(end);
  if (end_at < start_at) return "end_before_start";
  const endShown = toLocal(end_at, zone);
  if (endShown >= pastYear9999) return "end_too_late";
  // A timed event shows what the wall clock shows at that instant; an all-day event shows what was given (rulings R4.4).
  const start_local = allDay ? start.local : toLocal(start_at, zone);
  const end_local = allDay && end !== undefined ? end.local : endShown;
  return { start_local, end_local, start_month: monthIndex(start_local), start_at, end_at };
}

/** The start of an event and its length on the wall clock, in seconds. */
export interface WallTimes {
  readonly start: number;
  readonly length: number;
  readonly allDay: boolean;
  readonly timezone: string;
}

/**
 * The times of an event that a copy, a move or a rule puts at a start. A start that the clock skips is later by the gap, and so is the end:
 * the length stays (rulings R4.3). An all-day event shows the dates that it is given.
 */
export function datesOf({ start, length, allDay, timezone }: WallTimes): EventDates {
  const start_at = toUnix(start, timezone);
  const startShown = toLocal(start_at, timezone);
  const end_at = allDay
    ? Math.max(start_at, toUnix(start + length, timezone))
    : toUnix(startShown + length, timezone);
  const start_local = allDay ? start : startShown;
  const end_local = allDay ? start + length : toLocal(end_at, timezone);
  return { start_local, end_local, start_month: monthIndex(start_local), start_at, end_at };
}

/**
 * The length of an event on the wall clock, in seconds. One that ends at the second of two equal times may be shown as ending before it
 * starts, or with it: its length is then how long it takes.
 */
export function lengthOf({ start_local, end_local, start_at, end_at }: EventDates): number {
  return end_local > start_local ? end_local - start_local : end_at - start_at;
}

/**
 * Returns the local time whose date is the last day of an all-day event. The end of one that was given none is an hour after its
 * start, which is the same day also when it passes midnight.
 */
export function lastLocal({ start_local, end_local }: Pick<EventDates, "start_local" | "end_local">): number {
  return end_local - start_local <= defaultLengthSeconds ? start_local : end_local;
}

function wallClock(text: string): WallClock {
  return { local: localOf(text) };
}

/** The wall clock, in seconds, of a text whose form is already checked. */
export function localOf(text: string): number {
  const local = parseStartDate(text);
  if (local === undefined) throw new RangeError("the date was not checked");
  return local;
}
