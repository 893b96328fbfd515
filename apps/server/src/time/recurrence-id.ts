/** Formats a wall clock or an instant, in seconds, as iCalendar does. */
export function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.000/g, "");
}

/** Formats the day of a wall clock in seconds, as iCalendar does. */
export function dayText(seconds: number): string {
  return dateText(seconds).slice(0, "YYYYMMDD".length);
}
