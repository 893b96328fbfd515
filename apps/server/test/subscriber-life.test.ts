import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CalendarRow, SubscriberRow } from "../src/db/rows.js";
import { hashFollowerKey, subscribe } from "../src/followers/subscribe.js";
import { chooseCalendars, subscribeToAll } from "../src/followers/combined-job.js";
import * as life from "../src/followers/life-job.js";
import { createFetchRecorder } from "../src/followers/fetch-recorder.js";
import { findFollower } from "../src/followers/subscriber-queries.js";
import { block, unblock } from "./calls.js";
import { onPostgres } from "./databases.js";
import { startOfTests, testServer } from "./harness.js";

// The states of a follower and the counters of its calendar (rulings R5.2 to R5.4).

const server = await testServer();
const { db } = server;
const owner = await server.account();

const day = 86_400;
server.now = startOfTests - 10_000 * day; // so that no background job finds a follower silent
const person = {
  name: "Ada",
  email: "ada@example.com",
  ip: "203.0.113.7",
  postal: null,
  city: null,
  state: null,
  country: null,
  calendar_type: "apple",
};

async function newCalendar(): Promise<number> {
  return Number((await owner.call("createCalendar", { title: "x", timezone: "UTC" })).body.calendar.id);
}

async function follow(calendarId: number, now = startOfTests): Promise<SubscriberRow> {
  const key = await subscribe(db, calendarId, person, now);
  return rowOf({ key_hash: hashFollowerKey(key ?? "") });
}

async function rowOf(where: Partial<SubscriberRow>): Promise<SubscriberRow> {
  const row = await db.read<SubscriberRow>("subscribers").where(where).first();
  if (row === undefined) throw new Error("no such subscriber");
  return row;
}

/** A fetch of the feed, written at once. */
async function fetchFeed({ key_hash }: SubscriberRow, now: number): Promise<void> {
  const follower = await findFollower(db, key_hash ?? "");
  if (follower === undefined) return;
  const recorder = createFetchRecorder(db);
  recorder.record(follower, "iOS/16.5 (20F66) dataaccessd/1.0", now);
  await recorder.flush();
}

const counters = ["followers_total", "followers_active", "followers_inactive", "followers_blocked"] as const;

async function counted(id: number): Promise<readonly number[]> {
  const row = await db
    .read<CalendarRow>("calendars")
    .where({ id })
    .first(...counters);
  return counters.map((name) => row?.[name] ?? -1);
}

async function recounted(calendar_id: number): Promise<readonly number[]> {
  const rows = await db.read<SubscriberRow>("subscribers").where({ calendar_id });
  const many = (which: (row: SubscriberRow) => boolean) => rows.filter(which).length;
  return [
    rows.length,
    many(({ active, blocked }) => active === 1 && blocked === 0),
    many(({ active }) => active === 0),
    many(({ blocked }) => blocked === 1),
  ];
}

describe("each change counts at once", () => {
  const steps = [
    ["following", [1, 1, 0, 0], () => Promise.resolve()],
    ["blocking", [1, 0, 0, 1], ({ id }) => block(db, id, startOfTests)],
    [
      "blocking and unblocking",
      [1, 1, 0, 0],
      async ({ id }) => {
        await block(db, id, startOfTests);
        await unblock(db, id, startOfTests);
      },
    ],
    [
      "blocking twice",
      [1, 0, 0, 1],
      async ({ id }) => {
        await block(db, id, startOfTests);
        await block(db, id, startOfTests);
      },
    ],
    ["unfollowing", [1, 0, 1, 0], ({ id }) => life.unfollow(db, id, startOfTests)],
    [
      "unfollowing twice",
      [1, 0, 1, 0],
      async ({ id }) => {
        await life.unfollow(db, id, startOfTests);
        await life.unfollow(db, id, startOfTests + 1);
      },
    ],
    [
      "unfollowing when blocked",
      [1, 0, 1, 1],
      async ({ id }) => {
        await block(db, id, startOfTests);
        await life.unfollow(db, id, startOfTests);
      },
    ],
    ["deleting", [0, 0, 0, 0], ({ id }) => life.deleteSubscriber(db, id, startOfTests)],
    [
      "deleting twice",
      [0, 0, 0, 0],
      async ({ id }) => {
        await life.deleteSubscriber(db, id, startOfTests);
        await life.deleteSubscriber(db, id, startOfTests);
      },
    ],
  ] satisfies readonly [string, readonly number[], (row: SubscriberRow) => Promise<unknown>][];
  for (const [title, want, change] of steps) {
    test(`${title}: total, active, inactive, blocked are ${want.join(", ")}`, async () => {
      const calendar = await newCalendar();
      await change(await follow(calendar));
      expect(await counted(calendar)).toEqual(want);
    });
  }
});

