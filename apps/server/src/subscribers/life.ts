import type { Knex } from "knex";
import { lockCalendar, lockCalendarRows } from "../calendars/locks.js";
import { batched, type Member } from "../db/batch.js";
import { columnsExcept, insertRows, rowArray, subscriberColumns } from "../db/columns.js";
import type { Database, Db } from "../db/database.js";
import type { SubscriberRow } from "../db/rows.js";
import { countFlips, moveCounters, moved } from "./counters.js";
import { hashFollowerKey, newFollowerKey } from "./keys.js";

// The life of a follower (rulings R5.2, R5.3). Each change is one transaction with the calendar's counters in it.

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

/** What following tells about a person. */
export type Person = Pick<
  SubscriberRow,
  "name" | "email" | "ip" | "postal" | "city" | "state" | "country" | "calendar_type"
>;

/**
 * Makes a follower of a calendar. Returns its key, which is not stored and cannot be read again; undefined when the
 * calendar is not there or deleted.
 */
export async function follow(
  db: Database,
  calendarId: number,
  person: Person,
  now: number,
): Promise<string | undefined> {
  const key = newFollowerKey();
  const isFollowed = await db.groupTransaction(async (trx) => {
    // Locked, so that no follower comes to a calendar that is being deleted: its data would stay behind.
    const calendar = await lockCalendar(trx, { calendarId });
    if (calendar === undefined) return false;
    await insertFollower(trx, {
      ...person,
      account_id: calendar.account_id,
      calendar_id: calendarId,
      active: 1,
      blocked: 0,
      subscribed_at: now,
      key_hash: hashFollowerKey(key),
      last_seen_at: now,
      type_confirmed: 0,
      unfollowed_at: null,
    });
    return true;
  });
  return isFollowed ? key : undefined;
}

/** Stores a new follower and counts it on its calendar, which must be locked. */
async function insertFollower(trx: Member, follower: NewFollower): Promise<void> {
  await Promise.all([insertFollowerRow(trx, follower), countFollower(trx, follower)]);
}

type NewFollower = Omit<SubscriberRow, "id">;

const inserted = rowArray(subscriberColumns, columnsExcept(subscriberColumns, "id"));

const insertFollowerRow = batched<NewFollower, never, void>({
  writes: true,
  rows: (followers) => followers.map(inserted.cells),
  sql: (dialect) => insertRows("subscribers", inserted, dialect),
  results: (followers) => followers.map(() => undefined),
});

const countFollower = batched<NewFollower, never, void>({
  writes: true,
  rows: (followers) => {
    const counts = new Map<number, number>();
    for (const { calendar_id } of followers) counts.set(calendar_id, (counts.get(calendar_id) ?? 0) + 1);
    return [...counts];
  },
  sql: ({ items }) => `update calendars set followers_total = followers_total + added.followers,
      followers_active = followers_active + added.followers
    from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as followers from ${items}($1)) as added
    where calendars.id = added.id`,
  results: (followers) => followers.map(() => undefined),
});

/** Blocks a follower: its feed stays healthy and becomes empty. Undefined when there is no such subscriber. */
export async function block(db: Database, id: number): Promise<SubscriberRow | undefined> {
  return change(db, id, () => ({ blocked: 1 }));
}

/** Lifts a block. Undefined when there is no such subscriber. */
export async function unblock(db: Database, id: number): Promise<SubscriberRow | undefined> {
  return change(db, id, () => ({ blocked: 0 }));
}

/**
 * The follower follows no more, and no fetch of the feed makes it active again. What it told stays until it is deleted.
 * Undefined when there is no such subscriber.
 */
export async function unfollow(db: Database, id: number, now: number): Promise<SubscriberRow | undefined> {
  return change(db, id, ({ unfollowed_at }) => ({ active: 0, unfollowed_at: unfollowed_at ?? now }));
}

/**
 * Gives a follower a new key; from then on the old one opens nothing. Returns the new key; undefined when there is no such
 * subscriber, or its key is another by now.
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

/** Removes a follower and all it told. Returns what was removed; undefined when there is no such subscriber. */
export async function deleteSubscriber(db: Database, id: number): Promise<SubscriberRow | undefined> {
  return db.transaction(async (trx) => {
    const before = await lockSubscriber(trx, id);
    if (before === undefined) return undefined;
    await subscribers(trx).where({ id }).delete();
    await moveCounters(trx, before.calendar_id, moved([[before, undefined]]));
    return before;
  });
}

type Change = Partial<Pick<SubscriberRow, "active" | "blocked" | "unfollowed_at">>;

async function change(
  db: Database,
  id: number,
  to: (before: SubscriberRow) => Change,
): Promise<SubscriberRow | undefined> {
  return db.transaction(async (trx) => {
    const before = await lockSubscriber(trx, id);
    if (before === undefined) return undefined;
    const after = { ...before, ...to(before) };
    await subscribers(trx).where({ id }).update(to(before));
    await moveCounters(trx, before.calendar_id, moved([[before, after]]));
    return after;
  });
}

/** The subscriber, locked after its calendar. */
async function lockSubscriber(trx: Db, id: number): Promise<SubscriberRow | undefined> {
  const found = await subscribers(trx).where({ id }).first("calendar_id");
  if (found === undefined) return undefined;
  await lockCalendarRows(trx, [found.calendar_id]);
  return subscribers(trx).where({ id }).forUpdate().first();
}

/** Followers that one transaction of a sweep changes: few enough that other writers hardly wait. */
const batchSize = 500;

/**
 * Makes those inactive whose feed was last fetched more than `days` days ago. Returns how many. Safe to run on several
 * servers at once; ends early, between two batches, when `isStopping` says so.
 */
export async function sweepInactive(
  db: Database,
  now: number,
  days: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const before = now - days * 86_400;
  for (let swept = 0; ;) {
    const batch = await silentFollowers(db.read, before);
    swept += await markInactive(db, batch, before);
    if (batch.length < batchSize || isStopping()) return swept;
  }
}

type Silent = Pick<SubscriberRow, "id" | "calendar_id">;

/** Active followers last seen before a time, longest silent first, as a query that runs when awaited. */
export function silentFollowers(db: Db, before: number): Knex.QueryBuilder<SubscriberRow, Silent[]> {
  return subscribers(db)
    .whereRaw("active = 1") // written out, not bound: the index holds only these
    .where("last_seen_at", "<", before)
    .orderBy("last_seen_at")
    .limit(batchSize)
    .select("id", "calendar_id");
}

async function markInactive(db: Database, batch: readonly Silent[], before: number): Promise<number> {
  if (batch.length === 0) return 0;
  return db.transaction(async (trx) => {
    const calendars = [...new Set(batch.map(({ calendar_id }) => calendar_id))];
    await lockCalendarRows(trx, calendars);
    // Asked again: since the batch was read, one may have been seen, unfollowed or deleted.
    const rows = await subscribers(trx)
      .whereIn(
        "id",
        batch.map(({ id }) => id),
      )
      .where({ active: 1 })
      .where("last_seen_at", "<", before)
      .update({ active: 0 })
      .returning(["calendar_id", "blocked"]);
    await countFlips(trx, rows, 0);
    return rows.length;
  });
}
