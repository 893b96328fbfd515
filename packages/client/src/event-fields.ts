import { requireFirst } from "./event-times.js";
import { toDate } from "./helpers.js";
import type { CalendarEvent, CalendarEventListItem, CreateEventParams } from "./types.js";

/** All that an event has and a save takes, without its id. */
export type EventFields = Required<Omit<CreateEventParams, "calendar_id" | "end_date">> &
  Pick<CreateEventParams, "end_date">;

/**
 * Returns what a save needs to leave an event as it is, for a save replaces (rulings R4.6). Put the changes behind it:
 * `events.save({ event_id: event.id, ...toEventFields(event), title: "New title" })`. With `calendar_id` in place of
 * `event_id` it copies an event. Takes an event of the list, and one that create or save returned.
 *
 * @throws RangeError when a listed event starts or ends at a time that the clock, which was put back, shows again: a save would
 * move it to the first of the two (rulings R4.3). By the time zone data of the platform, also when that does not know the zone.
 */
export function toEventFields(event: CalendarEvent | CalendarEventListItem): EventFields {
  const { title, description, location, organizer, organizer_email, timezone, reminder, all_day_event } =
    event;
  const start_date = `${event.date_start} ${event.date_start_time.slice(0, 5)}`;
  const end_date = `${event.date_end} ${event.date_end_time.slice(0, 5)}`;
  const hasDefaultEnd = isDefaultEnd(event, start_date, end_date);
  if ("date_end_unix" in event && all_day_event === "false") {
    requireFirst(toDate(event.date_start_unix), timezone, start_date);
    if (!hasDefaultEnd) requireFirst(toDate(event.date_end_unix), timezone, end_date);
  }
  return {
    title,
    description,
    location,
    organizer,
    organizer_email,
    timezone,
    reminder,
    all_day_event,
    color_id: "color" in event ? event.color : event.color_id,
    start_date,
    ...(!hasDefaultEnd && { end_date }),
  };
}

/**
 * Whether an hour lies between start and end that the wall clock does not show, since it was changed then. Only the default of
 * `end_date` gives this hour again: when the clock is put back, 01:30 to 01:30 would be no time at all (rulings R4.3).
 */
function isDefaultEnd(
  event: CalendarEvent | CalendarEventListItem,
  start_date: string,
  end_date: string,
): boolean {
  const hour = 3600;
  const isHour = "date_end_unix" in event && event.date_end_unix - event.date_start_unix === hour;
  return isHour && wallClockSeconds(end_date) - wallClockSeconds(start_date) !== hour;
}

/** Seconds of a text such as `07/04/2026 13:30`, as if it were in UTC. */
function wallClockSeconds(text: string): number {
  return Date.parse(text.replace(/^(..).(..).(.{4}) (.*)/, "$3-$1-$2T$4Z")) / 1000;
}
