import { countersOf } from "./calendars.js";
import type { Calendar, CalendarEvent, Call } from "./state.js";

/** An event in the one shape of the extensions (extensions.md X1.3). */
export function eventShape(event: CalendarEvent, { faulty }: Call): object {
  return {
    id: String(event.id),
    calendar_id: String(event.calendarId),
    uid: event.uid,
    series_id: event.seriesId === 0 ? "" : String(event.seriesId),
    status: event.status,
    categories: event.categories,
    title: event.title,
    description: event.description,
    location: event.location,
    organizer: event.organizer,
    organizer_email: event.organizerEmail,
    start_date: wallText(event.startShown),
    end_date: wallText(event.endShown),
    timezone: event.timezone,
    start_at: instantText(faulty("X19") ? event.startShown : event.startAt),
    end_at: instantText(event.endAt),
    all_day_event: event.allDay,
    color_id: event.colorId,
    reminder: event.reminder,
    custom_data: JSON.parse(event.customData),
    date_create: instantText(event.created),
    date_modified: instantText(event.modified),
    updated_times: event.saves,
  };
}

/** A calendar in the shape of the extensions: counters are integers, times are ISO 8601. */
export function calendarShape(calendar: Calendar, call: Call): object {
  const { active, total, events } = countersOf(calendar, call);
  return {
    id: String(calendar.id),
    uniquekey: calendar.uniquekey,
    calendarname: calendar.calendarname,
    title: calendar.title,
    description: calendar.description,
    timezone: calendar.timezone,
    palette_id: calendar.paletteId,
    custom_data: JSON.parse(calendar.customData),
    followers_active: active,
    followers_total: total,
    events_total: events,
    feed_omits: "nothing",
    date_create: instantText(calendar.created),
    date_modified: instantText(calendar.modified),
  };
}

export function instantText(unix: number): string {
  return `${new Date(unix * 1000).toISOString().slice(0, 19)}Z`;
}

/** The digits of a wall clock, to the minute. */
export function wallText(wall: number): string {
  return new Date(wall * 1000).toISOString().slice(0, 16);
}
