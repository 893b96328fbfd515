import type { MaybeKept } from "../db/lookup.js";
import { hash, randomBytes } from "node:crypto";
import fresh from "fresh";
import { omittedFrom } from "../calendars/feed-omits.js";
import type { Database } from "../db/database.js";
import { findProperty, initProperty, secretProperty } from "../db/properties.js";
import type { CalendarRow } from "../db/rows.js";
import { dayOf } from "./feed-body.js";
import type { FeedSettings } from "./feed-entries.js";

/** Increase it when the same events are written differently, so that every app reads its feed again. */
const formatVersion = 3;

/**
 * Returns the part of every ETag that changes when all feeds of a service change. With a secret: without one, the id and the
 * number of changes that belong to an ETag could be found by trying them.
 */
export function feedFormat({ publicUrl = "", refreshMinutes }: FeedSettings, secret: string): string {
  return hash("sha256", `${secret} ${formatVersion} ${refreshMinutes} ${publicUrl}`);
}

/** The calendar's columns that determine a feed's validators. */
export type FeedState = Pick<CalendarRow, "account_id" | "feed_version" | "feed_modified_at" | "feed_cut"> &
  MaybeKept & {
    readonly calendar_id: number;
    /** Of a follower who has picked some; null or absent for everything. */
    readonly categories?: string | null;
  };

export interface Validators {
  readonly etag: string;
  /** Unix seconds; undefined when a time cannot distinguish the states of this feed. */
  readonly modifiedAt: number | undefined;
  /** Value of Last-Modified. Undefined too while `modifiedAt` is in the future, which RFC 9110 8.8.2.1 does not allow. */
  readonly lastModified: number | undefined;
}

/** Returns the validators of a feed without reading events (RFC 9110 8.8). The ETag is weak: all encodings share it. */
export function validators(state: FeedState, format: string, now: number, isEmpty: boolean): Validators {
  const name = tagName(state, format);
  // No column records when a follower was blocked or unblocked.
  if (isEmpty) return { etag: `W/"${name}-empty"`, modifiedAt: undefined, lastModified: undefined };
  // No column says when they were picked.
  if (typeof state.categories === "string" && omittedFrom(state) !== "upcoming")
    return { etag: `W/"${name}"`, modifiedAt: undefined, lastModified: undefined };
  // A feed without some upcoming events also changes with the day, and the time of a later commit may be before that.
  if (omittedFrom(state) === "upcoming")
    return { etag: `W/"${name}-${dayOf(now)}"`, modifiedAt: undefined, lastModified: undefined };
  const modifiedAt = state.feed_modified_at;
  return { etag: `W/"${name}"`, modifiedAt, lastModified: modifiedAt > now ? undefined : modifiedAt };
}

/** Hashed, so that the ETag shows neither the id of the calendar nor how often it was changed. */
function tagName({ calendar_id, feed_version, categories }: FeedState, format: string): string {
  const picked = typeof categories === "string" ? ` ${categories}` : "";
  return hash("sha256", `${calendar_id}-${feed_version}-${format}${picked}`, "base64url").slice(0, 22);
}

/**
 * Returns whether the caller has this state already (RFC 9110 13.1.2, 13.1.3). `Cache-Control: no-cache` does not matter:
 * it asks for a validated response, and a 304 is one (RFC 9111 5.2.1.4).
 */
export function isUnchanged(
  headers: {
    readonly "if-none-match"?: string | undefined;
    readonly "if-modified-since"?: string | undefined;
  },
  { etag, modifiedAt }: Validators,
): boolean {
  const { "if-none-match": tags, "if-modified-since": since } = headers;
  if (tags !== undefined) return fresh({ "if-none-match": tags }, { etag });
  if (since === undefined || modifiedAt === undefined) return false;
  // Only the very date that was sent: a later one tells nothing, because a commit's time can be earlier than the commit.
  return parseHttpDate(since) === modifiedAt;
}

const imfFixdate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const rfc850Date = /^[A-Z][a-z]+, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/;
const asctimeDate = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;

/** Returns Unix seconds; NaN when the text is not an HTTP date (RFC 9110 5.6.7). `Date.parse` alone accepts more. */
function parseHttpDate(text: string): number {
  if (asctimeDate.test(text)) return Date.parse(`${text} GMT`) / 1000;
  return imfFixdate.test(text) || rfc850Date.test(text) ? Date.parse(text) / 1000 : NaN;
}

/**
 * Returns the secret of the feeds of a database. The first start makes it, and it stays, so that apps need not read every feed
 * again after a restart.
 */
export async function openFeedSecret(db: Database): Promise<string> {
  const known = await findProperty(db.read, secretProperty);
  if (known !== undefined) return known;
  return db.transaction(async (trx) => {
    const made = randomBytes(16).toString("base64url");
    await initProperty(trx, secretProperty, made);
    return (await findProperty(trx, secretProperty)) ?? made; // another server may have been first
  });
}
