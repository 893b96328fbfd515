import type { FoundEvent } from "@kalends/client/extensions";
import { addDays, addMinutes, type Day, daysBetween, minutesBetween } from "../dates/days.js";
import type { When } from "../dates/words.js";
import { dayMinutes, type Shown, timesOf } from "./days-of.js";

/** Takes an event that was dragged, and when it would be on the calendar's wall clock. Nothing is stored yet. */
export type DropEvent = (event: FoundEvent, when: When) => void;

/** Where the pointer is: on a day, and among its hours at a minute. */
export interface Spot {
  readonly day: Day;
  readonly minute: number | undefined;
}

export interface Drag {
  /** What is dragged: the event, or its end. */
  readonly what: "event" | "end";
  readonly from: Spot;
  readonly to: Spot;
}

/** Minutes that times are rounded to. */
const step = 15;

/** When an event is after a drag, on the calendar's wall clock; undefined when the drag changes nothing. */
export function dragged(event: Shown, drag: Drag): When | undefined {
  const allDay = event.all_day_event;
  const [start, end] = timesOf(event);
  const days = daysBetween(drag.from.day, drag.to.day);
  const minutes = minutesOf(drag);
  if (drag.what === "event") {
    const moved = allDay ? addDays(start, days) : later(start, days, minutes);
    const length = allDay ? daysBetween(start, end) : minutesBetween(start, end);
    const movedEnd = allDay ? addDays(moved, length) : addMinutes(moved, length);
    return moved === start ? undefined : { start: moved, end: movedEnd, allDay };
  }
  const least = allDay ? start : addMinutes(start, step);
  const moved = allDay ? addDays(end, days) : later(end, days, minutes);
  const changed = moved < least ? least : moved;
  return changed === end ? undefined : { start, end: changed, allDay };
}

/** Minutes that a drag is up or down among the hours. */
function minutesOf({ from, to }: Drag): number {
  if (from.minute === undefined || to.minute === undefined) return 0;
  const minutes = to.minute - from.minute;
  return Math.abs(minutes) <= step / 2 ? 0 : minutes;
}

/** A wall clock moved by days and, when it leaves its time, to the next step. */
function later(wall: string, days: number, minutes: number): string {
  const moved = addMinutes(wall, days * dayMinutes);
  if (minutes === 0) return moved;
  const midnight = `${moved.slice(0, 10)}T00:00`;
  const minute = minutesBetween(midnight, moved) + minutes;
  return addMinutes(midnight, Math.round(minute / step) * step);
}
