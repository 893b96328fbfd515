import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Db } from "../db/database.js";
import { forgetPerson } from "../db/kept-answers.js";
import type { SubscriberRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { formatInstant } from "../time/instants.js";
import type { Announcement } from "../webhooks/message.js";
import { announce, announceAlone, forgetSubscriber } from "../webhooks/outbox-queries.js";
import { hasCalendar } from "../webhooks/queries.js";
import { addToCounters, counterChange } from "./counter-queries.js";

export type SubscriberChange = "created" | "unfollowed" | "deleted" | "blocked" | "unblocked";

/** Announces a new subscriber in the group of its write. */
export async function announceSubscriber(
  trx: Transaction,
  webhooks: number,
  row: SubscriberRow,
  now: number,
): Promise<void> {
  if (webhooks > 0) await announce(trx, webhooks, announcement("created", row, now));
}

/** Announces a change of a subscriber in its transaction. */
export async function announceSubscriberAlone(
  trx: Transaction,
  change: SubscriberChange,
  row: SubscriberRow,
  now: number,
): Promise<void> {
  await announceAlone(trx, announcement(change, row, now));
}

/** Only endpoints with `with_person` get the name and the e-mail address, and of a deleted person no one (extensions X4.3). */
function announcement(change: SubscriberChange, row: SubscriberRow, now: number): Announcement {
  const { name, email } = row;
  const subscriber = {
    id: String(row.id),
    calendar_id: String(row.calendar_id),
    calendar_type: row.calendar_type,
    active: row.active === 1,
    blocked: row.blocked === 1,
    date_subscribed: formatInstant(row.subscribed_at),
  };
  return {
    accountId: row.account_id,
    calendarId: row.calendar_id,
    type: `subscriber.${change}`,
    now,
    data: { subscriber },
    ...(change === "deleted"
      ? {}
      : { withPerson: { subscriberId: row.id, data: { subscriber: { ...subscriber, name, email } } } }),
  };
}

// Changes of one subscriber in a transaction (rulings R5.2, R5.3), each with the counters of its calendar.

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

/** A subscriber; with an account only where it is that account's, and its calendar is not deleted. */
export type Named = Pick<SubscriberRow, "id"> & Partial<Pick<SubscriberRow, "account_id">>;

export interface Within {
  readonly trx: Transaction;
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

/** What was sent or answered, or is to be sent, holds no data about it any more. */
export async function announceDeleted(trx: Transaction, row: SubscriberRow, now: number): Promise<void> {
  await forgetSubscriber(trx, row.id);
  await forgetPerson(trx, { subscriber_id: row.id });
  await announceSubscriberAlone(trx, "deleted", row, now);
}

interface Change {
  readonly name: SubscriberChange;
  readonly to: (
    before: SubscriberRow,
  ) => Partial<Pick<SubscriberRow, "active" | "blocked" | "unfollowed_at" | "last_seen_at">>;
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
