import { formatStartDate } from "./helpers.js";

/** When an event takes place: instants, and the time zone whose wall clock shows them. */
export interface EventTimes {
  /** The start, to the minute: seconds are cut. */
  readonly start: Date;
  /** The end; an hour after the start when not given (contract 4.6). */
  readonly end?: Date | undefined;
  /** Label of the time zone, such as `Europe/Paris`. */
  readonly zone: string;
}

/** Times of an event as parameters of create and save. */
export interface EventTimeFields {
  readonly start_date: string;
  readonly end_date?: string;
  readonly timezone: string;
}

/**
 * Returns the parameters of create and save for instants:
 * `events.create({ calendar_id, title, ...eventTimes({ start, zone: "Europe/Paris" }) })`. By the time zone data of the
 * platform.
 *
 * @throws RangeError when there is no such date or time zone, when the year is outside 1900 to 9999 (rulings R4.2), and when
 * the clock was put back and shows this time again: the API takes such a time for the first of the two (rulings R4.3).
 */
export function eventTimes({ start, end, zone }: EventTimes): EventTimeFields {
  const start_date = unambiguous(start, zone);
  return { start_date, ...(end && { end_date: unambiguous(end, zone) }), timezone: zone };
}

function unambiguous(date: Date, zone: string): string {
  const text = formatStartDate(date, zone);
  requireFirst(date, zone, text);
  return text;
}

/** @throws RangeError when the clock of the zone was put back, and shows the time of `text` again at this instant. */
export function requireFirst(date: Date, zone: string, text: string): void {
  const dayMs = 86_400_000;
  const dayBefore = new Date(date.getTime() - dayMs);
  // How far the clock was put back since the day before: it may have shown the same time that long ago.
  const backMs = wallClockMs(dayBefore, zone) + dayMs - wallClockMs(date, zone);
  if (backMs > 0 && formatStartDate(new Date(date.getTime() - backMs), zone) === text)
    throw new RangeError(
      `${text} exists twice in ${zone}, and the API takes the first: use the zone Etc/UTC`,
    );
}

/** Returns the wall clock in milliseconds, as if it were UTC. */
function wallClockMs(date: Date, timeZone: string): number {
  return Date.parse(`${date.toLocaleString("sv-SE", { timeZone }).replace(" ", "T")}Z`);
}
