import { payload } from "./calls.js";
import { pagesOf, type CalendarPages } from "./lists.js";
import type { RequestOptions, WriteEventOptions } from "./options.js";
import type { RawCalendarClient } from "./raw.js";
import type { Send } from "./send.js";
import type {
  CalendarEvent,
  CalendarEventListItem,
  CreateEventParams,
  DeletedCalendarEvent,
  ListEventsParams,
  SaveEventParams,
} from "./types.js";

/** The events of a calendar. */
export interface EventsApi {
  /** Lists the events of a calendar, newest created first, or as `order_by` says (contract 4.5). */
  list(params: ListEventsParams, options?: RequestOptions): CalendarPages<CalendarEventListItem>;
  /** Makes an event (contract 4.6). */
  create(params: CreateEventParams, options?: RequestOptions): Promise<CalendarEvent>;
  /** Saves an event and raises its `updated_times` (contract 4.7). */
  save(params: SaveEventParams, options?: WriteEventOptions): Promise<CalendarEvent>;
  /** Deletes an event. This cannot be undone (contract 4.8). */
  delete(eventId: string | number, options?: WriteEventOptions): Promise<DeletedCalendarEvent>;
}

// Create and save return the id as a number, and every call takes it as a string (contract 2.4): hence the String().
export function eventsApi(raw: RawCalendarClient, send: Send): EventsApi {
  return {
    list: (params, options) =>
      pagesOf(params, "events", (query) =>
        raw.GET("/api/v1/calendars/events/list/", { params: { query }, fetch: send(options) }),
      ),
    create: (params, options) =>
      payload(raw.POST("/api/v1/calendars/events/create/", { body: params, fetch: send(options) }), "event"),
    save: (params, options) =>
      payload(
        raw.POST("/api/v1/calendars/events/save/", {
          body: { ...params, event_id: String(params.event_id) },
          fetch: send(options),
        }),
        "event",
      ),
    delete: (eventId, options) =>
      payload(
        raw.POST("/api/v1/calendars/events/delete/", {
          body: { event_id: String(eventId) },
          fetch: send(options),
        }),
        "event",
      ),
  };
}
