import type { RowOf, stagedEventColumns, stagedValueColumns } from "./columns.js";
import type { EventRow, EventStatus } from "./rows.js";

export interface ImportedEventRow {
  readonly event_id: number;
  readonly calendar_id: number;
  /** UID in the file. */
  readonly import_uid: string;
  /** Its time in the series of the file, in UTC; empty for an event of its own. */
  readonly import_recurrence_id: string;
  /** The sync that made the event; null when an import by a person did. */
  readonly sync_id: number | null;
}

/** A file that is fetched again and again into a calendar. Times are Unix seconds. */
export interface CalendarSyncRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly url: string;
  readonly every_seconds: number;
  readonly next_at: number;
  /** Until when a server may be fetching it; 0 when none is. */
  readonly claimed_until: number;
  /** Of the last response that was imported. */
  readonly etag: string;
  readonly last_modified: string;
  /** Why the last attempt failed; empty after a success. */
  readonly error: string;
  /** What the last import did, for people. */
  readonly report: string;
  /** Attempts since the last success, each counted before it is made. */
  readonly failures: number;
  readonly tried_at: number | null;
  /** When the file was last read whole. */
  readonly read_at: number | null;
  readonly created_at: number;
}

/** What an import does with an event when it is published; "keep" changes only what it is known as in files. */
export type StagedAction = "create" | "update" | "reschedule" | "keep" | "delete";

/**
 * An event as an import makes it, which waits to be published. Its `feed_version` is that of the event which was there, 0 of a new
 * one; the published event gets a new one.
 */
export interface StagedEventRow extends Omit<
  RowOf<typeof stagedEventColumns>,
  "action" | "state" | "status"
> {
  readonly action: StagedAction;
  readonly state: EventRow["state"];
  readonly status: EventStatus;
}

/** A value of `custom_data` of a staged event, or a category, whose hash is empty. */
export interface StagedValueRow extends Omit<RowOf<typeof stagedValueColumns>, "kind"> {
  readonly kind: "value" | "category";
}
