import { expect, test } from "vitest";
import type { Database } from "../src/db/open-database.js";
import type { CalendarRow, SubscriberRow } from "../src/db/rows.js";
import { hashFollowerKey, subscribe } from "../src/followers/subscribe.js";
import * as life from "../src/followers/life-job.js";
import { writeIntervalSeconds } from "../src/followers/fetch-queries.js";
import { createFetchRecorder } from "../src/followers/fetch-recorder.js";
import { findFollower, type Follower } from "../src/followers/subscriber-queries.js";
import { startOfTests, testServer } from "./harness.js";

// Fetches of feeds are written seldom, together and out of the requests' way.

const server = await testServer();
const { db } = server;
const owner = await server.account();

const apple = "iOS/16.5 (20F66) dataaccessd/1.0";
const exchange = "Microsoft Exchange/15.20 (Windows NT 10.0; Win64; x64)";
const person = { name: "", email: "", ip: "", postal: null, city: null, state: null, country: null };

async function newFollower(calendar_type = "apple"): Promise<string> {
  const { id } = (await owner.call("createCalendar", { title: "x" })).body.calendar;
  const key = await subscribe(db, Number(id), { ...person, calendar_type }, startOfTests);
  return hashFollowerKey(key ?? "");
}

async function follower(hash: string): Promise<Follower> {
  const found = await findFollower(db, hash);
  if (found === undefined) throw new Error("no such follower");
  return found;
}

async function row(hash: string): Promise<SubscriberRow | undefined> {
  return db.read<SubscriberRow>("subscribers").where({ key_hash: hash }).first();
}

/** Returns the database and the number of updates sent through it. */
function counting() {
  const counted = { updates: 0 };
  const database: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((trx) => {
        trx.on("query", ({ sql }: { readonly sql: string }) => {
          if (sql.startsWith("update")) counted.updates++;
        });
        return work(trx);
      }),
  };
  return { database, counted };
}

/** A database whose next transactions fail, as when the disk is full. */
function failing(times: number): Database {
  const left = { times };
  return {
    ...db,
    transaction: (work) => {
      if (left.times-- > 0)
        return Promise.reject(Object.assign(new Error("the disk is full"), { code: "SQLITE_FULL" }));
      return db.transaction(work);
    },
  };
}

test("a follower's fetches are written once in 15 minutes, with the time of the last one", async () => {
  const hash = await newFollower();
  const { database, counted } = counting();
  const recorder = createFetchRecorder(database);
  recorder.record(await follower(hash), apple, startOfTests + 1);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ last_seen_at: startOfTests + 1, type_confirmed: 1 });
  expect(counted.updates).toBe(1);
  for (let second = 2; second <= writeIntervalSeconds; second += 50) {
    recorder.record(await follower(hash), apple, startOfTests + second);
    await recorder.flush();
  }
  expect(counted.updates).toBe(1);
  const seen = startOfTests + 1 + writeIntervalSeconds;
  for (const second of [0, 7, 3]) recorder.record(await follower(hash), apple, seen + second);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ last_seen_at: seen + 7 });
  expect(counted.updates).toBe(2);
});

test("two recorders, as on two servers, write a follower's fetch once, and the time never goes back", async () => {
  const hash = await newFollower();
  const { database, counted } = counting();
  const [one, other] = [createFetchRecorder(database), createFetchRecorder(database)];
  const stale = { ...(await follower(hash)), type_confirmed: 1 };
  one.record(stale, apple, startOfTests + 2_000);
  await one.flush();
  expect(counted.updates).toBe(1);
  for (const second of [1_000, 2_000 + writeIntervalSeconds - 1]) {
    other.record(stale, apple, startOfTests + second);
    await other.flush();
  }
  expect(counted.updates).toBe(1);
  expect(await row(hash)).toMatchObject({ last_seen_at: startOfTests + 2_000 });
});

