import { setTimeout } from "node:timers/promises";
import { run as judge } from "@kalends/conformance";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { addFollower } from "./calls.js";
import { createTestDatabase, onPostgres } from "./databases.js";
import { copyByChanges, expectSame, listedEvents, writeAtRandom } from "./change-readers.js";
import { addFollowers } from "./followers.js";
import { newAccount, request, testAccount } from "./harness.js";
import { run } from "./process.js";
import { startRoundRobin } from "./round-robin.js";
import { callsOf } from "./trash-world.js";
import { addEndpoint, deliveriesOf } from "./webhook-world.js";
import { temporaryFolder } from "./temporary.js";

// Two processes on one database, behind a proxy that gives each request to the other one than the last.

const database = await createTestDatabase("migrated");
const folder = temporaryFolder();
const settings = {
  PORT: "0",
  DATABASE_URL: database.url,
  CALENDAR_TOKEN: "0123456789abcdef",
  LOG_LEVEL: "error",
};
const processes = [0, 1].map(() => run("main.ts", [], folder, settings));
const urls = await Promise.all(
  processes.map(async (server) => (await server.until(/Listening on (\S+)/))[1] ?? ""),
);
const [first = "", second = ""] = urls;
const proxy = await startRoundRobin(urls);
const db = await openDatabase(database.url);
afterAll(async () => {
  await proxy.stop();
  for (const { child } of processes) child.kill("SIGTERM");
  await Promise.all(processes.map(({ finished }) => finished));
  await db.close();
  await database.remove();
});

const now = Math.floor(Date.now() / 1000);
const owner = await newAccount(db, { createdAt: now });
const on = (url: string) => testAccount(url, owner.id, owner.token);
const start = { title: "x", start_date: "07/04/2026 10:00" } as const;

async function newCalendar(title: string): Promise<{ readonly id: string; readonly title: string }> {
  return (await on(proxy.url).call("createCalendar", { title, timezone: "UTC" })).body.calendar;
}

// On SQLite, contract.sqlite.test.ts judges one server; the tests below are about what two on one file see of each other.
test.runIf(onPostgres)(
  "the conformance suite is green, its checks of the extensions too, one request here and one there",
  async () => {
    const [account, other] = [
      await newAccount(db, { createdAt: now }),
      await newAccount(db, { createdAt: now }),
    ];
    const subscribersCalendar = await addFollowers(db, testAccount(proxy.url, account.id, account.token));
    const options = {
      baseUrl: proxy.url,
      token: account.token,
      otherToken: other.token,
      subscribersCalendar,
    };
    const report = await judge({ ...options, strict: true });
    const extensions = await judge({ ...options, profiles: ["extensions"] });
    expect(extensions.counts.required).toMatchObject({
      failed: 0,
      skipped: 0,
      passed: extensions.results.length,
    });
    const failed = report.results.filter(({ status }) => status === "failed" || status === "broken");
    expect(failed.map(({ id, message }) => `${id}: ${message ?? ""}`)).toEqual([]);
    expect(report).toMatchObject({ verdict: "conforms", leftovers: [] });
    expect(report.counts.required.passed).toBeGreaterThan(200);
    const [here = 0, there = 0] = proxy.counts;
    expect(here).toBeGreaterThan(500);
    expect(Math.abs(here - there)).toBeLessThanOrEqual(1);
  },
);

test("events that both make at once have ids of their own, and each lists all of them in one order", async () => {
  const { id: calendar_id } = await newCalendar("Made by both");
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      on(n % 2 === 0 ? first : second).call("createEvent", { calendar_id, ...start, title: String(n) }),
    ),
  );
  const ids = made.map(({ body }) => String(body.event.id));
  expect(new Set(ids).size).toBe(60);
  const lists = await Promise.all(
    urls.map((url) => on(url).call("listEvents", { calendar_id, order_by: "id-asc" })),
  );
  const ascending = ids.toSorted((a, b) => Number(a) - Number(b));
  for (const { body } of lists) {
    const listed: readonly { readonly id: unknown }[] = body.events;
    expect(listed.map(({ id }) => String(id))).toEqual(ascending);
  }
});

test("of two calendars the one saved last comes first, whichever server saved it", async () => {
  const calendars = [await newCalendar("Even"), await newCalendar("Odd")];
  for (let n = 0; n < 12; n++) {
    const { id: calendar_id = "", title = "" } = calendars[n % 2] ?? {};
    const [writer = "", reader = ""] = n % 4 < 2 ? urls : urls.toReversed();
    await on(writer).call("saveCalendar", { calendar_id, title });
    const { body } = await on(reader).call("listCalendars");
    expect([n, body.calendars[0].id]).toEqual([n, calendar_id]);
  }
});

