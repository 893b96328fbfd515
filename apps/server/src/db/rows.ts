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
  /** Number of calendar saves; orders calendars that were saved in the same second. */
  readonly calendar_saves: number;
  readonly created_at: number;
  /** Its tokens are refused since then; null unless it is disabled. */
  readonly disabled_at: number | null;
  /** The row of a deleted account stays, as do those of its calendars. */
  readonly deleted_at: number | null;
  /** Number of enabled webhook endpoints. */
  readonly webhooks: number;
  /** Bytes of its pictures. */
  readonly picture_bytes: number;
}

/** A picture; its served files are in picture_files. */
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
  /** The key redirects to the next one since then; null for the current key. */
  readonly replaced_at: number | null;
}

/** The profile of an account with its key; "" for none. */
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
  /** Stored up to an hour late; null for a token that was never used. */
  readonly last_used_at: number | null;
}

export type CalendarRow = RowOf<typeof calendarColumns>;

/** Whether an event takes place (RFC 5545 3.8.1.11). */
export type EventStatus = "confirmed" | "tentative" | "cancelled";

export interface EventRow extends Omit<RowOf<typeof eventColumns>, "json" | "state" | "status"> {
  readonly state: "published" | "draft" | "trashed";
  readonly status: EventStatus;
  /** The sync that created the event, while it exists; only some queries select it. */
  readonly synced_by?: number | null;
}

/** An event with its serialized list item (events/listed-json.ts). */
export interface StoredEventRow extends Omit<EventRow, "synced_by"> {
  readonly json: string;
}

export type EventSearchRow = RowOf<typeof eventSearchColumns>;

export type DeletedEventRow = RowOf<typeof deletedEventColumns>;

/** An entry of the history: a write to an event or a calendar, and its author. */
export interface HistoryRow extends Omit<RowOf<typeof historyColumns>, "action" | "author"> {
  readonly action: "created" | "changed" | "moved" | "deleted" | "restored";
  readonly author: "token" | "person" | "command_line" | "sync" | "service";
}

/** Sums of a calendar on a day in UTC (extensions X8.7), without personal data. */
export interface CalendarDayRow {
  readonly calendar_id: number;
  /**
   * `followed` and `unfollowed` count followers, `active` is the change of active ones; `polls` are by app, `picks` by
   * category.
   */
  readonly kind: "followed" | "unfollowed" | "active" | "polls" | "picks";
  /** Days since 1970. */
  readonly day: number;
  /** The app or the category, or empty. */
  readonly name: string;
  readonly count: number;
}

export interface ListedEntry extends HistoryRow {
  /** Current title of the event or the calendar; null when it was purged. */
  readonly title: string | null;
  /** Current calendar of the event; null when it was purged. */
  readonly home_id: number | null;
  /** Of the event; null for others. */
  readonly series_id: number | null;
  readonly start_local: number | null;
  /** Of the token or the person; null for others, and for a person that was removed. */
  readonly name: string | null;
}

/** Number of events of a calendar that start in the 2^18 seconds from bucket * 2^18 on; kept by triggers. */
export interface EventCountRow {
  readonly account_id: number;
  readonly calendar_id: number;
  readonly bucket: number;
  readonly events: number;
}

/** The stored response of a write with an `Idempotency-Key`. */
export interface IdempotencyKeyRow {
  readonly account_id: number;
  readonly key: string;
  readonly operation: string;
  /** SHA-256 in base64url. */
  readonly parameters_hash: string;
  /** Rows that the response is about: it is removed with them (db/kept-answers.ts). */
  readonly calendar_id: number | null;
  readonly event_id: number | null;
  readonly subscriber_id: number | null;
  readonly person_id: number | null;
  /** The JSON of the response. */
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
  /** The endpoint receives messages of this calendar; null for all. */
  readonly calendar_id: number | null;
  readonly url: string;
  /** The types of its messages, each between commas, such as ",event.created,event.saved,". */
  readonly types: string;
  /** 1 when its payloads may hold a person's name and e-mail address. */
  readonly with_person: number;
  /** In clear text, since messages are signed with it. */
  readonly secret: string;
  /** The secret before a rotation, which also signs until `previous_until`. */
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
  /** The row of a deleted endpoint stays until its deliveries are removed. */
  readonly state: "enabled" | "disabled" | "deleted";
  /** The reason that the owner sees. */
  readonly disabled_reason: string | null;
  /** When it was disabled or deleted. */
  readonly disabled_at: number | null;
  /** Failed attempts in a row, of any messages; each is counted before it begins. */
  readonly failures: number;
  /** When the next attempt of any message may begin; during an attempt, when its server counts as gone. */
  readonly next_at: number;
  readonly created_at: number;
}

