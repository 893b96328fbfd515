/** A wall clock or an instant, in seconds, in the form of iCalendar. */
export function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replaceAll(/[-:]|\.000/g, "");
}

/** A day, of its wall clock in seconds. */
export function dayText(seconds: number): string {
  return dateText(seconds).slice(0, "YYYYMMDD".length);
}
