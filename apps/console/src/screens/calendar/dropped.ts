import type { Event, FoundEvent } from "@kalends/client/extensions";
import { addMinutes, minutesBetween } from "../../dates/days.js";
import type { When } from "../../dates/words.js";
import { instantOf, wallIn } from "../../dates/zones.js";
import { type EventFields, fieldsOf } from "./event-fields.js";

type Dropped = Pick<FoundEvent, "timezone" | "start_date" | "end_date" | "shown_start" | "shown_end">;

/** The fields of an event that was dragged in a calendar: it keeps its own zone. @param timezone of the calendar */
export function droppedFields(event: Event & Dropped, when: When, timezone: string): EventFields {
  const fields = fieldsOf(event);
  const { start, end } = when.allDay ? when : ownTimes(event, when, timezone);
  const [startDay = "", startTime = fields.startTime] = start.split("T");
  const [endDay = "", endTime = fields.endTime] = end.split("T");
  return { ...fields, startDay, startTime, endDay, endTime };
}

/** When a dragged event is, on its own wall clock. An edge that was not dragged stays as it is. */
export function ownTimes(
  event: Dropped,
  { start, end }: Pick<When, "start" | "end">,
  timezone: string,
): { readonly start: string; readonly end: string } {
  const { start_date, end_date, shown_start = start_date, shown_end = end_date } = event;
  const own = (was: string, shownWas: string, shown: string): string =>
    shown === shownWas
      ? was
      : (wallOf(event.timezone, timezone, shown) ?? addMinutes(was, minutesBetween(shownWas, shown)));
  return { start: own(start_date, shown_start, start), end: own(end_date, shown_end, end) };
}

/** A wall clock of one zone on that of another; undefined where it is skipped, or where the browser lacks a zone. */
function wallOf(zone: string, from: string, wall: string): string | undefined {
  if (zone === from) return wall;
  const instant = instantOf(from, wall);
  try {
    return instant === undefined ? undefined : wallIn(zone, instant);
  } catch {
    return undefined;
  }
}
