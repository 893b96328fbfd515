import type { Transaction } from "../db/transaction.js";
import type { SubscriberRow } from "../db/rows.js";
import { formatInstant } from "../time/instants.js";
import type { Announcement } from "../webhooks/message.js";
import { announce, announceAlone } from "../webhooks/outbox-queries.js";

/** What can happen to a subscriber. */
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
