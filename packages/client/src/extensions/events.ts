import { payload } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import { batchesApi, type BatchesApi } from "./batches.js";
import { changesApi, type ChangesApi } from "./changes.js";
import type { Form, FirstPage, Query, Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";
import { seriesApi, type SeriesApi } from "./series.js";
import { type TellOptions, tellParams } from "./telling.js";
import type { Event } from "./types.js";

/** What one call that changes an event may set for itself. */
export interface UpdateOptions extends RequestOptions {
  /**
   * The `updated_times` of the event that the changes are made for. When the event has been saved since, nothing is changed and
   * the call rejects with the status 412 and the type `event_changed`: read the event again.
   */
  readonly ifMatch?: number | undefined;
}

/** The events of a calendar. */
export interface EventExtensionsApi extends ChangesApi, BatchesApi {
  /** Events that repeat. */
  readonly series: SeriesApi;
  /** Reads one event. */
  get(eventId: string | number, options?: RequestOptions): Promise<Event>;
  /** Lists the events of one calendar or several, newest created first, or those that the filters keep; with `published: "false"` the drafts. */
  list(params: FindEventsParams, options?: RequestOptions): CalendarPages<FoundEvent>;
  /** Makes an event; with `published: "false"` a draft. */
  add(params: AddEventParams, options?: RequestOptions): Promise<Event>;
  /** Changes the fields that are sent, and no others. */
  update(eventId: string | number, changes: EventUpdate, options?: UpdateOptions): Promise<Event>;
  /** Lists who has changed what, newest first: of the account, a calendar, an event or a person. */
  history(params?: ListHistoryParams, options?: RequestOptions): CalendarPages<HistoryEntry>;
  /** Makes an event what it was after an entry of its history. */
  revert(eventId: string | number, entryId: string, options?: UpdateOptions & TellOptions): Promise<Event>;
  /** Deletes an event. */
  remove(eventId: string | number, options?: UpdateOptions & TellOptions): Promise<RemovedEvent>;
}

/** The id of an event that was deleted. */
export interface RemovedEvent extends Shape<Written<"events/delete/">["event"]> {}
/** The fields of an event to change. A field that is absent stays, an empty value clears it. */
export interface EventUpdate extends Omit<Form<"events/update/">, "event_id"> {}
/** Parameters of a new event. */
export interface AddEventParams extends Form<"events/create/"> {}
/** Which events are listed, in what order, and where the list starts. */
export interface FindEventsParams
  extends Omit<Query<"events/list/">, "page" | "calendar_id" | "calendar_ids">, FirstPage {
  /** The id of a calendar, or those of several. */
  readonly calendar_id: string | readonly string[];
}

/** An event of a list; with `wall: "calendar"` it has `shown_start` and `shown_end`, its times on the wall clock of its calendar. */
export interface FoundEvent extends Shape<Read<"events/list/">["events"][number]> {}
/** What one write did to one event, or to a calendar, and who made it. */
export interface HistoryEntry extends Shape<Read<"history/list/">["history"][number]> {}
/** Whose history is listed, and where the list starts. */
export interface ListHistoryParams extends Omit<Query<"history/list/">, "page">, FirstPage {}

/** @internal */
export function eventExtensionsApi(raw: RawExtensionsClient, send: Send): EventExtensionsApi {
  return {
    get: (eventId, options) =>
      payload(
        raw.GET("/api/kalends/v1/events/details/", {
          params: { query: { event_id: String(eventId) } },
          fetch: send(options),
        }),
        "event",
      ),
    list: ({ calendar_id: ids, ...params }, options) => {
      const [calendar_id = "", ...others] = [ids].flat();
      const calendars =
        others.length === 0 ? { calendar_id } : { calendar_id, calendar_ids: others.join(",") };
      return pagesOf({ ...params, ...calendars }, "events", (query) =>
        raw.GET("/api/kalends/v1/events/list/", { params: { query }, fetch: send(options) }),
      );
    },
    history: (params = {}, options) =>
      pagesOf(params, "history", (query) =>
        raw.GET("/api/kalends/v1/history/list/", { params: { query }, fetch: send(options) }),
      ),
    ...eventWritesApi(raw, send),
    series: seriesApi(raw, send),
    ...batchesApi(raw, send),
    ...changesApi(raw, send),
  };
}

function eventWritesApi(
  raw: RawExtensionsClient,
  send: Send,
): Pick<EventExtensionsApi, "add" | "update" | "revert" | "remove"> {
  return {
    add: (params, options) =>
      payload(raw.POST("/api/kalends/v1/events/create/", { body: params, fetch: send(options) }), "event"),
    update: (eventId, changes, options) =>
      payload(
        raw.POST("/api/kalends/v1/events/update/", {
          body: { ...changes, event_id: String(eventId) },
          fetch: send(options),
        }),
        "event",
      ),
    revert: (eventId, entry_id, { tell, note, ...options } = {}) =>
      payload(
        raw.POST("/api/kalends/v1/events/revert/", {
          body: { ...tellParams({ tell, note }), entry_id, event_id: String(eventId) },
          fetch: send(options),
        }),
        "event",
      ),
    remove: (eventId, { tell, note, ...options } = {}) =>
      payload(
        raw.POST("/api/kalends/v1/events/delete/", {
          body: { ...tellParams({ tell, note }), event_id: String(eventId) },
          fetch: send(options),
        }),
        "event",
      ),
  };
}
