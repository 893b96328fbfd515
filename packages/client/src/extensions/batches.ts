import { success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";
import { type TellOptions, tellParams } from "./telling.js";
import type { Event } from "./types.js";

/** What one call that changes many events may set for itself. */
export interface BatchOptions extends RequestOptions {
  /** Changes those that can be changed; otherwise all of them or none. */
  readonly partial?: boolean | undefined;
  /** Returns what would be done, and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What one call that copies an event may set for itself. */
export interface CopyOptions extends TellOptions {
  /** The calendar that gets the copies; that of the event when not given. */
  readonly calendarId?: string | number | undefined;
  /** `false`: the copies are drafts. When not given they are where the event is one. */
  readonly published?: boolean | undefined;
}

/** Many events at once. */
export interface BatchesApi {
  /**
   * Moves, changes or deletes up to 500 events in one transaction. `failed` names those that cannot be changed and why; unless
   * `partial` is set, then none is changed and `done` is `false`.
   */
  changeMany(items: readonly BatchItem[], change: BatchChange, options?: BatchOptions): Promise<BatchResult>;
  /** Copies an event to other starts, at most 366. Returns the ids of the copies. */
  copy(
    eventId: string | number,
    startDates: readonly string[],
    options?: CopyOptions,
  ): Promise<readonly string[]>;
}

/** What becomes of many events: how far each moves on its own wall clock, the fields that change in each, or that they are deleted. */
export interface BatchChange
  extends Omit<Form<"events/batch/">, "events" | "partial" | "dry_run" | keyof Moved>, Moved {}

interface Moved {
  /** Days, negative to an earlier date. */
  readonly shift_days?: number | undefined;
  /** Minutes, negative to an earlier time. */
  readonly shift_minutes?: number | undefined;
  /** `true` deletes the events, without other changes. */
  readonly delete?: boolean | undefined;
}

/** What was done with many events, and which of them cannot be changed and why. */
export interface BatchResult extends Omit<Written<"events/batch/">, "meta"> {}
/** An event of a batch: its id, or what was read of it, so that it is not changed when it was saved since. */
export type BatchItem = string | number | Pick<Event, "id" | "updated_times">;

/** @internal */
export function batchesApi(raw: RawExtensionsClient, send: Send): BatchesApi {
  return {
    changeMany: async (
      items,
      { shift_days, shift_minutes, delete: deletes, ...fields },
      { partial, dryRun, ...options } = {},
    ) => {
      const body = {
        ...fields,
        events: items.map(named),
        ...(shift_days === undefined ? {} : { shift_days: String(shift_days) }),
        ...(shift_minutes === undefined ? {} : { shift_minutes: String(shift_minutes) }),
        ...(deletes === true ? { delete: "true" as const } : {}),
        ...(partial === true ? { partial: "true" as const } : {}),
        ...(dryRun === true ? { dry_run: "true" as const } : {}),
      };
      const call = raw.POST("/api/kalends/v1/events/batch/", { body, fetch: send(options) });
      const { meta: _meta, ...result } = await success(call, "failed", "list");
      return result;
    },
    copy: async (eventId, startDates, { calendarId, published, tell, note, ...options } = {}) => {
      const body = {
        ...tellParams({ tell, note }),
        event_id: String(eventId),
        start_dates: [...startDates],
        ...(calendarId === undefined ? {} : { calendar_id: String(calendarId) }),
        ...(published === undefined ? {} : { published: published ? ("true" as const) : ("false" as const) }),
      };
      const call = raw.POST("/api/kalends/v1/events/copy/", { body, fetch: send(options) });
      return (await success(call, "event_ids", "list")).event_ids;
    },
  };
}

function named(item: BatchItem): string {
  return typeof item === "object" ? `${item.id}:${item.updated_times}` : String(item);
}
