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
  /** A user name, a colon and a password, which are never shown; empty without. */
  readonly credentials: string;
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
