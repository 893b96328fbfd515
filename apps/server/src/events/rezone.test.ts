import { expect, test } from "vitest";
import { startOfTests, testServer } from "../../test/harness.js";
import { columnsExcept, eventColumns } from "../db/columns.js";
import { tzdataVersion } from "../time/zones.js";
import { applyZoneData, rescheduleEvents } from "./rezone.js";

const server = await testServer();
const owner = await server.account();

const calendar = async (timezone: string) =>
  (await owner.call("createCalendar", { title: "x", timezone })).body.calendar;

const create = async (calendar_id: string, fields: Readonly<Record<string, string>>) => {
  const { id }: { id: number } = (await owner.call("createEvent", { calendar_id, title: "x", ...fields }))
    .body.event;
  return id;
};

const rowOf = (id: number) => server.db.read("events").where({ id }).first();

/** Puts an event to the instants that other zone data gave it. */
const shift = (id: number, seconds: number) =>
  server.db.transaction((trx) =>
    trx("events")
      .where({ id })
      .update({ start_at: trx.raw("start_at + ?", [seconds]), end_at: trx.raw("end_at + ?", [seconds]) }),
  );

const feedOf = async ({ uniquekey }: { uniquekey: string }) => server.request(`/c/${uniquekey}/x.ics`);

test("a date keeps its wall clock where its end alone is changed, before its zone's new data was applied", async () => {
  const { id: calendar_id } = await calendar("America/Vancouver");
  for (const published of ["true", "false"]) {
    const given = { calendar_id, title: "x", start_date: "2026-12-01T09:00", end_date: "2026-12-01T10:00" };
    const { event } = (await owner.call("eventsCreate", { ...given, published })).body;
    await shift(Number(event.id), 3600);
    const { body } = await owner.call("eventsUpdate", { event_id: event.id, end_date: "2026-12-01T11:00" });
    const { start_date, end_date, start_at } = body.event;
    expect([start_date, end_date, start_at]).toEqual([given.start_date, "2026-12-01T11:00", event.start_at]);
  }
});

test("a coming event that older zone data put elsewhere moves, in the API, the feed and its validators", async () => {
  const vancouver = await calendar("America/Vancouver");
  const id = await create(vancouver.id, { start_date: "12/01/2026 09:00" });
  const right = await rowOf(id);
  await shift(id, 3600);
  const before = await feedOf(vancouver);
  expect(before.text).toContain("DTSTART:20261201T170000Z");

  server.now = startOfTests + 100;
  expect(await rescheduleEvents(server.db, server.now)).toBe(1);
  const after = await feedOf(vancouver);
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(after.text).toContain("DTSTART:20261201T160000Z");
  expect(after.text).toContain("SEQUENCE:1");
  expect(after.text).toContain("LAST-MODIFIED:20260702T120140Z");
  expect(await rowOf(id)).toEqual({
    ...right,
    moves: 1,
    moved_at: server.now,
    feed_version: right.feed_version + 1,
  });
  const [event] = (await owner.call("listEvents", { calendar_id: vancouver.id })).body.events;
  expect(event).toMatchObject({
    date_start_time: "09:00:00",
    date_start_unix: right.start_at,
    updated_times: "0",
    date_modified: startOfTests,
  });
  expect(await rescheduleEvents(server.db, server.now)).toBe(0);
  server.now = startOfTests;
});

test("past events, all-day events in their place and both times of a repeated hour stay as they are", async () => {
  const newYork = await calendar("America/New_York");
  const past = await create(newYork.id, { start_date: "01/05/2026 09:00" });
  await shift(past, 3600);
  // 01:30 to 02:30 by the clock before the change, so that the end is the second 01:30.
  const repeated = await create(newYork.id, { start_date: "11/01/2026 01:30" });
  const gap = await create(newYork.id, { start_date: "03/14/2027 02:30" });
  const cairo = await create(newYork.id, {
    start_date: "04/30/2027 00:00", // a midnight that does not exist
    timezone: "Africa/Cairo",
    all_day_event: "true",
  });
  const ids = [past, repeated, gap, cairo];
  const before = await Promise.all(ids.map(rowOf));
  expect(await rescheduleEvents(server.db, server.now)).toBe(0);
  expect(await Promise.all(ids.map(rowOf))).toEqual(before);
});

test("thousands of events are gone through, and only those that moved are written", async () => {
  const { id: calendar_id } = await calendar("America/Edmonton");
  const first = await create(calendar_id, { start_date: "12/01/2026 09:00" });
  const copied = columnsExcept(eventColumns, "id", "uid", "start_at", "end_at").join(", ");
  await server.db.transaction((trx) =>
    trx.raw(
      `with recursive s(value) as (select 1 union all select value + 1 from s where value < 1100)
       insert into events (uid, start_at, end_at, ${copied})
       select uid || value, start_at + 3600 * (value % 10 / 9), end_at + 3600 * (value % 10 / 9), ${copied} from events, s where id = ?`,
      [first],
    ),
  );
  const { start_at } = await rowOf(first);
  expect(await rescheduleEvents(server.db, server.now)).toBe(110);
  const rows = await server.db.read("events").where({ calendar_id }).distinct("start_at");
  expect(rows).toEqual([{ start_at }]);
  expect(await server.db.read("events").where({ calendar_id, moves: 1 }).count("* as n")).toEqual([
    { n: 110 },
  ]);
});

test("it runs once for each version of the zone data, and again when it was stopped", async () => {
  const known = () => server.db.read("properties").where({ name: "tzdata_version" }).pluck("value");
  expect(await known()).toEqual([tzdataVersion]); // written at the first start
  expect(await applyZoneData(server.db, server.now)).toBeUndefined();
  const { id: calendar_id } = await calendar("Europe/Paris");
  await shift(await create(calendar_id, { start_date: "12/01/2026 09:00" }), -60);
  await server.db.transaction((trx) =>
    trx("properties").where({ name: "tzdata_version" }).update({ value: "1999a" }),
  );
  expect(await applyZoneData(server.db, server.now, () => true)).toBe(0);
  expect(await known()).toEqual(["1999a"]);
  expect(await applyZoneData(server.db, server.now)).toBe(1);
  expect(await known()).toEqual([tzdataVersion]);
});
