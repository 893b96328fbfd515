import { payload } from "./calls.js";
import { pagesOf, type CalendarPages } from "./lists.js";
import type { RequestOptions } from "./options.js";
import type { RawCalendarClient } from "./raw.js";
import type { Send } from "./send.js";
import type {
  Calendar,
  CreateCalendarParams,
  DeletedCalendar,
  ListCalendarsParams,
  SaveCalendarParams,
  SavedCalendar,
} from "./types.js";

/** The calendars of the account. */
export interface CalendarsApi {
  /** Lists the calendars, most recently saved first (contract 4.1). */
  list(params?: ListCalendarsParams, options?: RequestOptions): CalendarPages<Calendar>;
  /**
   * Returns the calendar with this id; undefined when the account has none. Reads the list until it is found, because the
   * contract cannot ask for one calendar: a request for each page. A calendar that is saved meanwhile moves to the first
   * page and can be missed.
   */
  find(calendarId: string, options?: RequestOptions): Promise<Calendar | undefined>;
  /** Makes a calendar (contract 4.2). */
  create(params: CreateCalendarParams, options?: RequestOptions): Promise<Calendar>;
  /** Saves a calendar; the answer has no `timezone` (contract 4.3). */
  save(params: SaveCalendarParams, options?: RequestOptions): Promise<SavedCalendar>;
  /** Deletes a calendar with its events and subscribers. This cannot be undone (contract 4.4). */
  delete(calendarId: string, options?: RequestOptions): Promise<DeletedCalendar>;
}

export function calendarsApi(raw: RawCalendarClient, send: Send): CalendarsApi {
  const list: CalendarsApi["list"] = (params = {}, options) =>
    pagesOf(params, "calendars", (query) =>
      raw.GET("/api/v1/calendars/list/", { params: { query }, fetch: send(options) }),
    );
  return {
    list,
    find: async (calendarId, options) => {
      for await (const calendar of list({}, options)) if (calendar.id === calendarId) return calendar;
      return undefined;
    },
    create: (params, options) =>
      payload(raw.POST("/api/v1/calendars/create/", { body: params, fetch: send(options) }), "calendar"),
    save: (params, options) =>
      payload(raw.POST("/api/v1/calendars/save/", { body: params, fetch: send(options) }), "calendar"),
    delete: (calendarId, options) =>
      payload(
        raw.POST("/api/v1/calendars/delete/", { body: { calendar_id: calendarId }, fetch: send(options) }),
        "calendar",
      ),
  };
}
