import { success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { RawExtensionsClient } from "./raw.js";
import type { AddSeriesParams, ChangedSeries, SeriesScope, SeriesUpdate } from "./types.js";

/** What one call that changes or deletes events of a series may set for itself. */
export interface SeriesOptions extends RequestOptions {
  /** The `updated_times` of the event that the call names, as for `events.update`. */
  readonly ifMatch?: number | undefined;
}

/** Events that repeat. Each is an event like any other, with its `series_id`. */
export interface SeriesApi {
  /** Makes a first event and those that repeat it, by `rrule` and `rdate`. */
  create(params: AddSeriesParams, options?: RequestOptions): Promise<ChangedSeries>;
  /**
   * Changes the fields that are sent in this event of a series, in it and those that follow, or in all. With `following` the events
   * that are changed become a series of their own, which is returned.
   */
  update(
    eventId: string | number,
    scope: SeriesScope,
    changes: SeriesUpdate,
    options?: SeriesOptions,
  ): Promise<ChangedSeries>;
  /** Deletes this event of a series, it and those that follow, or all. Returns the ids of the deleted events. */
  delete(eventId: string | number, scope: SeriesScope, options?: SeriesOptions): Promise<readonly string[]>;
}

export function seriesApi(raw: RawExtensionsClient, send: Send): SeriesApi {
  return {
    create: async (params, options) => {
      const call = raw.POST("/api/kalends/v1/events/series/create/", { body: params, fetch: send(options) });
      const { meta: _meta, ...changed } = await success(call, "series", "object");
      return changed;
    },
    update: async (eventId, scope, changes, options) => {
      const body = { ...changes, event_id: String(eventId), scope };
      const call = raw.POST("/api/kalends/v1/events/series/update/", {
        body,
        fetch: send(options),
      });
      const { meta: _meta, ...changed } = await success(call, "series", "object");
      return changed;
    },
    delete: async (eventId, scope, options) => {
      const body = { event_id: String(eventId), scope };
      const call = raw.POST("/api/kalends/v1/events/series/delete/", {
        body,
        fetch: send(options),
      });
      return (await success(call, "event_ids", "list")).event_ids;
    },
  };
}