test("after 300 random changes the counters are what a recount gives", async () => {
  const calendars = [await newCalendar(), await newCalendar(), await newCalendar()];
  const known: SubscriberRow[] = [];
  const time = { now: startOfTests };
  const changes: Record<string, (which: number) => Promise<unknown>> = {
    follow: async (which) => known.push(await follow(calendars[which % 3] ?? 0, time.now)),
    block: async (which) => block(db, which, startOfTests),
    unblock: async (which) => unblock(db, which, startOfTests),
    unfollow: async (which) => life.unfollow(db, which, time.now),
    delete: async (which) => (which % 3 === 0 ? life.deleteSubscriber(db, which, startOfTests) : undefined),
    fetch: async (which) => {
      const row = known.find(({ id }) => id === which);
      if (row !== undefined) await fetchFeed(row, time.now);
    },
    sweep: async () => life.sweepInactive(db, time.now, 30),
    wait: (which) => Promise.resolve((time.now += (which % 20) * day)),
  };
  const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(changes)), fc.nat(1000)), {
    minLength: 300,
    maxLength: 300,
  });
  const results = { inactive: 0, blocked: 0 };
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      for (const [name, which] of sequence) {
        const one = known[which % Math.max(known.length, 1)]?.id ?? 0;
        await changes[name]?.(name === "follow" || name === "wait" ? which : one);
      }
      for (const calendar of calendars) {
        const [, , inactive = 0, blocked = 0] = await counted(calendar);
        results.inactive += inactive;
        results.blocked += blocked;
        expect(await counted(calendar)).toEqual(await recounted(calendar));
      }
    }),
    { numRuns: 2 },
  );
  expect(results.inactive).toBeGreaterThan(0); // the changes did meet each other
  expect(results.blocked).toBeGreaterThan(0);
});

test("60 changes at once, with fetches and sweeps of all calendars among them, are counted right and none is lost", async () => {
  const calendars = [await newCalendar(), await newCalendar(), await newCalendar()];
  const known: SubscriberRow[] = [];
  for (let index = 0; index < 15; index++) {
    known.push(await follow(calendars[index % 3] ?? 0, startOfTests - (index % 2) * 31 * day));
  }
  const changes = known.flatMap((row, index) => [
    fetchFeed(row, startOfTests + 1),
    index % 2 === 0 ? block(db, row.id, startOfTests) : life.sweepInactive(db, startOfTests, 30),
    index % 3 === 0 ? life.unfollow(db, row.id, startOfTests) : unblock(db, row.id, startOfTests),
    index % 5 === 0 ? life.deleteSubscriber(db, row.id, startOfTests) : follow(calendars[index % 3] ?? 0),
  ]);
  await Promise.all(changes);
  for (const calendar of calendars) expect(await counted(calendar)).toEqual(await recounted(calendar));
  const rows = await db.read<SubscriberRow>("subscribers").whereIn("calendar_id", calendars);
  expect(rows).toHaveLength(15 - 3 + 12);
});

test("a follower is active to the second on which 30 days are full, then inactive, and active again with the next fetch", async () => {
  await life.sweepInactive(db, startOfTests + 100 * day, 1); // the other tests' followers
  const calendar = await newCalendar();
  const one = await follow(calendar);
  expect(await life.sweepInactive(db, startOfTests + 30 * day, 30)).toBe(0);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1 });
  expect(await life.sweepInactive(db, startOfTests + 30 * day + 1, 30)).toBeGreaterThanOrEqual(1);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 0, unfollowed_at: null });
  expect(await counted(calendar)).toEqual([1, 0, 1, 0]);
  await fetchFeed(one, startOfTests + 31 * day);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1, last_seen_at: startOfTests + 31 * day });
  expect(await counted(calendar)).toEqual([1, 1, 0, 0]);
  expect(await life.sweepInactive(db, startOfTests + 61 * day, 30)).toBe(0);
  expect(await life.sweepInactive(db, startOfTests + 61 * day + 1, 30)).toBe(1);
});

test("a calendar that is followed again, with others by one address, is active for 30 days from then on", async () => {
  const offered = [await newCalendar(), await newCalendar()];
  const [first = 0, second = 0] = offered;
  const hash = hashFollowerKey((await subscribeToAll(db, offered, person, startOfTests)) ?? "");
  await chooseCalendars(db, hash, { chosen: [first], offered }, startOfTests + day);
  await chooseCalendars(db, hash, { chosen: offered, offered }, startOfTests + 40 * day);
  await life.sweepInactive(db, startOfTests + 70 * day, 30);
  const again = { calendar_id: second, combined_hash: hash };
  expect(await rowOf(again)).toMatchObject({ active: 1, unfollowed_at: null });
  expect(await counted(second)).toEqual([1, 1, 0, 0]);
  await life.sweepInactive(db, startOfTests + 70 * day + 1, 30);
  expect(await rowOf(again)).toMatchObject({ active: 0 });
});

