/** Stored shapes. Times are Unix seconds; `_local` is a wall clock written as Unix seconds of the same digits in UTC. */

export interface AccountRow {
  readonly id: number;
  readonly name: string;
  /** Number of calendar saves so far; orders calendars that were saved in the same second. */
  readonly calendar_saves: number;
  readonly created_at: number;
  /** Since when its tokens are refused; null unless it is disabled. */
  readonly disabled_at: number | null;
  /** The row of a deleted account stays, since those of its calendars do. */
  readonly deleted_at: number | null;
  /** How many of its webhook endpoints are enabled. */
  readonly webhooks: number;
}

export type Scope = "read" | "write";

export interface TokenRow {
  readonly id: number;
  readonly account_id: number;
  /** SHA-256 of the token in hex: the token itself is never stored. */
  readonly hash: string;
  readonly last_four: string;
  readonly name: string;
  readonly scope: Scope;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  /** Behind by up to an hour; null for a token that was never used. */
  readonly last_used_at: number | null;
}

export interface CalendarRow {
  readonly id: number;
  readonly account_id: number;
  readonly uniquekey: string;
  readonly calendarname: string;
  readonly title: string;
  readonly description: string;
  readonly timezone: string;
  readonly palette_id: string;
  readonly followers_total: number;
  /** Active and not blocked. */
  readonly followers_active: number;
  readonly followers_inactive: number;
  readonly followers_blocked: number;
  readonly events_total: number;
  /** Of its own texts and of its events (calendars/stored-bytes.ts). */
  readonly stored_bytes: number;
  /** Raised by every change of the calendar or its events, in the same transaction. */
  readonly feed_version: number;
  /** When that was last raised; grows with every commit, so it can be ahead of the clock. */
  readonly feed_modified_at: number;
  /** What the feed of the last version that was generated omits, see `feedOmits` in calendars/queries.ts. */
  readonly feed_cut: number;
  /** When the palette last changed; 0 when it never did. */
  readonly palette_changed_at: number;
  /** 1 when search engines may list the calendar's page. */
  readonly searchable: number;
  readonly save_order: number;
  readonly created_at: number;
  readonly modified_at: number;
  readonly deleted_at: number | null;
  /** 1 from the deletion until what the calendar held is removed. */
  readonly purge_pending: number;
  /** A JSON object of the account's own. */
  readonly custom_data: string;
}

/** Whether an event takes place (RFC 5545 3.8.1.11). */
export type EventStatus = "confirmed" | "tentative" | "cancelled";

export interface EventRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  /** Stable random UID for iCalendar (RFC 5545 3.8.4.7). */
  readonly uid: string;
  readonly title: string;
  /** Line breaks as CR LF. */
  readonly description: string;
  readonly location: string;
  readonly organizer: string;
  readonly organizer_email: string;
  readonly timezone: string;
  readonly color_id: string;
  readonly reminder: string;
  readonly start_local: number;
  readonly end_local: number;
  /** Month of start_local: year * 12 + month - 1. */
  readonly start_month: number;
  readonly start_at: number;
  readonly end_at: number;
  readonly all_day: number;
  readonly updated_times: number;
  readonly created_at: number;
  readonly modified_at: number;
  readonly status: EventStatus;
  /** A JSON object of the account's own. */
  readonly custom_data: string;
  /** Names with commas between them; "" for none. */
  readonly categories: string;
  /**
   * The version of the calendar's feed that the last change made: above that of every transaction before, and not above the
   * calendar's own once committed.
   */
  readonly feed_version: number;
  /**
   * Parts of the event's feed entry, not of the API: how often new zone data moved it, and a time that its LAST-MODIFIED is
   * not before, raised by each such move and by a save that modified_at does not tell apart from the one before.
   */
  readonly moves: number;
  readonly moved_at: number;
  /** 0 when it belongs to none. */
  readonly series_id: number;
  /** The wall clock at which the series' rule names the event, whatever its own start is. */
  readonly series_place: number;
}

