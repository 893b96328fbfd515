import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Db } from "../db/database.js";
import type { Transaction } from "../db/transaction.js";
import type { SubscriberRow } from "../db/rows.js";
import { forgetSubscriber } from "../webhooks/outbox-queries.js";
import { hasCalendar } from "../webhooks/queries.js";
import { announceSubscriberAlone, type SubscriberChange } from "./announce.js";
import { addToCounters, counterChange } from "./counter-queries.js";

// Changes of one subscriber in a transaction (rulings R5.2, R5.3), each with the counters of its calendar.

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

/** A subscriber; with an account only where it is that account's, and its calendar is not deleted. */
export type Named = Pick<SubscriberRow, "id"> & Partial<Pick<SubscriberRow, "account_id">>;

export interface Within {
  readonly trx: Transaction;
  /** Unix seconds. */
  readonly now: number;
}

/** Blocks or unblocks a subscriber: the feed of a blocked one still answers 200, without events. Undefined when it does not exist. */
export async function setBlocked(
  within: Within,
  subscriber: Named,
  isBlocked: boolean,
): Promise<SubscriberRow | undefined> {
  const name = isBlocked ? "blocked" : "unblocked";
  return change(within, subscriber, { name, to: () => ({ blocked: isBlocked ? 1 : 0 }) });
}

/** Deletes a subscriber and all data about it. Returns the deleted row; undefined when the subscriber does not exist. */
export async function erase(within: Within, subscriber: Named): Promise<SubscriberRow | undefined> {
  const { trx, now } = within;
  const before = await lockSubscriber(trx, subscriber);
  if (before === undefined) return undefined;
  await subscribers(trx).where({ id: before.id }).delete();
  await addToCounters(trx, before.calendar_id, counterChange([[before, undefined]]), now);
  await announceDeleted(trx, before, now);
  return before;
}

/** What was sent, or is to be, holds no data about it any more. */
export async function announceDeleted(trx: Transaction, row: SubscriberRow, now: number): Promise<void> {
  await forgetSubscriber(trx, row.id);
  await announceSubscriberAlone(trx, "deleted", row, now);
}

interface Change {
  readonly name: SubscriberChange;
  readonly to: (
    before: SubscriberRow,
  ) => Partial<Pick<SubscriberRow, "active" | "blocked" | "unfollowed_at">>;
}

/** Changes a subscriber and the counters of its calendar, and announces what is new. */
export async function change(
  { trx, now }: Within,
  subscriber: Named,
  { name, to }: Change,
): Promise<SubscriberRow | undefined> {
  const before = await lockSubscriber(trx, subscriber);
  if (before === undefined) return undefined;
  const after = { ...before, ...to(before) };
  await subscribers(trx).where({ id: before.id }).update(to(before));
  await addToCounters(trx, before.calendar_id, counterChange([[before, after]]), now);
  const isNew = before.blocked !== after.blocked || before.unfollowed_at !== after.unfollowed_at;
  if (isNew) await announceSubscriberAlone(trx, name, after, now);
  return after;
}

/** Locks the calendar, then the subscriber, and returns the subscriber. */
async function lockSubscriber(trx: Db, subscriber: Named): Promise<SubscriberRow | undefined> {
  const found = await subscribers(trx).where(subscriber).first("calendar_id");
  if (found === undefined) return undefined;
  await lockCalendarRows(trx, [found.calendar_id]);
  const { account_id } = subscriber;
  if (account_id !== undefined && !(await hasCalendar(trx, account_id, found.calendar_id))) return undefined;
  return subscribers(trx).where(subscriber).forUpdate().first();
}
