import { onTwelveHours, shown } from "./dates.js";
import type { CalendarEvent, Call } from "./state.js";

/** What every form of an event shows (service.md 2.4). */
export function shownEvent(event: CalendarEvent, { faulty }: Call): object {
  const start = shown(event.startShown);
  const end = shown(event.endShown);
  return {
    title: event.title,
    description: event.description,
    location: event.location,
    organizer: event.organizer === "" && faulty("K68") ? null : event.organizer,
    organizer_email: event.organizerEmail,
    date_start: start.date,
    date_start_time: faulty("M35") ? onTwelveHours(start.time) : start.time,
    date_start_ampm: start.half,
    date_end: end.date,
    date_end_time: end.time,
    date_end_ampm: end.half,
    all_day_event: faulty("M40") ? event.allDay : String(event.allDay),
    date_format: "MM/DD/YYYY",
    timezone: event.timezone,
    reminder: faulty("K45") ? "" : event.reminder,
    date_create: event.created,
    date_modified: event.modified,
    updated_times: String(event.saves),
  };
}

/** The form that create and save answer with: an integer id, `color_id`, no Unix times (service.md 2.4). */
export function savedEvent(event: CalendarEvent, call: Call): object {
  return {
    id: call.faulty("M30") ? String(event.id) : event.id,
    calendar: String(event.calendarId),
    ...shownEvent(event, call),
    ...(call.faulty("M32") ? { date_start_unix: event.startAt } : {}),
    color_id: event.colorId,
  };
}
