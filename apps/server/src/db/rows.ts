import type {
  calendarColumns,
  deletedEventColumns,
  eventColumns,
  eventSearchColumns,
  historyColumns,
  profileColumns,
  RowOf,
  subscriberColumns,
} from "./columns.js";

/** Stored shapes. Times are Unix seconds; `_local` is a wall clock written as Unix seconds of the same digits in UTC. */

export type Profile = RowOf<typeof profileColumns>;

export interface AccountRow extends Profile {
  readonly id: number;
  /** Number of calendar saves so far; orders calendars that were saved in the same second. */
  readonly calendar_saves: number;
  readonly created_at: number;
  /** Since when its tokens are refused; null unless it is disabled. */
  readonly disabled_at: number | null;
  /** The row of a deleted account stays, since those of its calendars do. */
  readonly deleted_at: number | null;
  /** How many of its webhook endpoints are enabled. */
  readonly webhooks: number;
  /** What its pictures are counted as. */
  readonly picture_bytes: number;
}

/** A picture that was sent; what is served of it is in picture_files. */
export interface PictureRow {
  readonly hash: string;
  readonly account_id: number;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly created_at: number;
  /** Null while something refers to it. */
  readonly unused_since: number | null;
}

export interface PictureFileRow {
  readonly hash: string;
  readonly name: string;
  /** In base64. */
  readonly content: string;
}

export interface AccountKeyRow {
  readonly key: string;
  readonly account_id: number;
  /** Since when it redirects to the key after it; null for the key that the account has. */
  readonly replaced_at: number | null;
}

/** What the pages of an account show of it, with its key; "" for none. */
export interface KeyedAccount extends Profile, Pick<AccountRow, "id" | "created_at"> {
  readonly key: string;
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

export type CalendarRow = RowOf<typeof calendarColumns>;

/** Whether an event takes place (RFC 5545 3.8.1.11). */
export type EventStatus = "confirmed" | "tentative" | "cancelled";

export interface EventRow extends Omit<RowOf<typeof eventColumns>, "json" | "state" | "status"> {
  readonly state: "published" | "draft" | "trashed";
  readonly status: EventStatus;
  /** The sync that has made it, as long as there is that sync; only where it is read. */
  readonly synced_by?: number | null;
}

/** An event with its ready list item (events/listed-json.ts). */
export interface StoredEventRow extends Omit<EventRow, "synced_by"> {
  readonly json: string;
}

export type EventSearchRow = RowOf<typeof eventSearchColumns>;

export type DeletedEventRow = RowOf<typeof deletedEventColumns>;

/** What a write did to an event, or to a calendar, and who made it. */
export interface HistoryRow extends Omit<RowOf<typeof historyColumns>, "action" | "author"> {
  readonly action: "created" | "changed" | "moved" | "deleted" | "restored";
  readonly author: "token" | "person" | "command_line" | "sync" | "service";
}

/** What happened to a calendar on a day in UTC (extensions X8.7): a sum that names no one. */
export interface CalendarDayRow {
  readonly calendar_id: number;
  /** Of followers `followed` and `unfollowed`, and by how many more are `active` than the day before; `polls` by app; `picks` by category. */
  readonly kind: "followed" | "unfollowed" | "active" | "polls" | "picks";
  /** Days since 1970. */
  readonly day: number;
  /** The app or the category; else empty. */
  readonly name: string;
  readonly count: number;
}

export interface ListedEntry extends HistoryRow {
  /** Of the event, or the calendar, as it is now; null when it was removed for good. */
  readonly title: string | null;
  /** The calendar that it is in now; null when it was removed for good. */
  readonly home_id: number | null;
  /** Of the token or the person; null for others, and for a person that was removed. */
  readonly name: string | null;
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
  /** What the answer is about: it is removed with that (db/kept-answers.ts). */
  readonly calendar_id: number | null;
  readonly event_id: number | null;
  readonly subscriber_id: number | null;
  readonly person_id: number | null;
  /** The JSON that was answered. */
  readonly body: string;
  readonly created_at: number;
}

export type SubscriberRow = RowOf<typeof subscriberColumns>;

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
  /** Failed attempts of any messages in a row; one is counted before it begins. */
  readonly failures: number;
  /** When the next attempt of any message may be made: while one is made, when its server counts as gone. */
  readonly next_at: number;
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
  /** Each is counted before it is made. */
  readonly attempts: number;
  /** When it is due; 0 before the first attempt. */
  readonly next_at: number;
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

/** A job that one server does at a time. */
export interface JobRow {
  readonly name: string;
  /** Attempts since the last success, each counted before it is made. */
  readonly attempts: number;
  /** When it may be done next, in Unix seconds. */
  readonly next_at: number;
}

/** A person of an account (extensions X9.1). */
export interface PersonRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  /** Empty when unknown. */
  readonly email: string;
  /** Of the console; empty for that of the browser. */
  readonly language: string;
  readonly created_at: number;
  readonly disabled_at: number | null;
  /** First sign-in since the person was added or disabled; null before it. */
  readonly joined_at: number | null;
}

export interface GrantRow {
  readonly person_id: number;
  /** 0 for all calendars of the account. */
  readonly calendar_id: number;
  readonly role: "owner" | "editor" | "viewer";
  /** 1 when the person sees the names and addresses of followers. */
  readonly sees_followers: number;
}

/** What a person may do in one calendar, or in all. */
export type Grant = Omit<GrantRow, "person_id">;

/** A link that signs in once. It is deleted when it is used. */
export interface SignInLinkRow {
  readonly id: number;
  readonly person_id: number;
  /** SHA-256 of the secret in hex: the secret itself is never stored. */
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** A session of the console, of a person or of a token: the other is null. */
export interface SessionRow {
  readonly id: number;
  readonly account_id: number;
  readonly person_id: number | null;
  readonly token_id: number | null;
  /** SHA-256 of the cookie in hex. */
  readonly hash: string;
  readonly device: string;
  readonly created_at: number;
  /** Behind by up to an hour. */
  readonly used_at: number;
  /** When it ends, however much it is used. */
  readonly ends_at: number;
}

/** A key with which a person signs in (W3C WebAuthn). Texts are in base64url. */
export interface PasskeyRow {
  readonly id: number;
  readonly person_id: number;
  readonly created_at: number;
  readonly used_at: number;
  /** Of signatures, where the authenticator counts them; else 0. */
  readonly counter: number;
  /** 1 when its provider copies it to other devices. */
  readonly synced: number;
  /** 1 when it can be copied: backup eligible; null until the next sign-in of one that was added before this was stored. */
  readonly may_sync: number | null;
  readonly credential_id: string;
  /** As COSE has it. */
  readonly public_key: string;
  readonly device: string;
}

/** A challenge that was used, so that it counts once. */
export interface UsedChallengeRow {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly ends_at: number;
}

/** Whom an identity provider names as a person: the pair is unique and stays (OpenID Connect Core 2). */
export interface IdentityRow {
  readonly person_id: number;
  readonly issuer: string;
  readonly subject: string;
  readonly created_at: number;
}
