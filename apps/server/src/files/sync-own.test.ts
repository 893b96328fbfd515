import { afterAll, describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startTestServer, type TestAccount } from "../../test/harness.js";
import { startSource } from "../../test/sync-world.js";
import type { EventRow } from "../db/rows.js";
import { formatWallClock } from "../time/formats.js";
import { deleteSync } from "./sync-queries.js";

// A sync changes and deletes what it has made, and nothing else, whatever its file says: strangers write it.

const newSync = (calendarId: string) => source.newSync(account.id, calendarId);
const sync = (...call: Parameters<typeof source.sync>) => source.sync(...call);

const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const account = await server.account();
const source = await startSource(server);
afterAll(async () => {
  await source.stop();
  await server.stop();
});

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "UTC" })).body.calendar.id;
}

async function titles(calendar_id: string): Promise<readonly string[]> {
  const { body } = await account.call("eventsList", { calendar_id, order_by: "id-asc" });
  return body.events.map(({ title }: { title: string }) => title);
}

const other = vevent("UID:other", "SUMMARY:Other");

describe("a sync leaves as it is", () => {
  test("an event of the owner, whose UID the feed prints", async () => {
    const id = await newCalendar();
    const { body } = await account.call("eventsCreate", {
      calendar_id: id,
      title: "Mine",
      start_date: "2026-08-01 10:00",
    });
    const { uid } = body.event;
    const own = await newSync(id);
    expect(await sync(own, vevent(`UID:${uid}`, "SUMMARY:Theirs"), other)).toBe(
      "1 created, 0 changed, 0 unchanged, 1 skipped, 0 deleted",
    );
    expect(await titles(id)).toEqual(["Mine", "Other"]);
    await sync(own, other);
    expect(await titles(id)).toEqual(["Mine", "Other"]);
  });

  test("its own event, when the feed of the calendar is its file", async () => {
    const id = await newCalendar();
    const own = await newSync(id);
    await sync(own, other);
    const { body } = await account.call("eventsList", { calendar_id: id });
    expect(await sync(own, other, vevent(`UID:${body.events[0].uid}`, "SUMMARY:Again"))).toBe(
      "0 created, 0 changed, 1 unchanged, 1 skipped, 0 deleted",
    );
    expect(await titles(id)).toEqual(["Other"]);
  });

  test("an event that an import has made", async () => {
    const id = await newCalendar();
    await importFile(server, account, id, calendarFile(vevent("UID:a", "SUMMARY:Imported")));
    const own = await newSync(id);
    expect(await sync(own, vevent("UID:a", "SUMMARY:Synced"), other)).toContain(
      "1 created, 0 changed, 0 unchanged, 1 skipped",
    );
    await sync(own, other);
    expect(await titles(id)).toEqual(["Imported", "Other"]);
  });

  test("an event that another sync has made", async () => {
    const id = await newCalendar();
    const [first, second] = [await newSync(id), await newSync(id)];
    await sync(first, vevent("UID:a", "SUMMARY:First"));
    expect(await sync(second, vevent("UID:a", "SUMMARY:Second"), other)).toContain(
      "1 created, 0 changed, 0 unchanged, 1 skipped",
    );
    await sync(second, other);
    expect(await titles(id)).toEqual(["First", "Other"]);
    await sync(first, vevent("UID:a", "SUMMARY:Changed"));
    expect(await titles(id)).toEqual(["Changed", "Other"]);
  });
});

describe("a series whose file moves all its dates", () => {
  const weekly = (start: string, ...lines: readonly string[]) =>
    vevent(
      "UID:w",
      "SUMMARY:Choir",
      `DTSTART:${start}Z`,
      "DURATION:PT1H",
      "RRULE:FREQ=WEEKLY;COUNT=40",
      ...lines,
    );
  const startsOf = async (calendarId: string): Promise<readonly string[]> => {
    const rows = await server.db
      .read<EventRow>("published_events")
      .where({ calendar_id: Number(calendarId) });
    return rows.map(({ start_local }) => formatWallClock(start_local)).toSorted();
  };
  const series = weekly("20260105T190000");

  test.each(["20260105T200000", "20260105T180000"])("has its past dates once: %s", async (start) => {
    const [id, fresh] = [await newCalendar(), await newCalendar()];
    const own = await newSync(id);
    await sync(own, series, other);
    const moved = weekly(start);
    expect(await sync(own, moved, other)).toBe("40 created, 0 changed, 1 unchanged, 0 skipped, 40 deleted");
    await importFile(server, account, fresh, calendarFile(moved, other));
    expect(await startsOf(id)).toEqual(await startsOf(fresh));
    expect(await sync(own, moved, other)).toBe("0 created, 0 changed, 41 unchanged, 0 skipped, 0 deleted");
  });

  test("keeps those before the first date that the file still names, and those that it leaves out", async () => {
    const id = await newCalendar();
    const own = await newSync(id);
    await sync(own, series, other);
    expect(await sync(own, weekly("20260105T190000", "EXDATE:20260112T190000Z"), other)).toContain(
      " 0 deleted",
    );
    expect(await sync(own, weekly("20260601T200000"), other)).toContain("40 created");
    const starts = await startsOf(id);
    expect(starts.filter((start) => start < "2026-06").length).toBe(21);
    expect(starts.filter((start) => start >= "2026-06" && start.includes("19:00"))).toEqual([]);
  });

  test("keeps the dates that it was cut to the last month before, also when one of them is changed", async () => {
    const id = await newCalendar();
    const own = await newSync(id);
    const daily = (rule: string, ...more: readonly string[]) => [
      vevent("UID:w", "DTSTART:20250701T100000Z", `RRULE:FREQ=DAILY${rule}`),
      ...more,
    ];
    await sync(own, ...daily(";UNTIL=20260630T100000Z"));
    const before = (await startsOf(id)).filter((start) => start < "2026-06");
    const changed = vevent("UID:w", "RECURRENCE-ID:20250601T100000Z", "DTSTART:20250601T110000Z");
    await sync(own, ...daily("", changed));
    const starts = await startsOf(id);
    expect(before.length).toBeGreaterThan(300);
    expect(before.filter((start) => !starts.includes(start))).toEqual([]);
  });
});

