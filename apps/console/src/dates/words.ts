// Dates in words, in the reader's language. Each text is of a wall clock, so all are printed as of UTC.

import type { Day, Month } from "./days.js";

/** When an event is, on the wall clock of its calendar. */
export interface When {
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
  formats.set(key, known);
  return known;
}

const asDate = (wall: string): Date => new Date(wall.length === 10 ? `${wall}T00:00Z` : `${wall}Z`);

const full = { weekday: "long", day: "numeric", month: "long", year: "numeric" } as const;
const short = { weekday: "short", day: "numeric", month: "short" } as const;
const clock = { hour: "numeric", minute: "2-digit" } as const;

/** "Friday, 5 March 2027". */
export function dayInWords(locale: string, day: Day): string {
  return format(locale, full).format(asDate(day));
}

/** "Fri, 5 Mar". */
export function shortDay(locale: string, day: Day): string {
  return format(locale, short).format(asDate(day));
}

/** "Fri 5 Mar 2027". */
export function shortDayOfYear(locale: string, day: Day): string {
  return format(locale, { ...short, year: "numeric" }).format(asDate(day));
}

/** "March 2027". */
export function monthInWords(locale: string, month: Month): string {
  return format(locale, { month: "long", year: "numeric" }).format(asDate(`${month}-01`));
}

/** "1 – 7 March 2027". */
export function daysInWords(locale: string, [from, to]: readonly [Day, Day]): string {
  const days = { day: "numeric", month: "long", year: "numeric" } as const;
  return format(locale, days).formatRange(asDate(from), asDate(to));
}

/** "19:00". */
export function clockInWords(locale: string, wall: string): string {
  return format(locale, clock).format(asDate(wall));
}

/** "7 PM", "19 Uhr". */
export function hourInWords(locale: string, wall: string): string {
  return format(locale, { hour: "numeric" }).format(asDate(wall));
}

/** Names of a weekday: "Mon" and "Monday". */
export function weekdayNames(locale: string, day: Day): { readonly short: string; readonly long: string } {
  return {
    short: format(locale, { weekday: "short" }).format(asDate(day)),
    long: format(locale, { weekday: "long" }).format(asDate(day)),
  };
}

/** "Friday, 5 March 2027, 19:00 – 20:00", or what is shorter of an event of whole days. */
export function whenInWords(locale: string, { start, end, allDay }: When): string {
  const options = allDay ? full : { ...full, ...clock };
  const printed = format(locale, options);
  return start === end ? printed.format(asDate(start)) : printed.formatRange(asDate(start), asDate(end));
}

/** The times of an event on one of its days: "19:00–20:00", "19:00" when it goes on over midnight, "– 2:00" when it ends. */
export function timesOn(locale: string, { start, end }: When, day: Day): string {
  const from = start.startsWith(day) ? clockInWords(locale, start) : "";
  const to = end.startsWith(day) ? clockInWords(locale, end) : "";
  if (from === to || to === "") return from;
  return (from === "" ? `– ${to}` : `${from}–${to}`).replaceAll(" ", "\u00a0"); // "PM" stays with its time
}

/** "5 Mar 2027, 19:00" of an instant, on the clock of this device. */
export function instantInWords(locale: string, instant: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(instant),
  );
}

/** The day of the week that weeks begin with where the reader is; 1 is Monday. */
export function firstWeekday(locale: string): number {
  const known: { getWeekInfo?: () => { firstDay: number }; weekInfo?: { firstDay: number } } = Object(
    new Intl.Locale(locale),
  );
  return known.getWeekInfo?.().firstDay ?? known.weekInfo?.firstDay ?? 1;
}

/** The place in the name of a zone: "Berlin" of "Europe/Berlin". */
export function zoneInWords(zone: string): string {
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}
