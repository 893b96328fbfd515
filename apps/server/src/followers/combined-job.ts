import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Database, Db } from "../db/database.js";
import type { SubscriberRow } from "../db/rows.js";
import type { Transaction } from "../db/transaction.js";
import { addFollower, hashFollowerKey, newFollowerKey, type Person } from "./subscribe.js";
import { change, erase } from "./subscriber-change-queries.js";

// The feed of several calendars (extensions X11.3): one subscriber of each, which lists, counts and blocks have as any other. They
// share a key, so nothing else has to be stored about the feed, and nothing is left of it when the last of them is deleted.

const subscribers = (db: Db) => db<SubscriberRow>("subscribers");

type Choice = Pick<SubscriberRow, "id" | "calendar_id" | "unfollowed_at">;

/** Creates a subscriber of each calendar. Returns their key; undefined when none of the calendars is there any more. */
export async function subscribeToAll(
  db: Database,
  calendarIds: readonly number[],
  person: Person,
  now: number,
): Promise<string | undefined> {
  const key = newFollowerKey();
  const keys = { key_hash: null, combined_hash: hashFollowerKey(key) };
  const followed = await db.transaction(async (trx) => {
    await lockCalendarRows(trx, calendarIds);
    return addAll(trx, calendarIds, { ...person, ...keys }, now);
  });
  return followed > 0 ? key : undefined;
}

async function addAll(
  trx: Transaction,
  calendarIds: readonly number[],
  person: Parameters<typeof addFollower>[2],
  now: number,
): Promise<number> {
  let added = 0;
  for (const id of calendarIds) if (await addFollower(trx, id, person, now)) added++;
  return added;
}

/**
 * Makes the feed one of these calendars: whoever has followed one before follows again, blocked or not, and new ones begin with the
 * name, the address and the app of the others. False when the key is of no feed.
 */
export async function chooseCalendars(
  db: Database,
  keyHash: string,
  { chosen, offered }: { readonly chosen: readonly number[]; readonly offered: readonly number[] },
  now: number,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const before = await lockShared(trx, keyHash, chosen);
    // Of a calendar that was deleted for good nothing is left about the person.
    const person = before.find(({ email, name }) => email !== "" || name !== "") ?? before[0];
    if (person === undefined) return false;
    for (const row of before) {
      const follows = row.unfollowed_at === null;
      const shall = chosen.includes(row.calendar_id);
      if (follows && !shall && offered.includes(row.calendar_id)) await follow(trx, row, now, false);
      if (!follows && shall) await follow(trx, row, now, true);
    }
    const known = new Set(before.map((row) => row.calendar_id));
    const { name, email, ip, postal, city, state, country } = person;
    const { calendar_type, language, news, news_asked_at } = person;
    const who = { name, email, ip, postal, city, state, country };
    const copy = { ...who, calendar_type, language, news, news_asked_at };
    const missing = chosen.filter((id) => !known.has(id));
    await addAll(trx, missing, { ...copy, key_hash: null, combined_hash: keyHash }, now);
    return true;
  });
}

async function follow(trx: Transaction, { id }: Choice, now: number, again: boolean): Promise<void> {
  const to = (before: SubscriberRow) =>
    again
      ? { active: 1, unfollowed_at: null, last_seen_at: now }
      : { active: 0, unfollowed_at: before.unfollowed_at ?? now };
  await change({ trx, now }, { id }, { name: again ? "created" : "unfollowed", to });
}

export async function unfollowAll(db: Database, keyHash: string, now: number): Promise<void> {
  await db.transaction(async (trx) => {
    const rows = await lockShared(trx, keyHash);
    for (const row of rows) if (row.unfollowed_at === null) await follow(trx, row, now, false);
  });
}

/** Replaces the key that they share. Undefined when no one has the old one. */
export async function renewCombinedKey(db: Database, oldHash: string): Promise<string | undefined> {
  const key = newFollowerKey();
  const changed = await db.transaction((trx) =>
    subscribers(trx)
      .where({ combined_hash: oldHash })
      .update({ combined_hash: hashFollowerKey(key) }),
  );
  return changed > 0 ? key : undefined;
}

/** Deletes all of them, and all data about them. */
export async function deleteCombined(db: Database, keyHash: string, now: number): Promise<void> {
  await db.transaction(async (trx) => {
    for (const { id } of await lockShared(trx, keyHash)) await erase({ trx, now }, { id });
  });
}

/** Locks the calendars of the feed, and those that it may get, before its subscribers, as every change of subscribers does. */
async function lockShared(
  trx: Transaction,
  combined_hash: string,
  more: readonly number[] = [],
): Promise<readonly SubscriberRow[]> {
  const ids: number[] = await subscribers(trx).where({ combined_hash }).pluck("calendar_id");
  await lockCalendarRows(trx, [...new Set([...ids, ...more])]);
  return subscribers(trx).where({ combined_hash }).orderBy("id").forUpdate();
}