test("a fetch between a sweep's look and its write leaves the follower active", async () => {
  const hash = await newFollower();
  const recorder = createFetchRecorder(db);
  const now = startOfTests + 31 * 86_400;
  const beforeSweep = await follower(hash);
  expect(beforeSweep.active).toBe(1);
  await life.sweepInactive(db, now, 30);
  recorder.record(beforeSweep, apple, now);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ active: 1, last_seen_at: now });
});

test("the first app that is recognised sets the type, and later ones leave it", async () => {
  const hash = await newFollower("google");
  const recorder = createFetchRecorder(db);
  for (const agent of ["curl/8.5.0", undefined, "Mozilla/5.0 Chrome/126.0 Safari/537.36"]) {
    recorder.record(await follower(hash), agent, startOfTests + 5);
  }
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ calendar_type: "google", type_confirmed: 0 });
  recorder.record(await follower(hash), apple, startOfTests + 6);
  recorder.record(await follower(hash), exchange, startOfTests + 7);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ calendar_type: "apple", type_confirmed: 1 });
  recorder.record(await follower(hash), exchange, startOfTests + 5_000);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ calendar_type: "apple", last_seen_at: startOfTests + 5_000 });
});

for (const [chosen, want] of [
  ["office365", "office365"],
  ["outlookcom", "outlookcom"],
  ["apple", "outlookcom"],
] as const) {
  test(`Microsoft's fetcher and the button ${chosen} make ${want}`, async () => {
    const hash = await newFollower(chosen);
    const recorder = createFetchRecorder(db);
    recorder.record(await follower(hash), exchange, startOfTests + 5);
    await recorder.flush();
    expect(await row(hash)).toMatchObject({ calendar_type: want, type_confirmed: 1 });
  });
}

test("the fetches of a failed flush are written by the next one, with newer ones", async () => {
  const hash = await newFollower();
  const other = await newFollower();
  const recorder = createFetchRecorder(failing(2));
  recorder.record(await follower(hash), exchange, startOfTests + 1_000);
  await expect(recorder.flush()).rejects.toThrow("the disk is full");
  recorder.record(await follower(hash), apple, startOfTests + 2_000);
  recorder.record(await follower(other), apple, startOfTests + 2_000);
  await expect(recorder.flush()).rejects.toThrow("the disk is full");
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ last_seen_at: startOfTests + 2_000, calendar_type: "outlookcom" });
  expect(await row(other)).toMatchObject({ last_seen_at: startOfTests + 2_000, calendar_type: "apple" });
});

test("fetches recorded while a flush is failing are kept too", async () => {
  const [hash, other] = [await newFollower(), await newFollower()];
  const late = await follower(other);
  const recorder = createFetchRecorder(failing(1));
  recorder.record(await follower(hash), apple, startOfTests + 1_000);
  const failed = recorder.flush();
  await Promise.resolve().then(() => undefined); // now the flush has taken what it writes
  recorder.record(late, apple, startOfTests + 1_000);
  await expect(failed).rejects.toThrow("the disk is full");
  await recorder.flush();
  expect(await row(other)).toMatchObject({ last_seen_at: startOfTests + 1_000 });
});

test("fetches recorded while a flush is under way are written by the next one", async () => {
  const [hash, other] = [await newFollower(), await newFollower()];
  const recorder = createFetchRecorder(db);
  recorder.record(await follower(hash), apple, startOfTests + 1_000);
  const late = await follower(other);
  const first = recorder.flush();
  recorder.record(late, apple, startOfTests + 1_000);
  await Promise.all([first, recorder.flush()]);
  expect(await row(other)).toMatchObject({ last_seen_at: startOfTests + 1_000 });
});

