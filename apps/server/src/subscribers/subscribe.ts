import { lockCalendar } from "../calendars/lock-queries.js";
import type { Database } from "../db/database.js";
import type { SubscriberRow } from "../db/rows.js";
import { announceSubscriber } from "./announce.js";
import { hashFollowerKey, newFollowerKey } from "./keys.js";
import { insertFollower } from "./queries.js";

/** The data that the follow form and request record about a person. */
export type Person = Pick<
  SubscriberRow,
  "name" | "email" | "ip" | "postal" | "city" | "state" | "country" | "calendar_type"
> &
  Partial<Pick<SubscriberRow, "categories">>;

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
  const isFollowed = await db.transaction(async (trx) => {
    // Locked, because a subscriber added to a calendar that is being deleted would never be removed.
    const calendar = await lockCalendar(trx, { calendarId });
    if (calendar === undefined) return false;
    const follower = {
      categories: null,
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
    };
    const id = await insertFollower(trx, follower);
    await announceSubscriber(trx, calendar.webhooks, { ...follower, id }, now);
    return true;
  });
  return isFollowed ? key : undefined;
}