test("a sync takes over the events of one that was removed", async () => {
  const id = await newCalendar();
  const first = await newSync(id);
  await sync(first, vevent("UID:a", "SUMMARY:First"), vevent("UID:b", "SUMMARY:Gone"));
  await server.db.transaction((trx) => deleteSync(trx, { id: first }));
  const second = await newSync(id);
  expect(await sync(second, vevent("UID:a", "SUMMARY:First"), vevent("UID:b", "SUMMARY:Gone"))).toContain(
    "2 unchanged",
  );
  expect(await sync(second, vevent("UID:a", "SUMMARY:Second"))).toContain(
    "1 changed, 0 unchanged, 0 skipped, 1 deleted",
  );
  expect(await titles(id)).toEqual(["Second"]);
  const { body } = await account.call("eventsList", { calendar_id: id });
  expect(body.events[0].sync_id).toBe(String(second));
});

test("an event names the sync that has made it, in every answer and message, as long as there is that sync (extensions X1.3)", async () => {
  const calendar_id = await newCalendar();
  await account.call("webhooksCreate", { url: "https://127.0.0.1:9/" });
  const own = await newSync(calendar_id);
  await sync(own, other, vevent("UID:gone"), vevent("UID:b"));
  await sync(own, vevent("UID:other", "SUMMARY:Changed"), vevent("UID:b"));
  const read = async (...call: Parameters<TestAccount["call"]>) => (await account.call(...call)).body;
  const listed = async () => (await read("eventsList", { calendar_id })).events;
  const [{ id: event_id }, { id: moving }] = await listed();
  const mine = (await read("eventsCreate", { calendar_id, title: "Mine", start_date: "2026-08-01T10:00" }))
    .event;
  const changed = [
    (await read("eventsDetails", { event_id })).event,
    (await read("eventsUpdate", { event_id, title: "x" })).event,
    (await read("eventsUpdate", { event_id, published: "false" })).event,
    (await read("eventsDetails", { event_id })).event,
    ...(await read("eventsList", { calendar_id, published: "false" })).events,
    (await read("eventsUpdate", { event_id, published: "true" })).event,
    ...(await listed()).filter(({ id }: { readonly id: string }) => id === event_id),
    ...(await read("eventsChanges", { calendar_id })).changes.flatMap(
      ({ event }: { readonly event?: { readonly id: string } }) => (event?.id === event_id ? event : []),
    ),
  ];
  await read("eventsBatch", { events: `${event_id}:`, title: "y" });
  await read("eventsDelete", { event_id });
  changed.push((await read("eventsRestore", { event_id })).event);
  expect(changed.map(({ sync_id }) => sync_id)).toEqual(changed.map(() => String(own)));
  expect(changed).toHaveLength(9);
  const deliveries = server.db
    .read("webhook_deliveries")
    .where({ calendar_id })
    .where("type", "like", "event.%");
  const sent = (await deliveries)
    .map(({ payload }) => JSON.parse(payload).data.event)
    .filter(({ id }) => id !== mine.id);
  expect(new Set(sent.map(({ sync_id }) => sync_id))).toEqual(new Set([String(own)]));
  expect(mine.sync_id).toBe("");
  const moved = await read("eventsUpdate", { event_id: moving, calendar_id: await newCalendar() });
  expect(moved.event.sync_id).toBe("");
  expect((await read("eventsDetails", { event_id })).event.sync_id).toBe(String(own));
  await read("syncsDelete", { sync_id: String(own) });
  expect((await read("eventsDetails", { event_id })).event.sync_id).toBe("");
});

test("a sync whose file would store too much stores nothing and says so", async () => {
  const id = await newCalendar();
  const own = await newSync(id);
  const series = Array.from({ length: 27 }, (_, n) =>
    vevent(`UID:${n}`, "RRULE:FREQ=DAILY", `DESCRIPTION:${"x".repeat(65_000)}`),
  );
  expect(await sync(own, ...series)).toMatch(/^Its events would store more than 32 MiB/);
  expect(await titles(id)).toEqual([]);
});
