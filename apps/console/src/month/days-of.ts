import { addDays, addMinutes, type Day, minutesBetween } from "../dates/days.js";

/** What a calendar shows of an event: its times on the calendar's wall clock, as the server sends them. */
export interface Shown {
  readonly shown_start?: string;
  readonly shown_end?: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly all_day_event: boolean;
}

/** The first and the last day of an event. One that ends at midnight does not touch the day that begins then. */
export function spanOf(event: Shown): readonly [first: Day, last: Day] {
  const start = event.shown_start ?? event.start_date;
  const end = event.shown_end ?? event.end_date;
  const first = start.slice(0, 10);
  const isMidnight = !event.all_day_event && end.endsWith("T00:00") && end > start;
  const last = (isMidnight ? addMinutes(end, -1) : end).slice(0, 10);
  return [first, last < first ? first : last];
}

/** The events of each day of a range, in their order: whole days first. */
export function byDay<Event extends Shown>(
  events: readonly Event[],
  from: Day,
  to: Day,
): ReadonlyMap<Day, readonly Event[]> {
  const days = new Map<Day, Event[]>();
  const sorted = [
    ...events.filter((each) => each.all_day_event),
    ...events.filter((each) => !each.all_day_event),
  ];
  for (const event of sorted) {
    const [first, last] = spanOf(event);
    for (let day = first < from ? from : first; day <= last && day <= to; day = addDays(day, 1))
      days.set(day, [...(days.get(day) ?? []), event]);
  }
  return days;
}

export const dayMinutes = 1_440;

/** The start and the end of an event on the calendar's wall clock; of whole days, the first and the last. */
export function timesOf(event: Shown): readonly [start: string, end: string] {
  const { start_date, end_date, shown_start: start = start_date, shown_end: end = end_date } = event;
  return event.all_day_event ? [start.slice(0, 10), end.slice(0, 10)] : [start, end];
}

/** Whether an event stands above the hours: it is of whole days, or a day long and longer. */
export function isAboveHours(event: Shown): boolean {
  return event.all_day_event || minutesBetween(...timesOf(event)) >= dayMinutes;
}
