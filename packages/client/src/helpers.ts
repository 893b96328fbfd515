/** A date and a time of day on a wall clock, without a time zone. */
export interface WallClock {
  /** Year, 1900 to 9999. */
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  /** Day of the month, from 1. */
  readonly day: number;
  /** Hour, 0 to 23; 0 when not given. */
  readonly hour?: number | undefined;
  /** Minute, 0 to 59; 0 when not given. */
  readonly minute?: number | undefined;
}

/**
 * Writes `start_date` or `end_date` of an event: `MM/DD/YYYY HH:MM` on a 24-hour clock (contract 4.6). Seconds are cut.
 *
 * - `formatStartDate({ year: 2026, month: 7, day: 4, hour: 13, minute: 30 })` is `07/04/2026 13:30`.
 * - `formatStartDate(date, "Europe/Paris")` is what a clock in Paris shows at that instant, by the time zone data of the
 *   platform. Send the same label as the `timezone` of the event.
 *
 * @throws RangeError when there is no such date or time zone, or the year is outside 1900 to 9999 (rulings R4.2).
 */
export function formatStartDate(parts: WallClock): string;
export function formatStartDate(date: Date, timezone: string): string;
export function formatStartDate(when: WallClock | Date, timeZone?: string): string {
  let text = "";
  if (when instanceof Date) text = when.toLocaleString("sv-SE", { timeZone }); // in Swedish: 2026-07-04 13:30:00
  else {
    const { year, month, day, hour = 0, minute = 0 } = when;
    const iso = new Date(Date.UTC(year, month - 1, day, hour, minute)).toISOString();
    // 02/30 would be 03/02.
    if (iso.split(/\D/, 5).map(Number).join() === [year, month, day, hour, minute].join()) text = iso;
  }
  const written = text.replace(/^((?:19|[2-9]\d)\d\d)-(..)-(..).(..:..).*/, "$2/$3/$1 $4");
  if (written === text) throw new RangeError("no such date from 1900 to 9999");
  return written;
}

/**
 * Whether a flag of the API is set: `all_day_event`, `active` and `blocked` are the strings `true` and `false`.
 * `1` is `true` as well, in any case of letters (rulings R4.4).
 */
export function isTrue(flag: string): boolean {
  return /^(1|true)$/i.test(flag);
}

/** The Date of a Unix time in seconds: `date_start_unix`, `date_create`, `unixtime_stamp` and their like. */
export function toDate(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000);
}
