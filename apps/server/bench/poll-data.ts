import { openFeedSecret, feedFormat, validators } from "../src/public/feed-validators.js";
import { openDatabase } from "../src/db/open-database.js";
import { hashFollowerKey } from "../src/followers/subscribe.js";
import { fillKalends, owners } from "./data.js";
import type { Follower } from "./poll-apps.js";
import { benchEvent, benchSubscriber, insertMade, zone } from "./rows.js";

/** Calendars of one block, by their number of events: a hundred on average. */
const block = [20, 20, 20, 20, 20, 20, 100, 100, 100, 580] as const;
const eventsOfBlock = block.reduce<number>((sum, count) => sum + count, 0);

const firstId = 1_001;
export const calendarId = (calendar: number): number => firstId + calendar;
export const ownerOf = (calendar: number): { readonly id: number; readonly token: string } =>
  owners[calendar % owners.length] ?? { id: 0, token: "" };
export const keyOf = ({ number }: Follower): string => `poll${String(number).padStart(18, "0")}`;

/**
 * Fills an empty database with calendars of 100 accounts, their events and followers, who polled last one interval before `now`.
 * Returns the ETag of each calendar.
 */
export async function fillPolls(
  url: string,
  calendars: number,
  followers: readonly Follower[],
  now: number,
): Promise<readonly string[]> {
  await fillKalends(url, "small", now);
  const db = await openDatabase(url);
  try {
    await db.exclusively(async (trx) => {
      const into = { trx, items: db.dialect.items };
      // Without triggers and checks of references; no poll reads what they write.
      await trx.raw("set local session_replication_role = replica");
      await insertMade(into, "calendars", calendars, (calendar) => calendarRow(calendar, now));
      const events = (calendars / block.length) * eventsOfBlock;
      await insertMade(into, "events", events, (number) => eventRow(number, now));
      await insertMade(into, "subscribers", followers.length, (number) =>
        followerRow(followers[number], now),
      );
    });
    const format = feedFormat({ publicUrl: undefined, refreshMinutes: 60 }, await openFeedSecret(db));
    return Array.from({ length: calendars }, (_, calendar) => {
      const state = { account_id: 0, feed_version: 1, feed_modified_at: now, feed_cut: 0 };
      return validators({ ...state, calendar_id: calendarId(calendar) }, format, now, false).etag;
    });
  } finally {
    await db.close();
  }
}

function calendarRow(calendar: number, now: number) {
  return {
    id: calendarId(calendar),
    account_id: ownerOf(calendar).id,
    uniquekey: `pollkey${String(calendar).padStart(9, "0")}`,
    timezone: zone,
    palette_id: "1",
    save_order: calendar + 2,
    title: `Club ${calendar}`,
    calendarname: `club-${calendar}`,
    description: "What the club plays next.",
    created_at: now,
    modified_at: now,
    feed_modified_at: now,
    feed_version: 1,
    events_total: block[calendar % block.length] ?? 0,
  };
}

function eventRow(number: number, now: number) {
  let place = number % eventsOfBlock;
  const within = block.findIndex((count) => {
    if (place < count) return true;
    place -= count;
    return false;
  });
  const calendar = Math.floor(number / eventsOfBlock) * block.length + within;
  const set = { calendarId: calendarId(calendar), count: block[within] ?? 0, everySeconds: 86_400 };
  return { ...benchEvent(set, place, now), account_id: ownerOf(calendar).id };
}

function followerRow(follower: Follower | undefined, now: number) {
  if (follower === undefined) throw new Error("there is no such follower");
  const { number, app, calendar, firstAt } = follower;
  return {
    ...benchSubscriber(calendarId(calendar), number, now - 86_400 * 30, now),
    account_id: ownerOf(calendar).id,
    calendar_type: app.type,
    type_confirmed: 1,
    last_seen_at: Math.floor(now + firstAt - app.everyMinutes * 60),
    key_hash: hashFollowerKey(keyOf(follower)),
  };
}
