import { success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, Query, Read, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";
import { type TellOptions, tellParams } from "./telling.js";

/** What one call that changes or deletes events of a series may set for itself. */
export interface SeriesOptions extends RequestOptions {
  /** The `updated_times` of the event that the call names, as for `events.update`. */
  readonly ifMatch?: number | undefined;
}

/** Events that repeat. Each is an event like any other, with its `series_id`. */
export interface SeriesApi {
  /** Reads a series, and what differs from its rule. */
  get(seriesId: string | number, options?: RequestOptions): Promise<SeriesDetails>;
  /** Returns the dates of a rule, and which of them a change of the clock skips or repeats. Nothing is written. */
  preview(params: PreviewSeriesParams, options?: RequestOptions): Promise<SeriesPreview>;
  /**
   * Makes a first event and those that repeat it, by `rrule` and `rdate`; with `event_id` an event that is there becomes the first. With
   * `dry_run: "true"`, as of `update`, nothing is written and `dry_run` of the result says what would be.
   */
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
  delete(
    eventId: string | number,
    scope: SeriesScope,
    options?: SeriesOptions & TellOptions,
  ): Promise<readonly string[]>;
  /** Returns what `delete` would do. Nothing is deleted. */
  tryDelete(eventId: string | number, scope: SeriesScope, options?: SeriesOptions): Promise<DryRun>;
}

/** Parameters of a new series: a first event, and what repeats it. */
export interface AddSeriesParams extends Form<"events/series/create/"> {}
/** The fields to change in events of a series; `rrule`, `rdate` and `exdate` not with the scope `this`. */
export interface SeriesUpdate extends Omit<Form<"events/series/update/">, "event_id" | "scope"> {}
/** A series, and what differs from its rule. */
export interface SeriesDetails extends Omit<Read<"events/series/details/">, "meta"> {}
/** A rule to be looked at before it is used. */
export interface PreviewSeriesParams extends Omit<Query<"events/series/preview/">, "rdate" | "exdate"> {
  /** Starts of further events. */
  readonly rdate?: string | readonly string[] | undefined;
  /** Starts that are left out. */
  readonly exdate?: string | readonly string[] | undefined;
}

/** The dates of a rule. */
export interface SeriesPreview extends Omit<Read<"events/series/preview/">, "meta"> {}
/** What a write of a series would do. */
export interface DryRun extends NonNullable<Written<"events/series/create/">["dry_run"]> {}
/** Which events of a series: one, it and those after it, or all. */
export type SeriesScope = Form<"events/series/update/">["scope"];

/** A series, and the ids of its events that a call made or changed, soonest first. */
export interface ChangedSeries extends Omit<Written<"events/series/create/">, "meta"> {}

/** @internal */
export function seriesApi(raw: RawExtensionsClient, send: Send): SeriesApi {
  return {
    ...seriesReads(raw, send),
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
    delete: async (eventId, scope, { tell, note, ...options } = {}) => {
      const body = { ...tellParams({ tell, note }), event_id: String(eventId), scope };
      const call = raw.POST("/api/kalends/v1/events/series/delete/", {
        body,
        fetch: send(options),
      });
      return (await success(call, "event_ids", "list")).event_ids;
    },
    tryDelete: async (eventId, scope, options) => {
      const body = { event_id: String(eventId), scope, dry_run: "true" as const };
      const call = raw.POST("/api/kalends/v1/events/series/delete/", { body, fetch: send(options) });
      const { dry_run } = await success(call, "dry_run", "object");
      if (dry_run === undefined) throw new TypeError("The server knows no dry runs.");
      return dry_run;
    },
  };
}

function seriesReads(raw: RawExtensionsClient, send: Send): Pick<SeriesApi, "get" | "preview"> {
  return {
    get: async (seriesId, options) => {
      const query = { series_id: String(seriesId) };
      const call = raw.GET("/api/kalends/v1/events/series/details/", {
        params: { query },
        fetch: send(options),
      });
      const { meta: _meta, ...details } = await success(call, "series", "object");
      return details;
    },
    preview: async ({ rdate, exdate, ...params }, options) => {
      const query = {
        ...params,
        ...(rdate === undefined ? {} : { rdate: [rdate].flat().join(",") }),
        ...(exdate === undefined ? {} : { exdate: [exdate].flat().join(",") }),
      };
      const call = raw.GET("/api/kalends/v1/events/series/preview/", {
        params: { query },
        fetch: send(options),
      });
      const { meta: _meta, ...preview } = await success(call, "dates", "list");
      return preview;
    },
  };
}
