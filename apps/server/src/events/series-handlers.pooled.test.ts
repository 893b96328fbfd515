import { describe, expect, test } from "vitest";
import { startOfTests, startTestServer, testServer } from "../../test/harness.js";
import { council, seriesOf, weeks } from "../../test/series-world.js";
import { extendSeries } from "./series-extend.js";

// Series that are created, and the endless ones that are extended (extensions X5.1, X5.2).
const server = await testServer({ LOG_LEVEL: "debug" });
const owner = await server.account();
const { newCalendar, create, eventsOf, startsOf, update } = seriesOf(owner);

describe("a series that is created", () => {
  test("is ordinary events on the wall clock of their zone, which share series_id", async () => {
    const { calendar_id, ids, series } = await create();
    expect(series).toEqual({
      id: expect.any(String),
      calendar_id,
      rrule: council.rrule,
      rdate: [],
      exdate: [],
      shift_minutes: 0,
      timezone: "Europe/Berlin",
      all_day_event: false,
      endless: false,
      events_count: 4,
    });
    const events = await eventsOf(calendar_id);
    expect(events.map(({ id }) => id)).toEqual(ids);
    expect(events.map(({ start_date }) => start_date)).toEqual(weeks);
    expect(new Set(events.map(({ series_id }) => series_id))).toEqual(new Set([series.id]));
    // 19:00 in Berlin before and after the end of summer time
    expect(events.map(({ start_at }) => start_at)).toMatchObject([
      "2026-10-12T17:00:00Z",
      "2026-10-19T17:00:00Z",
      "2026-10-26T18:00:00Z",
      "2026-11-02T18:00:00Z",
    ]);
    const { body } = await owner.call("calendarsDetails", { calendar_id });
    expect(body.calendar.events_total).toBe(4);
    const { calendar } = (await owner.call("listEvents", { calendar_id })).body;
    expect(calendar.events_count).toBe(4);
    const { changes } = (await owner.call("eventsChanges", { calendar_id })).body;
    expect(changes).toHaveLength(4);
  });

  test("takes lists with blanks after commas, and a rule with the prefix of a calendar file", async () => {
    const { calendar_id, series, first } = await create({
      rrule: "RRULE:FREQ=WEEKLY;COUNT=2",
      rdate: "2026-12-24T15:00, 2026-12-31T19:00",
    });
    expect(series.rrule).toBe("FREQ=WEEKLY;COUNT=2");
    expect(await startsOf(calendar_id)).toEqual([
      ...weeks.slice(0, 2),
      "2026-12-24T15:00",
      "2026-12-31T19:00",
    ]);
    const changed = await update(first, "all", { rrule: "rrule:FREQ=WEEKLY;COUNT=3" });
    expect(changed.body.series.rrule).toBe("FREQ=WEEKLY;COUNT=3");
  });

  test("takes rdate and exdate as text or as lists, and custom_data, status and all days", async () => {
    const { calendar_id, series } = await create({
      rdate: "2026-12-24T15:00,2026-12-31",
      exdate: "2026-10-19",
      status: "tentative",
      custom_data: '{"room":"2b"}',
    });
    expect(await startsOf(calendar_id)).toEqual([
      weeks[0],
      weeks[2],
      weeks[3],
      "2026-12-24T15:00",
      "2026-12-31T19:00",
    ]);
    expect(series).toMatchObject({
      rdate: ["2026-12-24T15:00", "2026-12-31T19:00"],
      exdate: ["2026-10-19T19:00"],
    });
    const found = await owner.call("eventsList", {
      calendar_id,
      custom_data_key: "room",
      custom_data_value: "2b",
    });
    expect(found.body.calendar.events_count).toBe(5);
    const days = {
      start_date: "2026-10-12",
      end_date: "2026-10-13",
      all_day_event: "true",
      rrule: "FREQ=DAILY;INTERVAL=7;UNTIL=20261026",
    };
    expect(await startsOf((await create(days)).calendar_id)).toHaveLength(3);
    const calendar = await newCalendar();
    const answer = await server.request("/api/kalends/v1/events/series/create/", {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${owner.token}` },
      body: JSON.stringify({
        calendar_id: calendar,
        ...council,
        rrule: "FREQ=DAILY;COUNT=1",
        rdate: ["2026-10-13T08:00"],
      }),
    });
    expect(answer.status, answer.text).toBe(200);
    expect(await startsOf(calendar)).toEqual(["2026-10-12T19:00", "2026-10-13T08:00"]);
  });

  test.each([
    ["rrule", { rrule: "FREQ=SECONDLY" }],
    ["rrule", { rrule: "FREQ=DAILY;COUNT=367" }],
    ["rrule", { rrule: "FREQ=DAILY;UNTIL=20280101" }],
    ["rrule", { rrule: "FREQ=DAILY", start_date: "2021-01-01T10:00", end_date: "" }],
    ["rrule", { rrule: "weekly\u00e9" }],
    ["exdate", { exdate: "2026-02-30" }],
    ["exdate", { exdate: "monday" }],
    ["exdate", { rrule: "FREQ=DAILY;COUNT=1", exdate: "2026-10-12" }],
    ["rdate", { rdate: Array.from({ length: 367 }, () => "2026-10-12").join(",") }],
    ["end_date", { end_date: "2026-10-12T18:00" }],
  ])("is refused whole with a reason at %s: %j", async (parameter, change) => {
    const calendar_id = await newCalendar();
    const { status, body } = await owner.call("eventsSeriesCreate", { calendar_id, ...council, ...change });
    expect([status, body.meta.error_type]).toEqual([400, "parameter_invalid"]);
    expect(body.meta.errors).toMatchObject([{ parameter }]);
    expect(await eventsOf(calendar_id)).toEqual([]);
  });

  test("may have 366 events, which are changed and deleted at once", async () => {
    const calendar_id = await newCalendar();
    const created = await owner.call("eventsSeriesCreate", {
      calendar_id,
      ...council,
      rrule: "FREQ=DAILY;COUNT=366",
    });
    const [first = ""]: readonly string[] = created.body.event_ids;
    expect((await update(first, "all", { start_date: "2026-10-13T20:00" })).body.event_ids).toHaveLength(366);
    expect(
      (await owner.call("eventsSeriesDelete", { event_id: first, scope: "all" })).body.event_ids,
    ).toHaveLength(366);
    expect(
      (await owner.call("calendarsDetails", { calendar_id: calendar_id })).body.calendar.events_total,
    ).toBe(0);
  });

  test("is made once under a key, and not in the calendar of another account", async () => {
    const calendar_id = await newCalendar();
    const send = () =>
      server.request("/api/kalends/v1/events/series/create/", {
        method: "POST",
        headers: { Authorization: `Bearer ${owner.token}`, "Idempotency-Key": "series-1" },
        body: new URLSearchParams({ calendar_id, ...council }),
      });
    const [one, other] = [await send(), await send()];
    expect(other.text).toBe(one.text);
    expect(await eventsOf(calendar_id)).toHaveLength(4);
    const stranger = await server.account();
    expect((await stranger.call("eventsSeriesCreate", { calendar_id, ...council })).status).toBe(404);
  });
});

describe("an endless series", () => {
  test("goes two years ahead, and each day a little further, once, however many servers look", async () => {
    const { calendar_id, series } = await create({ rrule: "FREQ=MONTHLY" });
    expect(series.endless).toBe(true);
    const count = series.events_count;
    expect(await extendSeries({ db: server.db, now: startOfTests + 3600 })).toBe(0);
    await update(series.id && ((await eventsOf(calendar_id))[0]?.id ?? ""), "all", { title: "Renamed" });
    const later = startOfTests + 70 * 86_400;
    const second = await startTestServer({ DATABASE_URL: server.databaseUrl });
    const databases = [server.db, second.db, server.db, second.db];
    const made = await Promise.all(databases.map((db) => extendSeries({ db, now: later })));
    await second.stop();
    expect(made.toSorted()).toEqual([0, 0, 0, 2]);
    const events = await eventsOf(calendar_id);
    expect(events).toHaveLength(count + 2);
    expect(new Set(events.map(({ title }) => title))).toEqual(new Set(["Renamed"]));
    const last = events.at(-1)?.id ?? "";
    await owner.call("eventsSeriesDelete", { event_id: last, scope: "following" });
    expect(await extendSeries({ db: server.db, now: later + 400 * 86_400 })).toBe(0);
    expect(await startsOf(calendar_id)).toHaveLength(count + 1);
  });

  test("goes on in parts where its webhooks make all of them too much for one write", async () => {
    await owner.call("webhooksCreate", { url: "https://example.com/hook", types: "event.created" });
    const { ids } = await create({ rrule: "FREQ=DAILY" });
    const event_id = ids[266] ?? "";
    expect((await update(event_id, "following", { description: "x".repeat(10_000) })).status).toBe(200);
    for (const days of [266, 267])
      expect(await extendSeries({ db: server.db, now: startOfTests + days * 86_400 })).toBeGreaterThan(0);
  });

  test("has at most 366 events ahead, and none once its calendar is deleted", async () => {
    const { calendar_id, series } = await create({ rrule: "FREQ=DAILY" });
    expect(series.events_count).toBe(366);
    const later = startOfTests + 200 * 86_400;
    const made = await extendSeries({ db: server.db, now: later });
    expect(made).toBeGreaterThan(90);
    expect(await extendSeries({ db: server.db, now: later })).toBe(0);
    await owner.call("deleteCalendar", { calendar_id });
    expect(await extendSeries({ db: server.db, now: later + 86_401 })).toBe(0);
    const [row] = await server.db.read("series").where({ calendar_id: Number(calendar_id) });
    expect(row.next_at).toBeGreaterThan(later + 86_401); // until it is purged with its calendar, or that is restored
  });
});