/** A message to one endpoint: first in the outbox, then in the log. */
export interface WebhookDeliveryRow {
  readonly id: number;
  readonly endpoint_id: number;
  readonly calendar_id: number;
  /** The subscriber whose name or e-mail address is in the payload; null for none. */
  readonly subscriber_id: number | null;
  /** The same id for all attempts and all endpoints of one change. */
  readonly message_id: string;
  readonly type: string;
  readonly payload: string;
  readonly state: "pending" | "sent" | "failed";
  /** Each attempt is counted before it is made. */
  readonly attempts: number;
  /** Time of the next attempt; 0 before the first. */
  readonly next_at: number;
  /** The last attempt: status of the response, failure, and duration. */
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

/** A job that runs on one server at a time. */
export interface JobRow {
  readonly name: string;
  /** Attempts since the last success, each counted before it is made. */
  readonly attempts: number;
  /** When it may run next, in Unix seconds. */
  readonly next_at: number;
}

/** A person of an account (extensions X9.1). */
export interface PersonRow {
  readonly id: number;
  readonly account_id: number;
  readonly name: string;
  /** Empty when unknown. */
  readonly email: string;
  /** Language of the console; empty for the browser's. */
  readonly language: string;
  readonly created_at: number;
  readonly disabled_at: number | null;
  /** First sign-in since the person was added or disabled; null before it. */
  readonly joined_at: number | null;
  /** Id of the person who sent the invitation, who may have been removed since; null when it was the operator or a token. */
  readonly invited_by: number | null;
}

export interface GrantRow {
  readonly person_id: number;
  /** 0 for all calendars. */
  readonly calendar_id: number;
  readonly role: "owner" | "editor" | "viewer";
  /** 1 when the person sees the names and addresses of followers. */
  readonly sees_followers: number;
}

export type Grant = Omit<GrantRow, "person_id">;

/** A grant with the title of its calendar; "" for all calendars. */
export interface TitledGrant extends Grant {
  readonly title: string;
}

/** A link that signs in once: its use deletes it. */
export interface SignInLinkRow {
  readonly id: number;
  readonly person_id: number;
  /** SHA-256 of the secret in hex: the secret itself is never stored. */
  readonly hash: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** A session of the console, of a person or a token: the other id is null. */
export interface SessionRow {
  readonly id: number;
  readonly account_id: number;
  readonly person_id: number | null;
  readonly token_id: number | null;
  /** SHA-256 of the cookie in hex. */
  readonly hash: string;
  readonly device: string;
  readonly created_at: number;
  /** Stored up to an hour late. */
  readonly used_at: number;
  readonly ends_at: number;
}

/** A key with which a person signs in (W3C WebAuthn). Texts are in base64url. */
export interface PasskeyRow {
  readonly id: number;
  readonly person_id: number;
  readonly created_at: number;
  readonly used_at: number;
  /** Signature counter of the authenticator; 0 without one. */
  readonly counter: number;
  /** 1 when its provider syncs it to other devices. */
  readonly synced: number;
  /** 1 when it can be synced (backup eligible); null until the next sign-in of a passkey that was added before this column. */
  readonly may_sync: number | null;
  readonly credential_id: string;
  /** In COSE form. */
  readonly public_key: string;
  readonly device: string;
}

/** A used challenge, which is not accepted again. */
export interface UsedChallengeRow {
  /** SHA-256 in hex. */
  readonly hash: string;
  readonly ends_at: number;
}

/** The identity of a person at a provider: the pair is unique and never changes (OpenID Connect Core 2). */
export interface IdentityRow {
  readonly person_id: number;
  readonly issuer: string;
  readonly subject: string;
  readonly created_at: number;
}

/** The author of a write, for the history (extensions X9.4). */
export interface Author {
  readonly kind: "token" | "person" | "command_line" | "sync";
  /** Id of the token, the person or the sync; 0 on the command line. */
  readonly id: number;
  /** Operation of the request; empty without one. */
  readonly operation: string;
  /** Whether followers are not told of it by e-mail, and what they are told with it (extensions X12.1). */
  readonly isQuiet?: boolean;
  readonly note?: string | undefined;
}

/** What has changed in a calendar and is not told yet. */
export interface NewsWindowRow {
  readonly calendar_id: number;
  readonly account_id: number;
  /** The last entry of the history that was gathered. */
  readonly entry_id: number;
  readonly closes_at: number | null;
}

/** What followers are told: changes of events, or a message of the organizer. */
export interface NewsRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly created_at: number;
  /** Until when pages show a message. */
  readonly shown_until: number;
  /** Followers with a confirmed address, when it was made. */
  readonly receivers: number;
  readonly sent: number;
  readonly failed: number;
  /** The last follower who has a delivery; null once all have one. */
  readonly fill_after: number | null;
  readonly kind: "changes" | "message";
  readonly subject: string;
  /** The text of a message, or the changes as JSON. */
  readonly content: string;
}

/** A message to one follower or person. */
export interface MailDeliveryRow {
  readonly id: number;
  readonly account_id: number;
  readonly calendar_id: number;
  readonly news_id: number;
  readonly subscriber_id: number;
  readonly person_id: number;
  /** 0 is sent before 1. */
  readonly priority: number;
  readonly attempts: number;
  readonly next_at: number;
  readonly attempted_at: number;
  readonly created_at: number;
  readonly kind: "confirm" | "news" | "sign_in";
  readonly state: "pending" | "sent" | "failed" | "skipped";
  readonly error: string;
}
