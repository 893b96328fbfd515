import { addDays, type Day, minutesBetween } from "../dates/days.js";
import { dayMinutes, isAboveHours, type Shown, timesOf } from "./days-of.js";

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
