import { mostStatisticsDays } from "@kalends/spec";
import { pino } from "pino";
import { expect, test } from "vitest";
import { addFollower, block, unblock } from "../../test/calls.js";
import { request, startOfTests, testServer } from "../../test/harness.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import type { CalendarDayRow } from "../db/rows.js";
import { startServer } from "../process/server.js";
import { readConfig } from "../settings/config.js";
import { createFetchRecorder } from "./fetch-recorder.js";
import { hashFollowerKey, subscribe } from "./subscribe.js";
import * as life from "./life-job.js";
import { findFollower } from "./subscriber-queries.js";
import { createPollCounter } from "./poll-counter.js";
import { addToDays, purgeDays } from "./statistics-queries.js";

// The counts of a calendar's days (extensions X8.7).

const server = await testServer({ TRASH_DAYS: "0" });
const { db } = server;
const owner = await server.account();
const [day, today] = [86_400, Math.floor(startOfTests / 86_400)];

async function newCalendar(): Promise<number> {
  return Number((await owner.call("createCalendar", { title: "x", timezone: "UTC" })).body.calendar.id);
}

/** The counts of a calendar, as days from today. */
async function counts(calendar_id: number): Promise<readonly (readonly (string | number)[])[]> {
  const order = ["day", "kind", "name"];
  const rows = await db.read<CalendarDayRow>("calendar_days").where({ calendar_id }).orderBy(order);
  return rows.map(({ day: number, kind, name, count }) => [number - today, kind, name, count]);
}

test("polls of several servers add up by app, those of a stop included", async () => {
  const id = await newCalendar();
  const { key } = await addFollower(server, owner, String(id), { calendar_type: "office365" });
  const output = { write: () => undefined };
  const config = readConfig({ PORT: "0", DATABASE_URL: server.databaseUrl, TRASH_DAYS: "0" });
  const other = await startServer({
    config,
    output,
    log: pino({ level: "silent" }),
    clock: () => startOfTests,
  });
  const poll = (headers: Record<string, string>) => request(`${other.url}/f/${key}/x.ics`, { headers });
  const tag = (await poll({ "User-Agent": "Microsoft Exchange/15.20" })).headers.get("ETag") ?? "";
  expect((await poll({ "User-Agent": "Googlebot", "If-None-Match": tag })).status).toBe(304);
  await other.stop();

  const counters = [createPollCounter(db), createPollCounter(db)];
  for (const counter of counters)
    for (const now of [startOfTests - day, startOfTests]) counter.count(id, "google", now);
  await Promise.all(counters.map((counter) => counter.flush()));
  await Promise.all(counters.map((counter) => counter.flush()));
  expect((await counts(id)).filter(([, kind]) => kind === "polls")).toEqual([
    [-1, "polls", "google", 2],
    [0, "polls", "google", 2],
    [0, "polls", "office365", 1],
    [0, "polls", "other", 1],
  ]);
});

test("counts that could not be stored are added later, up to a number of them", async () => {
  const [id, further] = [await newCalendar(), await newCalendar()];
  const counter = createPollCounter(db, 2);
  await db.transaction((trx) => trx.raw("alter table calendar_days rename to days_away"));
  for (const now of [0, day, day]) counter.count(id, "apple", now);
  await expect(counter.flush()).rejects.toThrow("calendar_days");
  counter.count(further, "apple", day);
  await expect(counter.flush()).rejects.toThrow("calendar_days");
  await db.transaction((trx) => trx.raw("alter table days_away rename to calendar_days"));
  await counter.flush();
  expect((await counts(id)).map(([, , , count]) => count)).toEqual([1, 2]);
  expect(await counts(further)).toEqual([]);
});

const person = {
  name: "Canary",
  email: "canary@example.com",
  ip: "203.0.113.77",
  postal: "CanaryPost",
  city: "Canarytown",
  state: "Canarystate",
  country: "GB",
  calendar_type: "apple",
};

