import { hashToken } from "../src/accounts/tokens.js";
import type { Db } from "../src/db/open-database.js";
import { openDatabase } from "../src/db/open-database.js";
import { hashFollowerKey } from "../src/followers/subscribe.js";
import { benchEvent, benchSubscriber, type EventSet, insertMade, zone } from "./rows.js";
import { ownDist, startKalends } from "./servers.js";
import { createTutorialTables } from "./tutorial-tables.js";

/** SQL: the stored bytes of a calendar, as calendars/stored-bytes.ts counts them. */
const storedBytes = `1024 + octet_length(title || calendarname || description) + 16 * octet_length(custom_data)
    + coalesce((select sum(1024 + 16 * octet_length(e.custom_data)
        + 2 * octet_length(e.title || e.description || e.location || e.organizer || e.organizer_email || e.categories))
      from events as e where e.calendar_id = calendars.id), 0)`;

/** "large" has 1,000,000 events and 100,000 subscribers, for the jobs J11 and J12. */
export type Size = "small" | "large";

/** Ids of the calendars by their contents. */
export const calendars = {
  tenThousand: 1,
  hundred: 2,
  feed: 3,
  creates: 4,
  million: 5,
  subscribers: 6,
} as const;
export const benchToken = "kal_benchbenchbenchbench";
const calendarCount = 20;

/** A hundred accounts with one calendar each, which has the same id, for creates in many calendars at once. */
export const owners: readonly { readonly id: number; readonly token: string }[] = Array.from(
  { length: 100 },
  (_, n) => ({ id: 101 + n, token: `${benchToken}${101 + n}` }),
);
const day = 86_400;

const eventSets: Readonly<Record<Size, readonly EventSet[]>> = {
  small: [
    { calendarId: calendars.tenThousand, count: 10_000, everySeconds: day / 4 },
    { calendarId: calendars.hundred, count: 100, everySeconds: day },
    { calendarId: calendars.feed, count: 1_000, everySeconds: day },
  ],
  large: [
    { calendarId: calendars.tenThousand, count: 10_000, everySeconds: day / 4 },
    { calendarId: calendars.million, count: 1_000_000, everySeconds: 600 },
  ],
};
const subscriberCounts: Readonly<Record<Size, number>> = { small: 0, large: 100_000 };

/** Keys of the subscribers of the calendar `feed`. */
export const followerKeys: readonly string[] = Array.from(
  { length: 1_000 },
  (_, n) => `bench${String(n).padStart(17, "0")}`,
);

/** Fills an empty database for a build of Kalends, which makes its schema by a first start. */
export async function fillKalends(url: string, size: Size, now: number, dist = ownDist): Promise<void> {
  const server = await startKalends(url, dist);
  await server.stop();
  const db = await openDatabase(url);
  const { items } = db.dialect;
  await db.exclusively(async (trx) => {
    await trx("tokens").delete();
    await trx("accounts").delete();
    await trx("accounts").insert([
      { id: 1, name: "Bench", calendar_saves: calendarCount, created_at: now },
      ...owners.map(({ id }) => ({ id, name: `Owner ${id}`, calendar_saves: 1, created_at: now })),
    ]);
    await trx("tokens").insert(
      [{ id: 1, token: benchToken }, ...owners].map(({ id, token }) => ({
        account_id: id,
        hash: hashToken(token),
        last_four: token.slice(-4),
        name: "bench",
        scope: "write",
        created_at: now,
      })),
    );
    await trx("calendars").insert([
      ...Array.from({ length: calendarCount }, (_, n) => kalendsCalendar(n + 1, now)),
      ...owners.map(({ id }) => ({ ...kalendsCalendar(id, now), id, account_id: id, save_order: 1 })),
    ]);
    for (const set of eventSets[size]) {
      await insertMade({ trx, items }, "events", set.count, (number) => benchEvent(set, number, now));
      await trx("calendars").where({ id: set.calendarId }).update({ events_total: set.count });
    }
    const count = subscriberCounts[size];
    await insertSubscribers(trx, items, calendars.subscribers, count, now);
    await trx.batchInsert(
      "subscribers",
      followerKeys.map((key) => subscriberRow(key, now)),
      100,
    );
    await setFollowerCounts(trx, calendars.feed, followerKeys.length);
    if (await trx.schema.hasColumn("calendars", "stored_bytes"))
      await trx.raw(`update calendars set stored_bytes = ${storedBytes}`);
  });
  await db.close();
}

/** Adds subscribers without a key to a calendar. */
export async function insertSubscribers(
  trx: Db,
  items: string,
  calendarId: number,
  count: number,
  now: number,
): Promise<void> {
  if (count === 0) return;
  await insertMade({ trx, items }, "subscribers", count, (number) =>
    benchSubscriber(calendarId, number, now - count + number, now),
  );
  await setFollowerCounts(trx, calendarId, count);
}

async function setFollowerCounts(db: Db, id: number, count: number): Promise<void> {
  await db("calendars").where({ id }).update({ followers_total: count, followers_active: count });
}

function kalendsCalendar(n: number, now: number) {
  const texts = {
    title: `Calendar ${n}`,
    calendarname: `calendar-${n}`,
    description: "What the club plays next.",
  };
  return {
    ...texts,
    account_id: 1,
    uniquekey: `benchkey${String(n).padStart(4, "2")}`,
    timezone: zone,
    palette_id: "1",
    save_order: n,
    created_at: now,
    modified_at: now,
    feed_modified_at: now,
  };
}

function subscriberRow(key: string, now: number) {
  return {
    account_id: 1,
    calendar_id: calendars.feed,
    name: "",
    email: "",
    ip: "",
    calendar_type: "ical",
    active: 1,
    blocked: 0,
    subscribed_at: now,
    last_seen_at: now,
    key_hash: hashFollowerKey(key),
  };
}

/** Fills an empty database with the same calendars and events for the tutorial server. */
export async function fillTutorial(url: string, size: Size, now: number): Promise<void> {
  const db = await openDatabase(url);
  const { items } = db.dialect;
  await db.exclusively(async (trx) => {
    await createTutorialTables(trx);
    await trx("accounts").insert(
      [{ id: 1, token: benchToken }, ...owners].map(({ id, token }) => ({
        id,
        name: "Bench",
        token_hash: hashToken(token),
      })),
    );
    const ofFirst = Array.from({ length: calendarCount }, (_, n) => ({ id: n + 1, account_id: 1 }));
    await trx("calendars").insert(
      [...ofFirst, ...owners.map(({ id }) => ({ id, account_id: id }))].map(({ id, account_id }) => ({
        id,
        account_id,
        uniquekey: `benchkey${String(id).padStart(4, "2")}`,
        title: `Calendar ${id}`,
        calendarname: `calendar-${id}`,
        description: "What the club plays next.",
        timezone: zone,
        created_at: now,
        modified_at: now,
      })),
    );
    for (const set of eventSets[size])
      await insertMade({ trx, items }, "events", set.count, (number) => benchEvent(set, number, now));
  });
  await db.close();
}