/** An event with its ready list item (events/listed-json.ts). */
export interface StoredEventRow extends EventRow {
  readonly json: string;
}

/** An event that was deleted. */
export interface DeletedEventRow extends Pick<
  EventRow,
  "id" | "account_id" | "calendar_id" | "uid" | "feed_version"
> {
  readonly deleted_at: number;
}

/** How many events of a calendar start in the 2^18 seconds from bucket * 2^18 on; kept by triggers. */
export interface EventCountRow {
  readonly account_id: number;
  readonly calendar_id: number;
  readonly bucket: number;
  readonly events: number;
}

/** The answer of a write that named an `Idempotency-Key`. */
export interface IdempotencyKeyRow {
  readonly account_id: number;
  readonly key: string;
  readonly operation: string;
  /** SHA-256 in base64url. */
  readonly parameters_hash: string;
  /** The JSON that was answered. */
  readonly body: string;
  readonly created_at: number;
}

export interface SubscriberRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly name: string;
  readonly email: string;
  readonly ip: string;
  readonly postal: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly calendar_type: string;
  readonly active: number;
  readonly blocked: number;
  readonly subscribed_at: number;
  /** SHA-256 in hex of the key in the follower's addresses; null for one that has none. */
  readonly key_hash: string | null;
  /** Last fetch of the feed, else the subscription; behind by up to 15 minutes. */
  readonly last_seen_at: number;
  /** 1 once an app was recognised that fetches the feed: then calendar_type stays. */
  readonly type_confirmed: number;
  readonly unfollowed_at: number | null;
  /** The names of the categories that were picked, sorted, with commas between them; null for everything. */
  readonly categories: string | null;
}

/** A category of an event, of those that `events.categories` names. */
export interface EventCategoryRow {
  readonly calendar_id: number;
  readonly event_id: number;
  readonly name: string;
}

export interface WebhookEndpointRow {
  readonly id: number;
  readonly account_id: number;
  /** The only calendar it receives messages of; null for all. */
  readonly calendar_id: number | null;
  readonly url: string;
  /** The types it receives, each between commas, such as ",event.created,event.saved,". */
  readonly types: string;
  /** 1 when its payloads may hold a person's name and e-mail address. */
  readonly with_person: number;
  /** Readable, since messages are signed with it. */
  readonly secret: string;
  /** The secret before a rotation; it signs too until `previous_until`. */
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
  /** The row of a deleted one stays until its deliveries are removed. */
  readonly state: "enabled" | "disabled" | "deleted";
  /** Why it was disabled, for its owner. */
  readonly disabled_reason: string | null;
  /** When it was disabled or deleted. */
  readonly disabled_at: number | null;
  readonly created_at: number;
}

/** A message to one endpoint: an entry of the outbox, later of the log. */
export interface WebhookDeliveryRow {
  readonly id: number;
  readonly endpoint_id: number;
  readonly calendar_id: number;
  /** Whose name or e-mail address the payload holds; null when it holds none. */
  readonly subscriber_id: number | null;
  /** The same for all attempts, and for all endpoints that receive one change. */
  readonly message_id: string;
  readonly type: string;
  /** The body as it is sent. */
  readonly payload: string;
  readonly state: "pending" | "sent" | "failed";
  /** Attempts whose outcome is known. */
  readonly attempts: number;
  /** When it is due: 0 before the first attempt; while it is being sent, when its sender counts as gone. */
  readonly next_at: number;
  /** Who is sending it; empty when no one is. */
  readonly sender: string;
  /** How often in a row a process ended while it sent it. */
  readonly unfinished_starts: number;
  /** Of the last attempt: the status of the response, what failed, and how long it took. */
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly created_at: number;
  readonly attempted_at: number | null;
}

/** A fact about the database, such as the tzdata version its times were computed with. */
export interface PropertyRow {
  readonly name: string;
  readonly value: string;
}