test("a follower that was deleted, unfollowed or whose calendar is gone since leaves the others' writes alone", async () => {
  const [deleted, unfollowed, gone, kept] = await Promise.all([0, 1, 2, 3].map(() => newFollower()));
  const recorder = createFetchRecorder(db);
  for (const hash of [deleted, unfollowed, kept])
    recorder.record(await follower(hash ?? ""), apple, startOfTests + 1_000);
  const calendarOfGone = (await follower(gone ?? "")).calendar_id;
  await owner.call("deleteCalendar", { calendar_id: String(calendarOfGone) });
  recorder.record(await follower(gone ?? ""), apple, startOfTests + 1_000);
  await life.deleteSubscriber(db, (await follower(deleted ?? "")).subscriber_id, startOfTests);
  await life.unfollow(db, (await follower(unfollowed ?? "")).subscriber_id, startOfTests);
  await recorder.flush();
  expect(await row(deleted ?? "")).toBeUndefined();
  expect(await row(unfollowed ?? "")).toMatchObject({ active: 0, last_seen_at: startOfTests });
  expect(await row(gone ?? "")).toMatchObject({ last_seen_at: startOfTests });
  expect(await row(kept ?? "")).toMatchObject({ active: 1, last_seen_at: startOfTests + 1_000 });
});

test("1,300 fetches of many seconds and calendars, half of them of inactive followers, are written in one transaction", async () => {
  const hashes = await Promise.all([0, 1].map(() => newFollower()));
  const templates = await Promise.all(hashes.map((hash) => row(hash)));
  const ids = templates.map((template) => template?.calendar_id ?? 0);
  await db.transaction(async (trx) => {
    for (let batch = 0; batch < 13; batch++) {
      const rows = Array.from({ length: 100 }, (_, index) => {
        const number = batch * 100 + index;
        const { id: _id, ...fields } = templates[number % 2] ?? { id: 0 };
        return { ...fields, key_hash: `y${number}`, active: Math.floor(number / 2) % 2 };
      });
      await trx("subscribers").insert(rows);
    }
    const counts = { followers_total: 651, followers_active: 326, followers_inactive: 325 };
    await trx("calendars").whereIn("id", ids).update(counts);
  });
  const transactions = { count: 0 };
  const recorder = createFetchRecorder({
    ...db,
    transaction: (work) => {
      transactions.count++;
      return db.transaction(work);
    },
  });
  for (let number = 0; number < 1_300; number++) {
    recorder.record(await follower(`y${number}`), apple, startOfTests + 1_000 + (number % 7));
  }
  await recorder.flush();
  expect(transactions.count).toBe(1);
  const rows = await db.read<SubscriberRow>("subscribers").whereLike("key_hash", "y%").orderBy("id");
  expect(rows.filter(({ active, type_confirmed }) => active === 1 && type_confirmed === 1)).toHaveLength(
    1_300,
  );
  expect(rows.map(({ last_seen_at }) => last_seen_at - startOfTests - 1_000)).toEqual(
    rows.map((_, index) => index % 7),
  );
  for (const id of ids) {
    const want = { followers_total: 651, followers_active: 651, followers_inactive: 0 };
    expect(await db.read<CalendarRow>("calendars").where({ id }).first()).toMatchObject(want);
  }
});

test("the recorder holds 100,000 fetches and forgets the oldest", async () => {
  const hash = await newFollower();
  const known = { ...(await follower(hash)), type_confirmed: 1 };
  const recorder = createFetchRecorder(db);
  recorder.record(known, apple, startOfTests + 1_000);
  const strangers = { ...known, subscriber_id: 0 };
  for (let number = 1; number < 100_000; number++) {
    recorder.record({ ...strangers, subscriber_id: 1_000_000 + number }, apple, startOfTests + 1_000);
  }
  recorder.record(known, apple, startOfTests + 2_000);
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ last_seen_at: startOfTests + 2_000 });
  recorder.record(known, apple, startOfTests + 4_000);
  for (let number = 1; number <= 100_000; number++) {
    recorder.record({ ...strangers, subscriber_id: 1_000_000 + number }, apple, startOfTests + 1_000);
  }
  await recorder.flush();
  expect(await row(hash)).toMatchObject({ last_seen_at: startOfTests + 2_000 });
});
