import type { State } from "./state.js";

/** A calendar as the fake holds it. Names are those of the API's parameters. */
export interface FakeCalendar {
  readonly id: string;
  readonly account: string;
  readonly title: string;
  readonly calendarname: string;
  readonly description: string;
  readonly timezone: string;
  readonly palette_id: string;
}

/** An event as the fake holds it. Names are those of the API's parameters. */
export interface FakeEvent {
  readonly id: string;
  readonly calendar_id: string;
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly organizer: string;
  readonly organizer_email: string;
  readonly timezone: string;
  readonly color_id: string;
  readonly reminder: string;
  readonly all_day_event: boolean;
  readonly start: Date;
  readonly end: Date;
  /** How often it was saved. */
  readonly saves: number;
}

export function calendarsOf({ calendars }: State): readonly FakeCalendar[] {
  return [...calendars.values()]
    .filter(({ deleted }) => !deleted)
    .map(({ id, account, title, calendarname, description, timezone, paletteId }) => ({
      id: String(id),
      account,
      title,
      calendarname,
      description,
      timezone,
      palette_id: paletteId,
    }));
}

export function eventsOf({ calendars, events }: State): readonly FakeEvent[] {
  return [...events.values()]
    .filter(({ deleted, calendarId }) => !deleted && calendars.get(calendarId)?.deleted === false)
    .map((event) => ({
      id: String(event.id),
      calendar_id: String(event.calendarId),
      title: event.title,
      description: event.description,
      location: event.location,
      organizer: event.organizer,
      organizer_email: event.organizerEmail,
      timezone: event.timezone,
      color_id: event.colorId,
      reminder: event.reminder,
      all_day_event: event.allDay,
      start: new Date(event.startAt * 1000),
      end: new Date(event.endAt * 1000),
      saves: event.saves,
    }));
}
