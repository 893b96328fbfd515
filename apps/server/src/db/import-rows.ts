export interface ImportedEventRow {
  readonly event_id: number;
  readonly calendar_id: number;
  readonly import_uid: string;
  /** RECURRENCE-ID in the file, in UTC; empty for a single event. */
  readonly import_recurrence_id: string;
  /** The sync that made the event; null when an import by a person did. */
  readonly sync_id: number | null;
}

/** A file that is fetched regularly into a calendar. Times are Unix seconds. */
export interface CalendarSyncRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly url: string;
  /** `user:password`, which is never shown; empty without credentials. */
  readonly credentials: string;
  readonly every_seconds: number;
  readonly next_at: number;
  /** Until when a server may be fetching the file; 0 when none is. */
  readonly claimed_until: number;
  /** ETag of the last imported response. */
  readonly etag: string;
  readonly last_modified: string;
  /** The last failure; empty after a success. */
  readonly error: string;
  readonly report: string;
  /** Attempts since the last success, each counted before it is made. */
  readonly failures: number;
  readonly tried_at: number | null;
  /** When the whole file was last read. */
  readonly read_at: number | null;
  readonly created_at: number;
}
