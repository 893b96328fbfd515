import { expect, test } from "vitest";
import type { CalendarRow, EventRow } from "../src/db/rows.js";
import { addSubscriber, freshItems } from "./calls.js";
import { createTestDatabase, faultsOf } from "./databases.js";
import {
  type Answer,
  startTestServer,
  type TestAccount,
  testAccount,
  testServer,
  type TestServer,
} from "./harness.js";

// What holds when many write at once, when the server starts again, and when the clock goes back.

const server = await testServer();
const owner = await server.account();

const times = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const start = { title: "x", start_date: "07/04/2026 10:00" } as const;

/** Creates a calendar. A 503 is tried again: on a busy machine PostgreSQL refuses who waits two seconds for a lock. */
async function newCalendar(account: TestAccount = owner): Promise<string> {
  for (;;) {
    const { status, body } = await account.call("createCalendar", { title: "x" });
    if (status !== 503) return body.calendar.id;
  }
}

async function newEvent(calendar_id: string, account: TestAccount = owner): Promise<string> {
  return String((await account.call("createEvent", { calendar_id, ...start })).body.event.id);
}

async function calendarRow({ db }: TestServer, id: string): Promise<CalendarRow> {
  const row = await db
    .read<CalendarRow>("calendars")
    .where({ id: Number(id) })
    .first();
  if (row === undefined) throw new Error(`there is no calendar ${id}`);
  return row;
}

async function countOfEvents({ db }: TestServer, id: string): Promise<number> {
  return (
    await db
      .read<EventRow>("events")
      .where({ calendar_id: Number(id) })
      .select("id")
  ).length;
}

/** The database's own checks. */
async function expectSound({ db }: TestServer): Promise<void> {
  expect(await faultsOf(db)).toStrictEqual([]);
}

test("40 saves of one event at once count 1 to 40, each once", async () => {
  const calendar_id = await newCalendar();
  const event_id = await newEvent(calendar_id);
  const before = await calendarRow(server, calendar_id);
  const answers = await Promise.all(
    times(40).map((n) => owner.call("saveEvent", { event_id, ...start, title: `Save ${n}` })),
  );
  const counts = answers.map(({ body }) => Number(body.event.updated_times));
  expect(counts.toSorted((a, b) => a - b)).toStrictEqual(times(40));
  const after = await calendarRow(server, calendar_id);
  expect(after.feed_version - before.feed_version).toBe(40);
  const last = answers.find(({ body }) => body.event.updated_times === "40");
  const [listed] = (await owner.call("listEvents", { calendar_id })).body.events;
  expect([listed.updated_times, listed.title]).toStrictEqual(["40", last?.body.event.title]);
});

test("60 creates at once are all counted, and their ids have the order of the commits", async () => {
  const calendar_id = await newCalendar();
  const created = await Promise.all(
    times(60).map(() => owner.call("createEvent", { calendar_id, ...start })),
  );
  expect(new Set(created.map(({ body }) => body.event.id)).size).toBe(60);
  const { body } = await owner.call("listEvents", { calendar_id });
  expect([body.calendar.events_count, body.events.length]).toStrictEqual([60, 60]);
  expect((await calendarRow(server, calendar_id)).events_total).toBe(60);
  expect((await calendarRow(server, calendar_id)).feed_version).toBe(61);
  const rows = await server.db
    .read<EventRow>("events")
    .where({ calendar_id: Number(calendar_id) })
    .orderBy("feed_version");
  expect(rows.map(({ feed_version }) => feed_version)).toStrictEqual(times(60).map((n) => n + 1));
  expect(rows.map(({ id }) => id)).toStrictEqual(rows.map(({ id }) => id).toSorted((a, b) => a - b));
});