test("a feed is another on every server from the moment that a save is acknowledged, its ETag too", async () => {
  const { id: calendar_id } = await newCalendar("Followed");
  const { body } = await on(first).call("createEvent", { calendar_id, ...start });
  const event_id = String(body.event.id);
  const { key } = await addFollower({ db, now }, owner, calendar_id);
  const poll = (url: string, etag = "") =>
    request(`${url}/f/${key}/x.ics`, { headers: { "If-None-Match": etag } });
  for (let n = 0; n < 20; n++) {
    const [here = "", there = ""] = n % 2 === 0 ? urls : urls.toReversed();
    const before = await Promise.all([poll(here), poll(there)]);
    const [etag, other] = before.map(({ headers }) => headers.get("ETag") ?? "");
    expect(other).toBe(etag);
    expect((await poll(there, etag)).status).toBe(304);
    await on(here).call("saveEvent", { event_id, ...start, title: `Title ${n}` });
    const after = await Promise.all([poll(there, etag), poll(here, etag)]);
    expect(after.map(({ status }) => status)).toEqual([200, 200]);
    for (const { text } of after) expect(text).toContain(`SUMMARY:Title ${n}\r\n`);
    expect(after[0]?.headers.get("ETag")).not.toBe(etag);
    expect(after[0]?.headers.get("ETag")).toBe(after[1]?.headers.get("ETag"));
  }
  await on(first).call("deleteCalendar", { calendar_id });
  expect((await poll(second)).text).not.toContain("SUMMARY:Title");
});

test("a create takes its calendar as the other server left it, and none once that deleted it", async () => {
  const { id: calendar_id } = await newCalendar("Shared");
  const create = (url: string) => on(url).call("createEvent", { calendar_id, ...start });
  for (let n = 0; n < 20; n++) {
    const [here = "", there = ""] = n % 2 === 0 ? urls : urls.toReversed();
    const timezone = n % 3 === 0 ? "Asia/Tokyo" : "Europe/Paris";
    for (let m = 0; m < 3; m++) await create(here); // so that it knows the calendar
    const others = await Promise.all([
      create(here),
      on(there).call("saveCalendar", { calendar_id, title: `Shared ${n}`, timezone }),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    const { body } = await create(here);
    expect(body.event.timezone).toBe(timezone);
  }
  const { body } = await on(second).call("listEvents", { calendar_id });
  expect(body.calendar.events_count).toBe(100);
  await create(first);
  await on(second).call("deleteCalendar", { calendar_id });
  expect((await create(first)).status).toBe(404);
});

test("a key that comes to both servers at once makes one event, and all get one answer", async () => {
  const calendar = await newCalendar("Once");
  const body = new URLSearchParams({ calendar_id: calendar.id, ...start });
  const headers = { Authorization: `Bearer ${owner.token}`, "Idempotency-Key": "both-at-once" };
  const create = async (url: string): Promise<string> => {
    for (;;) {
      const answer = await request(`${url}/api/v1/calendars/events/create/`, {
        method: "POST",
        headers,
        body,
      });
      if (answer.status === 200) return answer.text;
      const { error_type } = JSON.parse(answer.text).meta;
      const retryAfter = answer.headers.get("retry-after");
      expect([answer.status, error_type, retryAfter]).toEqual([409, "idempotency_in_progress", "1"]);
      await setTimeout(Number(retryAfter) * 1000);
    }
  };
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => create(index % 2 === 0 ? first : second)),
  );
  expect(new Set(answers).size).toBe(1);
  expect((await on(first).call("listEvents", { calendar_id: calendar.id })).body.events).toHaveLength(1);
});

/** KALENDS_CHANGE_WRITES sets how many (bench/RACES.md). */
const changeWrites = Number(process.env.KALENDS_CHANGE_WRITES ?? 160);

test("who follows the changes while 8 writers write on both servers ends with exactly the same calendar", async () => {
  const calendar = await newCalendar("Followed");
  const both = [on(first), on(second)];
  let isOver = false;
  const reading = copyByChanges(both, calendar.id, () => isOver);
  await Promise.all(Array.from({ length: 8 }, () => writeAtRandom(both, calendar.id, changeWrites / 8)));
  isOver = true;
  const copy = await reading;
  expect(copy.size).toBeGreaterThan(8);
  expectSame(copy, await listedEvents(on(first), calendar.id));
});

// The last one: it stops the servers.
test("each draft is published once by one of two servers, and by the next one after a stop over its time", async () => {
  const calls = callsOf(on(first));
  const { id: calendar_id } = await calls.newCalendar();
  const endpoint = await addEndpoint(db, owner.id, { calendar_id: Number(calendar_id) });
  const addDue = (inSeconds: number) => {
    const publish_at = new Date(Date.now() + inSeconds * 1000).toISOString();
    return calls.addEvent(calendar_id, { published: "false", publish_at });
  };
  const created = async (): Promise<number> => (await deliveriesOf(db, endpoint.id)).length;
  for (let count = 0; count < 8; count++) await addDue(2);
  await expect.poll(created, { interval: 200 }).toBe(8);
  await addDue(1);
  for (const { child } of processes) child.kill("SIGTERM");
  await Promise.all(processes.map(({ finished }) => finished));
  await setTimeout(1_500);
  expect(await created()).toBe(8);
  const next = run("main.ts", [], folder, settings);
  await expect.poll(created, { interval: 200 }).toBe(9);
  next.child.kill("SIGTERM");
  await next.finished;
  expect(await created()).toBe(9);
});
