import type { Database, Db } from "../db/database.js";
import { countRows } from "../db/paging.js";
import type { SubscriberRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { addDelivery, removeAddress } from "../webhooks/mail-queries.js";

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
 * Stores the address of a follower, and has a link sent to it unless too many were of late: no one learns which. An address that is
 * confirmed already stays so.
 */
export async function requestNews(trx: Transaction, request: NewsRequest): Promise<void> {
  const { id, address, language, now } = request;
  const follower = await subscribers(trx).where({ id }).whereNull("unfollowed_at").forUpdate().first();
  if (follower === undefined) return;
  if (follower.news === 2 && follower.email === address) {
    await subscribers(trx).where({ id }).update({ language });
    return;
  }
  if (follower.email !== address) await removeAddress(trx, id);
  await subscribers(trx).where({ id }).update({ email: address, language, news: 1, news_asked_at: now });
  if (!(await countRequest(trx, request))) return;
  const { account_id, calendar_id } = follower;
  const delivery = { account_id, calendar_id, subscriber_id: id, kind: "confirm", priority: 0 } as const;
  await addDelivery(trx, { ...delivery, created_at: now });
}

/** Counts a request. False when it is more than a day may have. */
async function countRequest(trx: Db, { hashes, limits, now }: NewsRequest): Promise<boolean> {
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
  "id" | "calendar_id" | "email" | "news" | "news_asked_at" | "unfollowed_at"
>;

export async function findNewsFollower(
  db: Pick<Database, "lookUp">,
  id: number,
): Promise<NewsFollower | undefined> {
  const [row] = await db.lookUp<NewsFollower>(newsFollowerSql, [id]);
  return row;
}

const newsFollowerSql =
  "select id, calendar_id, email, news, news_asked_at, unfollowed_at from subscribers where id = $1";

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
  const changed = await subscribers(trx)
    .where({ id, email })
    .where("news", ">", 0)
    .where((either) => void either.where({ news: 2 }).orWhere("news_asked_at", ">", now - confirmSeconds))
    .whereNull("unfollowed_at")
    .update({ news: 2 });
  return changed === 1;
}
