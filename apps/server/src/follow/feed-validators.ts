import { hash } from "node:crypto";
import type { CalendarRow } from "../db/rows.js";
import { dayOf } from "./feed-body.js";
import type { FeedSettings } from "./feed-entries.js";

/** Raised when the same events would be written otherwise: every app then reads its feed anew. */
const feedVersion = 1;

/** Stands in every ETag for what changes all feeds of a service. */
export function feedFormat({ publicUrl = "", refreshMinutes }: FeedSettings): string {
  return hash("sha256", `${feedVersion} ${refreshMinutes} ${publicUrl}`).slice(0, 8);
}

/** The calendar's columns that a feed's validators come from. */
export type FeedState = Pick<CalendarRow, "feed_version" | "feed_modified_at" | "feed_cut"> & {
  readonly calendar_id: number;
};

export interface Validators {
  readonly etag: string;
  /** Unix seconds; undefined when the time does not tell the states of this feed apart. */
  readonly modifiedAt: number | undefined;
  /** What the answer says of it: a second less as long as the feed may change again in that second. */
  readonly lastModified: number | undefined;
}

/**
 * The validators of a feed, without reading an event (RFC 9110 8.8). The ETag is weak: the same for every encoding.
 */
export function validators(state: FeedState, format: string, now: number, isEmpty: boolean): Validators {
  const name = `${state.calendar_id}-${state.feed_version}-${format}`;
  // A follower who is blocked and let in again would be told by no time.
  if (isEmpty) return { etag: `W/"${name}-empty"`, modifiedAt: undefined, lastModified: undefined };
  const day = dayOf(now);
  const isCut = state.feed_cut === 1;
  const modifiedAt = isCut ? Math.max(state.feed_modified_at, day * 86_400) : state.feed_modified_at;
  const lastModified = modifiedAt === now ? modifiedAt - 1 : modifiedAt;
  return { etag: `W/"${name}${isCut ? `-${day}` : ""}"`, modifiedAt, lastModified };
}

/** Whether the caller has that state already (RFC 9110 13.1.2, 13.1.3). */
export function isUnchanged(
  headers: {
    readonly "if-none-match"?: string | undefined;
    readonly "if-modified-since"?: string | undefined;
  },
  { etag, modifiedAt }: Validators,
): boolean {
  const tags = headers["if-none-match"];
  if (tags !== undefined) return hasTag(tags, etag);
  const since = headers["if-modified-since"];
  if (since === undefined || modifiedAt === undefined) return false;
  // `Date.parse` reads more than HTTP's dates, all of which are in GMT; what is none is ignored.
  return / GMT$/i.test(since) && Date.parse(since) / 1000 >= modifiedAt;
}

/** Weak comparison with each tag of the list (RFC 9110 8.8.3.2). */
function hasTag(list: string, etag: string): boolean {
  if (list === etag) return true; // nearly always: the app sends back what it was given
  if (list.trim() === "*") return true;
  const opaque = etag.slice("W/".length);
  return [...list.matchAll(/"[^"]*"/g)].some(([tag]) => tag === opaque);
}
