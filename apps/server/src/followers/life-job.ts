import type { Knex } from "knex";
import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Database, Db } from "../db/database.js";
import { countRows } from "../db/paging.js";
import type { SubscriberRow } from "../db/rows.js";
import { daySeconds } from "../time/formats.js";
import { announceDeleted, change, erase } from "./subscriber-change-queries.js";
import { addToDays } from "./statistics-queries.js";
import { addToCounters, countActivityChanges, counterChange } from "./counter-queries.js";
import { hashFollowerKey, newFollowerKey } from "./subscribe.js";
import { picksOf } from "./subscriber-queries.js";

// The states of a subscriber (rulings R5.2, R5.3). Each change also updates the calendar's counters, in one transaction.

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

/**
 * Ends a subscription; later fetches of the feed do not make it active again. The person's data stays until the subscriber
 * is deleted. Undefined when the subscriber does not exist.
 */
export async function unfollow(db: Database, id: number, now: number): Promise<SubscriberRow | undefined> {
  const to = ({ unfollowed_at }: SubscriberRow) => ({ active: 0, unfollowed_at: unfollowed_at ?? now });
  return db.transaction((trx) => change({ trx, now }, { id }, { name: "unfollowed", to }));
}

/**
 * Replaces a subscriber's key; the old one stops working at once. Returns the new key; undefined when the subscriber does
 * not exist, or when its key has changed since.
 */
export async function renewKey(db: Database, id: number, oldHash: string): Promise<string | undefined> {
  const key = newFollowerKey();
  const changed = await db.transaction((trx) =>
    subscribers(trx)
      .where({ id, key_hash: oldHash })
      .update({ key_hash: hashFollowerKey(key) }),
  );
  return changed === 1 ? key : undefined;
}

/** Stores which categories the subscriber's feed has; null for everything. Its next fetch gets them. */
export async function chooseCategories(
  db: Database,
  id: number,
  categories: SubscriberRow["categories"],
  now: number,
): Promise<void> {
  await db.transaction(async (trx) => {
    const before = await subscribers(trx).where({ id }).forUpdate().first("calendar_id", "categories");
    if (before === undefined) return;
    await subscribers(trx).where({ id }).update({ categories });
    await addToDays(trx, picksOf({ ...before, categories }, now, before.categories));
  });
}

/** Deletes a subscriber and all data about it. Returns the deleted row; undefined when the subscriber does not exist. */
export async function deleteSubscriber(
  db: Database,
  id: number,
  now: number,
): Promise<SubscriberRow | undefined> {
  return db.transaction((trx) => erase({ trx, now }, { id }));
}

/** Selects subscribers of a calendar or of all calendars of an account that followed before a time in Unix seconds. */
export interface Prune {
  readonly before: number;
  readonly of: { readonly calendar_id: number } | { readonly account_id: number };
}

/** Counts the subscribers that `pruneNeverFetched` would delete. */
export async function countNeverFetched(db: Database, prune: Prune): Promise<number> {
  return countRows(neverFetched(db.read, prune));
}

/** Deletes subscribers whose feed was never fetched. Returns how many. */
export async function pruneNeverFetched(db: Database, prune: Prune, now: number): Promise<number> {
  for (let pruned = 0; ;) {
    const batch = await neverFetched(db.read, prune).limit(batchSize).select("id", "calendar_id");
    if (batch.length === 0) return pruned;
    pruned += await db.transaction(async (trx) => {
      const rows = await deleteNeverFetched(trx, batch, prune, now);
      for (const row of rows) await announceDeleted(trx, row, now);
      return rows.length;
    });
  }
}

/**
 * Fetches of the first 15 minutes are stored only when the app is recognised, which confirms its type. Whoever has confirmed an address
 * follows by e-mail.
 */
function neverFetched(db: Db, { before, of }: Prune) {
  return subscribers(db)
    .where({ ...of, type_confirmed: 0, blocked: 0 })
    .whereNot({ news: 2 })
    .where("subscribed_at", "<", before)
    .whereRaw("last_seen_at <= subscribed_at");
}

async function deleteNeverFetched(trx: Db, batch: readonly Candidate[], prune: Prune, now: number) {
  const calendars = [...new Set(batch.map(({ calendar_id }) => calendar_id))];
  await lockCalendarRows(trx, calendars);
  const ids = batch.map(({ id }) => id);
  // Read again: a feed may have been fetched since the batch was read.
  const rows = await neverFetched(trx, prune).whereIn("id", ids).forUpdate();
  const found = rows.map(({ id }) => id);
  await subscribers(trx).whereIn("id", found).delete();
  for (const calendarId of calendars) {
    const deleted = rows.filter(({ calendar_id }) => calendar_id === calendarId);
    await addToCounters(trx, calendarId, counterChange(deleted.map((row) => [row, undefined])), now);
  }
  return rows;
}

/** Subscribers changed in one transaction; small, so that other writers do not wait long. */
const batchSize = 500;

/**
 * Marks subscribers inactive whose feed was last fetched more than `days` days before `now` (Unix seconds). Returns how
 * many. Safe on several servers at once; ends between two batches when `isStopping` returns true.
 */
export async function sweepInactive(
  db: Database,
  now: number,
  days: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  await endFutureFetches(db, now);
  const before = now - days * daySeconds;
  for (let swept = 0; ;) {
    const batch = await inactiveCandidates(db.read, before);
    swept += await markInactive(db, batch, before, now);
    if (batch.length < batchSize || isStopping()) return swept;
  }
}

/**
 * Sets the last fetch of subscribers to `now` (Unix seconds) that is more than a day later, which the clocks of several servers
 * do not differ by: it was recorded while a clock was ahead, and would keep the subscriber active until then.
 */
async function endFutureFetches(db: Database, now: number): Promise<void> {
  for (;;) {
    const ids = await subscribers(db.read)
      .whereRaw("active = 1")
      .where("last_seen_at", ">", now + daySeconds)
      .limit(batchSize)
      .pluck("id");
    if (ids.length === 0) return;
    await db.transaction((trx) =>
      subscribers(trx)
        .whereIn("id", ids)
        .where("last_seen_at", ">", now + daySeconds)
        .update({ last_seen_at: now }),
    );
  }
}

type Candidate = Pick<SubscriberRow, "id" | "calendar_id">;

/** Returns the query for active subscribers last seen before `before` (Unix seconds), oldest first; it runs when awaited. */
export function inactiveCandidates(db: Db, before: number): Knex.QueryBuilder<SubscriberRow, Candidate[]> {
  return subscribers(db)
    .whereRaw("active = 1") // a literal, because the partial index is chosen only for a literal
    .where("last_seen_at", "<", before)
    .orderBy("last_seen_at")
    .limit(batchSize)
    .select("id", "calendar_id");
}

async function markInactive(db: Database, batch: readonly Candidate[], before: number, now: number) {
  if (batch.length === 0) return 0;
  return db.transaction(async (trx) => {
    const calendars = [...new Set(batch.map(({ calendar_id }) => calendar_id))];
    await lockCalendarRows(trx, calendars);
    // Conditions repeated: a subscriber may have fetched, unfollowed or been deleted since the batch was read.
    const ids = batch.map(({ id }) => id);
    const rows = await subscribers(trx)
      .whereIn("id", ids)
      .where({ active: 1 })
      .where("last_seen_at", "<", before)
      .update({ active: 0 })
      .returning(["calendar_id", "blocked"]);
    await countActivityChanges(trx, rows, 0, now);
    return rows.length;
  });
}
