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
