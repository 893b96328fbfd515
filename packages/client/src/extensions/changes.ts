import { success } from "../calls.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Read } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** What has changed in a calendar. */
export interface ChangesApi {
  /** Reads what has changed after a cursor: one page. `has_more` says whether there is more now. */
  changes(calendarId: string, params?: EventChangesParams, options?: RequestOptions): Promise<EventChanges>;
  /**
   * Reads what has changed after a cursor, page by page, until there is no more; at least one page. Keep the `cursor` of a page
   * when its changes are done, and begin with it the next time. It is good for 30 days: then the call rejects with the status
   * 410 and the type `cursor_expired`, and the calendar is to be read again without a cursor.
   */
  follow(calendarId: string, cursor?: string, options?: RequestOptions): AsyncIterable<EventChanges>;
}

/** The last change of an event, by `change`: `saved` with the `event` as it is now, `deleted` with `date_deleted`. */
export type EventChange = Read<"events/changes/">["changes"][number];

/** The changes after a cursor, and the cursor after them. */
export interface EventChanges extends Omit<Read<"events/changes/">, "meta"> {}
/** Where the changes begin. */
export interface EventChangesParams {
  /** The cursor of the changes before; when not given, the changes begin with each event that the calendar has. */
  readonly since?: string | undefined;
}

/** @internal */
export function changesApi(raw: RawExtensionsClient, send: Send): ChangesApi {
  const changes: ChangesApi["changes"] = async (calendar_id, { since } = {}, options) => {
    const query = { calendar_id, ...(since !== undefined && { since }) };
    const call = raw.GET("/api/kalends/v1/events/changes/", { params: { query }, fetch: send(options) });
    const { meta: _meta, ...found } = await success(call, "changes", "list");
    return found;
  };
  return {
    changes,
    follow: async function* (calendarId, cursor, options) {
      for (let since = cursor; ;) {
        const page = await changes(calendarId, { since }, options);
        yield page;
        // An empty page that promises more would make it endless.
        if (!page.has_more || page.changes.length === 0) return;
        since = page.cursor;
      }
    },
  };
}