test("30 calendars made at once have different ids and keys, and the list shows the last made first", async () => {
  const account = await server.account();
  await Promise.all(times(30).map(() => newCalendar(account)));
  const { calendars } = (await account.call("listCalendars")).body;
  expect(new Set(calendars.map(({ uniquekey }: { uniquekey: string }) => uniquekey)).size).toBe(30);
  const ids: readonly number[] = calendars.map(({ id }: { id: string }) => Number(id));
  expect(ids).toStrictEqual(ids.toSorted((a, b) => b - a));
});

test("one event deleted by 10 at once is deleted and counted once", async () => {
  const calendar_id = await newCalendar();
  const event_id = await newEvent(calendar_id);
  await newEvent(calendar_id);
  const answers = await Promise.all(times(10).map(() => owner.call("deleteEvent", { event_id })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(9);
  expect((await calendarRow(server, calendar_id)).events_total).toBe(1);
});

test("a calendar deleted while 20 events are made in it: each is made or 404, and nothing is left hanging", async () => {
  for (const round of times(6)) {
    const calendar_id = await newCalendar();
    const create = () => owner.call("createEvent", { calendar_id, ...start });
    const first = times(3 * round).map(create);
    const deletion = owner.call("deleteCalendar", { calendar_id });
    const answers = await Promise.all([...first, ...times(20 - 3 * round).map(create)]);
    expect((await deletion).status).toBe(200);
    expect(
      answers.filter(({ status }) => status !== 200 && status !== 404).map(({ text }) => text),
    ).toStrictEqual([]);
    const made = answers.filter(({ status }) => status === 200).length;
    expect((await calendarRow(server, calendar_id)).events_total).toBe(made);
    expect(await countOfEvents(server, calendar_id)).toBe(made);
    expect((await calendarRow(server, calendar_id)).feed_version).toBe(made + 2);
  }
  await expectSound(server);
});

test("feed_version rises by one for every change of the calendar or its events, and for nothing else", async () => {
  const { calendar_id = "", event_id = "", subscriber_id = "" } = await freshItems(server, owner);
  const other = await newCalendar();
  const stranger = await server.account();
  const reader = await server.account({ scope: "read" });
  const risen = async (send: () => Promise<Answer>, status: number): Promise<number> => {
    const before = await calendarRow(server, calendar_id);
    expect((await send()).status).toBe(status);
    return (await calendarRow(server, calendar_id)).feed_version - before.feed_version;
  };
  // Each runs only when its turn comes.
  const rises = [
    () => owner.call("createEvent", { calendar_id, ...start }),
    () => owner.get("createEvent", { calendar_id, ...start }),
    () => owner.call("saveEvent", { event_id, ...start }),
    () => owner.call("saveEvent", { event_id, ...start }), // a save counts though nothing differs: updated_times rises
    () => owner.call("saveCalendar", { calendar_id, title: "y" }),
    () => owner.call("deleteEvent", { event_id }),
  ];
  const event = await newEvent(calendar_id);
  const stays: readonly (readonly [() => Promise<Answer>, number])[] = [
    [() => owner.call("listEvents", { calendar_id }), 200],
    [() => owner.call("listSubscribers", { calendar_id }), 200],
    [() => owner.call("getSubscriber", { calendar_id, subscriber_id }), 200],
    [() => owner.call("listCalendars"), 200],
    [() => owner.call("createEvent", { calendar_id: other, ...start }), 200],
    [() => owner.call("createEvent", { calendar_id, title: "x", start_date: "02/30/2026 10:00" }), 400],
    [() => owner.call("createEvent", { calendar_id, ...start, end_date: "07/04/2026 09:00" }), 400],
    [() => owner.call("saveEvent", { event_id: event, title: " ", start_date: start.start_date }), 400],
    [() => owner.call("saveEvent", { event_id, ...start }), 404],
    [() => owner.call("deleteEvent", { event_id }), 404],
    [() => owner.call("saveCalendar", { calendar_id, title: "x", timezone: "Mars/Olympus" }), 400],
    [() => stranger.call("saveEvent", { event_id: event, ...start }), 404],
    [() => stranger.call("createEvent", { calendar_id, ...start }), 404],
    [() => reader.call("deleteCalendar", { calendar_id }), 403],
  ];
  for (const call of rises)
    expect([call.toString(), await risen(call, 200)]).toStrictEqual([call.toString(), 1]);
  for (const [call, status] of stays)
    expect([call.toString(), await risen(call, status)]).toStrictEqual([call.toString(), 0]);
  expect(await risen(() => owner.call("deleteCalendar", { calendar_id }), 200)).toBe(1);
});

test("a refused color_id rolls back what the same request had counted", async () => {
  const { calendar } = (await owner.call("createCalendar", { title: "x", palette_id: "2" })).body;
  const event_id = await newEvent(calendar.id);
  const before = await calendarRow(server, calendar.id);
  const answer = await owner.call("createEvent", { calendar_id: calendar.id, ...start, color_id: "9" });
  expect([answer.status, answer.body.meta.errors?.[0]?.parameter]).toStrictEqual([400, "color_id"]);
  expect((await owner.call("saveEvent", { event_id, ...start, color_id: "9" })).status).toBe(400);
  expect(await calendarRow(server, calendar.id)).toStrictEqual(before);
  expect(
    (await owner.call("createEvent", { calendar_id: calendar.id, ...start, color_id: "8" })).status,
  ).toBe(200);
});

test("followers counted by several at once are all counted", async () => {
  const calendar_id = await newCalendar();
  const add = (n: number) =>
    addSubscriber(server, owner, calendar_id, {
      active: n % 2,
      blocked: n % 3 === 0 ? 1 : 0,
      subscribed_at: server.now,
    });
  await Promise.all(times(24).map(add));
  const { followers_total, followers_active, followers_inactive, followers_blocked } = await calendarRow(
    server,
    calendar_id,
  );
  expect({ followers_total, followers_active, followers_inactive, followers_blocked }).toStrictEqual({
    followers_total: 24,
    followers_active: 8,
    followers_inactive: 12,
    followers_blocked: 8,
  });
});

test("an id is never reused, even after the newest row was deleted and the server restarted", async () => {
  const database = await createTestDatabase("migrated");
  const environment = { DATABASE_URL: database.url };
  const first = await startTestServer(environment);
  const account = await first.account();
  const kept = await newCalendar(account);
  const calendar_id = await newCalendar(account);
  const event_id = await newEvent(kept, account);
  await account.call("deleteEvent", { event_id });
  await account.call("deleteCalendar", { calendar_id });
  await first.stop();
  const second = await startTestServer(environment);
  const again = testAccount(second.url, account.id, account.token);
  expect(Number(await newEvent(kept, again))).toBeGreaterThan(Number(event_id));
  expect(Number(await newCalendar(again))).toBeGreaterThan(Number(calendar_id));
  expect((await again.call("listEvents", { calendar_id })).status).toBe(404);
  await expectSound(second);
  await second.stop();
  await database.remove();
});

test("date_modified never goes back when the clock does", async () => {
  const moved = await startTestServer();
  const account = await moved.account();
  const calendar_id = await newCalendar(account);
  const event_id = await newEvent(calendar_id, account);
  const late = moved.now + 1000;
  const seen: number[] = [];
  for (const now of [late, late - 900, late - 100_000, late + 5]) {
    moved.now = now;
    const calendar = (await account.call("saveCalendar", { calendar_id, title: "y" })).body.calendar;
    const { event } = (await account.call("saveEvent", { event_id, ...start })).body;
    expect(event.date_modified).toBe(calendar.date_modified);
    expect(event.date_modified).toBeGreaterThanOrEqual(event.date_create);
    seen.push(event.date_modified);
  }
  expect(seen).toStrictEqual([late, late, late, late + 5]);
  await moved.stop();
});
