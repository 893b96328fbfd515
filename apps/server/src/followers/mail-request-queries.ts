import { isKept } from "../calendars/queries.js";
import type { Database, Db } from "../db/database.js";
import { countRows } from "../db/paging.js";
import { lockProperty, secretProperty } from "../db/properties.js";
import type { CalendarRow, SubscriberRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { addDelivery, lockPerson, removeAddress, withdrawConfirmations } from "../webhooks/mail-queries.js";

// How a follower's address is confirmed: by a link in a message to it (extensions X12.1).

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

/** How long a link to confirm an address is valid, in seconds. */
const confirmSeconds = 7 * 86_400;

/** Links to confirm an address that a day has: to one address, and of one source. */
export interface RequestLimits {
  readonly ofAddress: number;
  readonly ofSource: number;
}

export interface NewsRequest {
  readonly id: number;
  readonly address: string;
  readonly language: string;
  /** Hashes of the address and of the source of the request. */
  readonly hashes: { readonly address_hash: string; readonly source_hash: string };
  readonly limits: RequestLimits;
  readonly now: number;
}

/**
 * Stores the address of a follower, of all calendars that share their key, and has one link sent to it unless too many were of late:
 * no one learns which. An address that is confirmed already stays so.
 */
export async function requestNews(trx: Transaction, request: NewsRequest): Promise<void> {
  const { id, address, language, now } = request;
  const rows = await withCalendars(trx, await lockPerson(trx, id));
  const all = () =>
    subscribers(trx).whereIn(
      "id",
      rows.map((row) => row.id),
    );
  const following = rows.filter(({ unfollowed_at, isThere }) => unfollowed_at === null && isThere);
  const follower = following.find(({ blocked }) => blocked === 0);
  if (following.length === 0) return;
  if (rows.every(({ news, email }) => news === 2 && email === address)) {
    await all().update({ language });
    return;
  }
  if (rows.some(({ email }) => email !== address)) {
    await removeAddress(trx, id);
    // A link to the address before must not hold up the one to the new address until its next attempt.
    await withdrawConfirmations(trx, rows);
  }
  await all().update({ email: address, language, news: 1, news_asked_at: now });
  if (follower === undefined || !(await countRequest(trx, request))) return;
  const { account_id, calendar_id, id: subscriber_id } = follower;
  const delivery = { account_id, calendar_id, subscriber_id, kind: "confirm", priority: 0 } as const;
  await addDelivery(trx, { ...delivery, created_at: now });
}

/** Returns the followers whose calendars are there, or in the trash: those of a calendar that was deleted for good have no address. */
async function withCalendars(trx: Db, rows: readonly SubscriberRow[]) {
  const ids = rows.map(({ calendar_id }) => calendar_id);
  const kept = await trx<CalendarRow>("calendars")
    .whereIn("id", ids)
    .whereRaw(isKept())
    .select("id", "deleted_at");
  const isThere = new Map(kept.map(({ id, deleted_at }) => [id, deleted_at === null]));
  return rows
    .filter(({ calendar_id }) => isThere.has(calendar_id))
    .map((row) => ({ ...row, isThere: isThere.get(row.calendar_id) ?? false }));
}

/** Counts a request. False when it is more than a day may have. One request counts at a time, of all servers. */
async function countRequest(trx: Db, { hashes, limits, now }: NewsRequest): Promise<boolean> {
  await lockProperty(trx, secretProperty);
  const requests = () => trx<NewsRequest["hashes"] & { readonly created_at: number }>("mail_requests");
  const { address_hash, source_hash } = hashes;
  const since = () => requests().where("created_at", ">", now - 86_400);
  if ((await countRows(since().where({ address_hash }))) >= limits.ofAddress) return false;
  if ((await countRows(since().where({ source_hash }))) >= limits.ofSource) return false;
  await requests().insert({ ...hashes, created_at: now });
  return true;
}

/** A follower as the pages of links in messages show them. */
export type NewsFollower = Pick<
  SubscriberRow,
  "id" | "calendar_id" | "account_id" | "email" | "news" | "news_asked_at" | "unfollowed_at" | "combined_hash"
>;

export async function findNewsFollower(
  db: Pick<Database, "lookUp">,
  id: number,
): Promise<NewsFollower | undefined> {
  const [row] = await db.lookUp<NewsFollower>(newsFollowerSql, [id]);
  return row;
}

const newsFollowerSql = `select id, calendar_id, account_id, email, news, news_asked_at, unfollowed_at, combined_hash from subscribers where id = $1`;

/** The state of a follower's address: "none", "asked" while it is not confirmed, or "confirmed". */
export function addressState({
  email,
  news,
}: Pick<NewsFollower, "email" | "news">): "none" | "asked" | "confirmed" {
  if (email === "" || news === 0) return "none";
  return news === 1 ? "asked" : "confirmed";
}

/** Confirms the address that a link was sent to. False when it is not the follower's any more, or the link is too old. */
export async function confirmAddress(trx: Db, { id, email }: NewsFollower, now: number): Promise<boolean> {
  const rows = await lockPerson(trx, id);
  const asked = rows.filter(
    (row) =>
      row.email === email && (row.news === 2 || (row.news === 1 && row.news_asked_at > now - confirmSeconds)),
  );
  if (asked.every(({ unfollowed_at }) => unfollowed_at !== null)) return false;
  await subscribers(trx)
    .whereIn(
      "id",
      asked.map((row) => row.id),
    )
    .update({ news: 2 });
  return true;
}
