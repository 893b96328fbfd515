import { addDays, type Day, minutesBetween } from "../dates/days.js";
import type { Shown } from "./days-of.js";

export const dayMinutes = 1_440;

/** An event is drawn at least as long, so that it can be read and hit. */
const leastMinutes = 30;

/** What of an event is on one day, in minutes of the wall clock, and where it stands beside those at the same time. */
export interface Slot<Event> {
  readonly event: Event;
  readonly from: number;
  readonly to: number;
  readonly column: number;
  readonly columns: number;
  /** Whether the event ends there. */
  readonly isEnd: boolean;
}

/** The start and the end of an event on the calendar's wall clock; of whole days, the first and the last. */
export function timesOf(event: Shown): readonly [start: string, end: string] {
  const { start_date, end_date, shown_start: start = start_date, shown_end: end = end_date } = event;
  return event.all_day_event ? [start.slice(0, 10), end.slice(0, 10)] : [start, end];
}

/** Whether an event stands above the hours: it is of whole days, or a day long and longer. */
export function isAboveHours(event: Shown): boolean {
  return event.all_day_event || minutesBetween(...timesOf(event)) >= dayMinutes;
}

/** What of a time from `start` to `end` is on a day; undefined when nothing is. */
export function partOn(
  [start, end]: readonly [string, string],
  day: Day,
): { readonly from: number; readonly to: number } | undefined {
  const midnight = `${day}T00:00`;
  const from = Math.max(0, minutesBetween(midnight, start));
  const to = Math.min(dayMinutes, minutesBetween(midnight, end));
  if (from >= dayMinutes || to < 0 || (to === 0 && start < midnight)) return undefined;
  const begin = Math.min(from, dayMinutes - leastMinutes);
  return { from: begin, to: Math.max(to, begin + leastMinutes) };
}

/** Lays the events of a day out: those at the same time stand side by side, each as wide as the others. */
export function slotsOf<Event extends Shown>(events: readonly Event[], day: Day): readonly Slot<Event>[] {
  const parts = events.flatMap((event) => {
    const times = timesOf(event);
    const part = isAboveHours(event) ? undefined : partOn(times, day);
    return part === undefined ? [] : [{ event, ...part, isEnd: times[1] <= `${addDays(day, 1)}T00:00` }];
  });
  const sorted = parts.toSorted((a, b) => a.from - b.from || b.to - a.to);
  const groups: (typeof sorted)[] = [];
  for (const part of sorted) {
    const last = groups.at(-1);
    if (last === undefined || last.every(({ to }) => to <= part.from)) groups.push([part]);
    else last.push(part);
  }
  return groups.flatMap(inColumns);
}

/** Puts parts that overlap into columns: each into the first that is free when it begins. */
function inColumns<Part extends { readonly from: number; readonly to: number }>(
  parts: readonly Part[],
): readonly (Part & { readonly column: number; readonly columns: number })[] {
  const ends: number[] = [];
  const placed = parts.map((part) => {
    const free = ends.findIndex((end) => end <= part.from);
    const column = free === -1 ? ends.length : free;
    ends[column] = part.to;
    return { ...part, column };
  });
  return placed.map((part) => ({ ...part, columns: ends.length }));
}
