import { payload, success } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { FirstPage, Query, Read, Shape } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";
import { type TellOptions, tellParams } from "./telling.js";
import type { CalendarDetails, Event } from "./types.js";

/** The trash: deleted items that can be restored. */
export interface TrashApi {
  /** Lists deleted events and calendars that can be restored, newest first. */
  list(params?: ListTrashParams, options?: RequestOptions): CalendarPages<TrashItem>;
  /** Restores an event with its id, its UID and everything it had. */
  restoreEvent(eventId: string | number, options?: TellOptions): Promise<Event>;
  /** Restores the events of a series that its last deletion took. Returns their ids. */
  restoreSeries(seriesId: string, options?: TellOptions): Promise<readonly string[]>;
  /** Restores a calendar with its key, its events and its followers. */
  restoreCalendar(calendarId: string, options?: RequestOptions): Promise<CalendarDetails>;
  /** Removes from the trash for good. */
  purge(target: PurgeTarget, options?: RequestOptions): Promise<void>;
}

/** The trash: deleted items that can be restored. */
export interface TrashItem extends Shape<Read<"trash/list/">["trash"][number]> {}
/** Of which calendar the trash is listed, and where the list starts. */
export interface ListTrashParams extends Omit<Query<"trash/list/">, "page">, FirstPage {}
/** What is removed from the trash for good: an event, what a calendar has there, or everything. */
export type PurgeTarget =
  | { readonly event_id: string | number }
  | { readonly calendar_id: string }
  | { readonly all: true };

/** @internal */
export function trashApi(raw: RawExtensionsClient, send: Send): TrashApi {
  return {
    list: (params = {}, options) =>
      pagesOf(params, "trash", (query) =>
        raw.GET("/api/kalends/v1/trash/list/", { params: { query }, fetch: send(options) }),
      ),
    restoreEvent: (eventId, { tell, note, ...options } = {}) =>
      payload(
        raw.POST("/api/kalends/v1/events/restore/", {
          body: { ...tellParams({ tell, note }), event_id: String(eventId) },
          fetch: send(options),
        }),
        "event",
      ),
    restoreSeries: async (series_id, { tell, note, ...options } = {}) => {
      const body = { ...tellParams({ tell, note }), series_id };
      const call = raw.POST("/api/kalends/v1/events/series/restore/", { body, fetch: send(options) });
      return (await success(call, "event_ids", "list")).event_ids;
    },
    restoreCalendar: (calendar_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/calendars/restore/", { body: { calendar_id }, fetch: send(options) }),
        "calendar",
      ),
    purge: async (target, options) => {
      const body = Object.fromEntries(Object.entries(target).map(([name, value]) => [name, String(value)]));
      await payload(raw.POST("/api/kalends/v1/trash/purge/", { body, fetch: send(options) }), "trash");
    },
  };
}