test("each change of a follower counts on its day, and no row says whose it was", async () => {
  const id = await newCalendar();
  const start = async (at: number, categories: string | null = null) => {
    const key_hash = hashFollowerKey((await subscribe(db, id, { ...person, categories }, at)) ?? "");
    const found = await findFollower(db, key_hash);
    return { key_hash, id: found?.subscriber_id ?? 0 };
  };
  const at = (days: number) => startOfTests + days * day;
  const [one, two, three] = [await start(at(0)), await start(at(0), "Art,Music"), await start(at(1))];
  await block(db, one.id, at(2));
  await life.unfollow(db, one.id, at(3)); // lost already
  await life.deleteSubscriber(db, one.id, at(3));
  await life.unfollow(db, two.id, at(3));
  await life.unfollow(db, two.id, at(4));
  await life.chooseCategories(db, three.id, "Art", at(4));
  await life.chooseCategories(db, three.id, "Art,Sport", at(4));
  await life.sweepInactive(db, at(40), 30);
  const recorder = createFetchRecorder(db);
  const silent = await findFollower(db, three.key_hash);
  if (silent !== undefined) recorder.record(silent, undefined, at(41));
  await recorder.flush();
  const four = await start(at(50));
  await block(db, four.id, at(51));
  await unblock(db, four.id, at(52));
  await start(at(60));
  await life.pruneNeverFetched(db, { before: at(62), of: { calendar_id: id } }, at(63));
  expect(await counts(id)).toEqual([
    [0, "active", "", 2],
    [0, "followed", "", 2],
    [0, "picks", "Art", 1],
    [0, "picks", "Music", 1],
    [1, "active", "", 1],
    [1, "followed", "", 1],
    [2, "active", "", -1],
    [2, "unfollowed", "", 1],
    [3, "active", "", -1],
    [3, "unfollowed", "", 1],
    [4, "picks", "Art", 1],
    [4, "picks", "Sport", 1],
    [40, "active", "", -1],
    [41, "active", "", 1],
    [50, "active", "", 1],
    [50, "followed", "", 1],
    [51, "active", "", -1],
    [51, "unfollowed", "", 1],
    [52, "active", "", 1],
    [52, "followed", "", 1],
    [60, "active", "", 1],
    [60, "followed", "", 1],
    [63, "active", "", -2],
    [63, "unfollowed", "", 2],
  ]);
  const rows = JSON.stringify(await db.read("calendar_days"));
  expect(rows).not.toMatch(/canary|203\.0|GB/i);
});

test("days go after two years, and with their calendar, which then gets none", async () => {
  const id = await newCalendar();
  const days = [today - mostStatisticsDays - 1, today - mostStatisticsDays, today];
  await db.transaction((trx) =>
    addToDays(
      trx,
      days.map((number) => ({ calendar_id: id, kind: "followed", day: number, name: "", count: 1 })),
    ),
  );
  await purgeDays(db, today - mostStatisticsDays);
  expect((await counts(id)).map(([number]) => number)).toEqual([-mostStatisticsDays, 0]);
  const counter = createPollCounter(db);
  counter.count(id, "apple", startOfTests);
  await owner.call("deleteCalendar", { calendar_id: String(id) });
  await purgeDeletedCalendars(db);
  await counter.flush();
  expect(await counts(id)).toEqual([]);
});

test("the operation returns each day of the range, with those who were active then", async () => {
  const id = await newCalendar();
  const calendar_id = String(id);
  const statistics = async (range: Readonly<Record<string, string>>) =>
    (await owner.call("calendarsStatistics", { calendar_id, ...range })).body;
  const keys = [startOfTests - 2 * day, startOfTests - day, startOfTests + day].map((at) =>
    subscribe(db, id, { ...person, categories: "Art,2026" }, at),
  );
  await Promise.all(keys);
  const counter = createPollCounter(db);
  for (const app of ["apple", "apple", "other"]) counter.count(id, app, startOfTests);
  counter.count(id, "apple", startOfTests - 2 * day);
  await counter.flush();
  const of = (date: string, followed: number, active: number) => ({ date, followed, unfollowed: 0, active });
  const { days, apps, categories } = await statistics({ from: "2026-06-29", to: "2026-07-01" });
  expect(days).toEqual([of("2026-06-29", 0, 0), of("2026-06-30", 1, 1), of("2026-07-01", 1, 2)]);
  expect([apps.apple, apps.other, categories]).toEqual([
    1,
    0,
    [
      { name: "2026", picks: 2 },
      { name: "Art", picks: 2 },
    ],
  ]);
  const usual = await statistics({});
  expect(usual.days[0]).toEqual(of("2026-06-03", 0, 0)); // before the calendar was created
  expect([usual.days.length, usual.days.at(-1), usual.apps.apple, usual.apps.other]).toEqual([
    30,
    of("2026-07-02", 0, 2),
    3,
    1,
  ]);
  for (const [range, parameter] of [
    [{ from: "2026-07-02", to: "9999-12-31" }, "from"],
    [{ from: "2024-07-01", to: "2026-07-02" }, "from"],
    [{ from: "2026-07-02", to: "2026-07-01" }, "from"],
    [{ from: "2026-02-30" }, "from"],
    [{ to: "07/02/2026" }, "to"],
  ] as const)
    expect((await statistics(range)).meta).toMatchObject({ code: "400", errors: [{ parameter }] });
  expect((await statistics({ from: "2024-07-02", to: "2026-07-02" })).days).toHaveLength(731);
  expect((await statistics({ from: "2026-07-01", to: "2026-07-04" })).days).toHaveLength(2);
  expect((await statistics({ from: "9999-12-31", to: "9999-12-31" })).days).toEqual([]);
});