test("no follower stays active for ever because its feed was fetched while the clock was far ahead", async () => {
  const calendar = await newCalendar();
  const one = await follow(calendar);
  await fetchFeed(one, startOfTests + 4000 * day);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1, last_seen_at: startOfTests + 4000 * day });
  await life.sweepInactive(db, startOfTests + day, 30);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1, last_seen_at: startOfTests + day });
  await life.sweepInactive(db, startOfTests + 31 * day, 30);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1 });
  await life.sweepInactive(db, startOfTests + 31 * day + 1, 30);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 0 });
  expect(await counted(calendar)).toEqual([1, 0, 1, 0]);
});

test("who unfollowed never becomes active by fetching", async () => {
  const calendar = await newCalendar();
  const one = await follow(calendar);
  await life.unfollow(db, one.id, startOfTests + 5);
  await fetchFeed(one, startOfTests + day);
  const want = { active: 0, unfollowed_at: startOfTests + 5, name: "Ada", email: "ada@example.com" };
  expect(await rowOf({ id: one.id })).toMatchObject(want);
  expect(await counted(calendar)).toEqual([1, 0, 1, 0]);
});

test("who is blocked stays blocked, whether silent, fetching or following no more", async () => {
  const calendar = await newCalendar();
  const one = await follow(calendar);
  await block(db, one.id, startOfTests);
  await life.sweepInactive(db, startOfTests + 40 * day, 30);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 0, blocked: 1 });
  await fetchFeed(one, startOfTests + 41 * day);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 1, blocked: 1 });
  expect(await counted(calendar)).toEqual([1, 0, 0, 1]);
  await life.unfollow(db, one.id, startOfTests + 42 * day);
  expect(await rowOf({ id: one.id })).toMatchObject({ active: 0, blocked: 1 });
});

test("no follower comes to a calendar that is deleted or never was", async () => {
  const calendar = await newCalendar();
  await owner.call("deleteCalendar", { calendar_id: String(calendar) });
  expect(await subscribe(db, calendar, person, startOfTests)).toBeUndefined();
  expect(await subscribe(db, 999_999, person, startOfTests)).toBeUndefined();
  expect(await recounted(calendar)).toEqual([0, 0, 0, 0]);
});

test("changing an unknown subscriber returns undefined", async () => {
  for (const change of [block, unblock, life.deleteSubscriber]) {
    expect(await change(db, 999_999, startOfTests)).toBeUndefined();
  }
  expect(await life.unfollow(db, 999_999, startOfTests)).toBeUndefined();
});

test("a sweep takes 1,200 followers of many calendars in batches and counts each where it belongs", async () => {
  await life.sweepInactive(db, startOfTests, 365); // the other tests' followers
  const calendars = [await newCalendar(), await newCalendar(), await newCalendar()];
  for (const calendar of calendars) await follow(calendar, 1000);
  const template = await rowOf({ calendar_id: calendars[0] ?? 0 });
  await db.transaction(async (trx) => {
    for (let batch = 0; batch < 12; batch++) {
      const rows = Array.from({ length: 100 }, (_, index) => {
        const { id: _id, ...fields } = template;
        const number = batch * 100 + index;
        return { ...fields, calendar_id: calendars[number % 3], key_hash: `x${number}`, blocked: number % 2 };
      });
      await trx("subscribers").insert(rows);
    }
    for (const id of calendars) {
      const [followers_total, followers_active, followers_inactive, followers_blocked] = [401, 201, 0, 200];
      await trx("calendars")
        .where({ id })
        .update({ followers_total, followers_active, followers_inactive, followers_blocked });
    }
  });
  expect(await life.sweepInactive(db, startOfTests, 365, () => true)).toBe(500);
  expect(await life.sweepInactive(db, startOfTests, 365)).toBe(703);
  for (const calendar of calendars) {
    expect(await counted(calendar)).toEqual([401, 0, 401, 200]);
    expect(await recounted(calendar)).toEqual([401, 0, 401, 200]);
  }
});

// SQLite's plan; that of PostgreSQL depends on how many rows there are.
test.skipIf(onPostgres)("a sweep reads silent followers from their index, without sorting", async () => {
  const { sql, bindings } = life.inactiveCandidates(db.read, 1).toSQL().toNative();
  const plan: readonly { detail: string }[] = await db.read.raw(`explain query plan ${sql}`, [...bindings]);
  expect(plan.map(({ detail }) => detail)).toEqual([
    "SEARCH subscribers USING INDEX subscribers_by_last_seen (last_seen_at<?)",
  ]);
});
