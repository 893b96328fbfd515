import { hash, randomBytes } from "node:crypto";
import { lockCalendar } from "../calendars/lock-queries.js";
import type { Database } from "../db/database.js";
import type { SubscriberRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { networkOf } from "../settings/ip-address.js";
import { announceSubscriber } from "./subscriber-change-queries.js";
import { insertFollower } from "./subscriber-queries.js";

/** The data that the follow form and request record about a person. */
export type Person = Pick<
  SubscriberRow,
  "name" | "email" | "ip" | "postal" | "city" | "state" | "country" | "calendar_type"
> &
  Partial<Pick<SubscriberRow, "categories" | "language" | "news" | "news_asked_at">>;

/**
 * Creates a subscriber of a calendar. Returns its key, of which only the hash is stored; undefined when the calendar does
 * not exist or was deleted. `now` is in Unix seconds.
 */
export async function subscribe(
  db: Database,
  calendarId: number,
  person: Person,
  now: number,
): Promise<string | undefined> {
  const key = newFollowerKey();
  const keys = { key_hash: hashFollowerKey(key), combined_hash: null };
  const isFollowed = await db.transaction((trx) => addFollower(trx, calendarId, { ...person, ...keys }, now));
  return isFollowed ? key : undefined;
}

/** Adds a subscriber in the group of its write. False when the calendar does not exist or was deleted. */
export async function addFollower(
  trx: Transaction,
  calendarId: number,
  person: Person & Pick<SubscriberRow, "key_hash" | "combined_hash">,
  now: number,
): Promise<boolean> {
  // Locked, because a subscriber added to a calendar that is being deleted would never be removed.
  const calendar = await lockCalendar(trx, { calendarId });
  if (calendar === undefined) return false;
  const follower = {
    categories: null,
    language: "",
    news: 0,
    news_asked_at: 0,
    ...person,
    account_id: calendar.account_id,
    calendar_id: calendarId,
    active: 1,
    blocked: 0,
    subscribed_at: now,
    last_seen_at: now,
    type_confirmed: 0,
    unfollowed_at: null,
  };
  const id = await insertFollower(trx, follower);
  await announceSubscriber(trx, calendar.webhooks, { ...follower, id }, now);
  return true;
}

/** Returns a new follower's key: 128 random bits in base64url, 22 characters. The key alone authorizes its holder. */
export function newFollowerKey(): string {
  return randomBytes(16).toString("base64url");
}

/** Returns the hash that is stored and looked up. One fast hash is enough for 128 random bits. */
export function hashFollowerKey(key: string): string {
  return hash("sha256", key);
}

/** Returns whether the text has the form of a key. Anything else is unknown without a query. */
export function isFollowerKey(text: string): boolean {
  return /^[A-Za-z0-9_-]{22}$/.test(text);
}

/** How much of a follower's address is stored (setting STORE_IP). */
export type StoreIp = "full" | "truncated" | "off";

/** Returns what is stored of a canonical address: all of it, its network (IPv4 /24, IPv6 /48) or "". */
export function storedAddress(address: string | undefined, store: StoreIp): string {
  if (address === undefined || store === "off") return "";
  return store === "full" ? address : networkOf(address, { ipv4: 24, ipv6: 48 });
}
