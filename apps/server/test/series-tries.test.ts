import { describe, expect, test } from "vitest";
import { blamed, type Values } from "./calls.js";
import { testServer } from "./harness.js";
import { seriesOf, weeks } from "./series-world.js";

// Reading and trying series (extensions X8.2).

const server = await testServer();
const owner = await server.account();
const { create, eventsOf, startsOf, newCalendar, update, cursorOf } = seriesOf(owner);

const details = async (series_id: string) => (await owner.call("eventsSeriesDetails", { series_id })).body;
const preview = async (params: Values) =>
  (
    await owner.call("eventsSeriesPreview", {
      start_date: "2027-01-04T19:00",
      timezone: "Europe/Berlin",
      ...params,
    })
  ).body;

describe("events/series/details/", () => {
  test("has the rule, the first event, how many are to come, what was changed and what was deleted", async () => {
    const { series, ids, first } = await create({ rdate: "2026-12-24T15:00", exdate: "2026-11-02" });
    const [, second = "", third = ""] = ids;
    expect(await details(series.id)).toEqual({
      meta: { code: "200" },
      series,
      first_event_id: first,
      upcoming_count: 4,
      changed_event_ids: [],
      deleted_dates: [],
      left_out_count: 0,
      left_out_from: "",
      ends_on: "",
    });
    await owner.call("eventsUpdate", { event_id: second, location: "Elsewhere" });
    await owner.call("eventsUpdate", {
      event_id: first,
      start_date: "2026-10-13T19:00",
      end_date: "2026-10-13T21:00",
    });
    await owner.call("deleteEvent", { event_id: third });
    const read = await details(series.id);
    expect(read.changed_event_ids).toEqual([first, second]);
    expect(read.deleted_dates).toEqual([weeks[2]]);
    expect(read.series.events_count).toBe(3);
    server.now += 180 * 86_400;
    expect((await details(series.id)).upcoming_count).toBe(0);
    server.now -= 180 * 86_400;
  });

  test("has each part of a series that was split, moved as it is", async () => {
    const { series, ids } = await create();
    const answer = await update(ids[2] ?? "", "following", { start_date: "2026-10-27T20:00" });
    expect((await details(series.id)).series).toEqual({ ...series, events_count: 2 });
    const other = await details(answer.body.series.id);
    expect(other.series).toEqual(answer.body.series);
    await owner.call("deleteEvent", { event_id: ids[3] ?? "" });
    expect(await details(answer.body.series.id)).toMatchObject({
      first_event_id: ids[2],
      changed_event_ids: [],
      deleted_dates: ["2026-11-03T20:00"],
    });
  });

  test("is a 404 for another account, a deleted calendar and what is none", async () => {
    const { series, calendar_id } = await create();
    const other = await server.account();
    const ask = async (account: typeof other, series_id: string) =>
      (await account.call("eventsSeriesDetails", { series_id })).body.meta.error_type;
    expect([await ask(other, series.id), await ask(owner, "9007199254740991")]).toEqual([
      "series_not_found",
      "series_not_found",
    ]);
    await owner.call("deleteCalendar", { calendar_id });
    expect(await ask(owner, series.id)).toBe("series_not_found");
  });
});

describe("events/series/preview/", () => {
  test("has the first 60 dates and the number of all", async () => {
    expect(
      await preview({ rrule: "FREQ=WEEKLY;COUNT=3", exdate: "2027-01-11", rdate: "2027-03-01T10:00" }),
    ).toMatchObject({
      dates: ["2027-01-04T19:00", "2027-01-18T19:00", "2027-03-01T10:00"],
      count: 3,
      endless: false,
      notes: [],
    });
    const daily = await preview({ rrule: "FREQ=DAILY" });
    expect([daily.dates.length, daily.count, daily.endless]).toEqual([60, 366, true]);
    expect(await preview({ rdate: "2027-02-01" })).toMatchObject({ count: 2, endless: false });
  });

  test("names the starts that a change of the clock skips or repeats", async () => {
    const spring = await preview({ start_date: "2027-03-27T02:30", rrule: "FREQ=DAILY;COUNT=3" });
    expect(spring.dates).toEqual(["2027-03-27T02:30", "2027-03-28T03:30", "2027-03-29T02:30"]);
    const skipped = {
      date: "2027-03-28T02:30",
      becomes: "2027-03-28T03:30",
      note: "skipped by the clock change, becomes 03:30",
    };
    expect(spring.notes).toEqual([skipped]);
    const autumn = { start_date: "2026-10-24T02:30", rrule: "FREQ=DAILY;COUNT=3" };
    expect((await preview(autumn)).notes).toEqual([
      {
        date: "2026-10-25T02:30",
        becomes: "2026-10-25T02:30",
        note: "occurs twice, the first 02:30 is meant",
      },
    ]);
    expect((await preview({ ...autumn, all_day_event: "true" })).notes).toEqual([]);
    expect((await preview({ ...autumn, timezone: "Etc/UTC" })).notes).toEqual([]);
  });

  test.each([
    [{ rrule: "FREQ=SECONDLY" }, "rrule"],
    [{ rrule: "FREQ=DAILY;COUNT=367" }, "rrule"],
    [{}, "rrule"],
    [{ rrule: "FREQ=DAILY", start_date: "2027-02-30T10:00" }, "start_date"],
    [{ rrule: "FREQ=DAILY", start_date: "2027-02-03" }, "start_date"],
    [{ rrule: "FREQ=DAILY", timezone: "Mars/Olympus" }, "timezone"],
    [{ rrule: "FREQ=DAILY;COUNT=2", exdate: "2027-01-04,2027-01-05" }, "exdate"],
    [{ rrule: "FREQ=DAILY", start_date: "1990-01-01T10:00" }, "rrule"],
  ])("%j is a 400 that names %s", async (params, name) => {
    const start = { start_date: "2027-01-04T19:00", timezone: "Europe/Berlin" };
    const answer = await owner.call("eventsSeriesPreview", { ...start, ...params });
    expect([answer.status, blamed(answer)]).toEqual([400, [name]]);
  });
});

describe("dry_run", () => {
  test("of a creation says what comes, and changes nothing", async () => {
    const calendar_id = await newCalendar();
    const before = await cursorOf(calendar_id);
    const params = { calendar_id, title: "x", start_date: "2027-03-27T02:30", rrule: "FREQ=DAILY;COUNT=2" };
    const { body } = await owner.call("eventsSeriesCreate", { ...params, dry_run: "true" });
    expect(body.dry_run).toEqual({
      created: 2,
      changed: 0,
      deleted: 0,
      kept: 0,
      created_dates: ["2027-03-27T02:30", "2027-03-28T03:30"],
      changed_dates: [],
      deleted_dates: [],
      notes: [expect.objectContaining({ date: "2027-03-28T02:30" })],
    });
    expect([body.series.id, body.series.events_count, body.event_ids]).toEqual(["9007199254740991", 2, []]);
    expect(await eventsOf(calendar_id)).toEqual([]);
    expect(await cursorOf(calendar_id)).toBe(before);
    expect(
      (await owner.call("eventsSeriesCreate", { ...params, dry_run: "false" })).body.dry_run,
    ).toBeUndefined();
  });

  test("of an update says what comes, changes and goes for each scope", async () => {
    const { calendar_id, ids } = await create();
    const was = await eventsOf(calendar_id);
    const tried = async (scope: string, params: Values) =>
      (await update(ids[1] ?? "", scope, { ...params, dry_run: "true" })).body.dry_run;
    expect(
      await tried("this", { start_date: "2026-10-20T20:00", end_date: "2026-10-20T21:00" }),
    ).toMatchObject({
      ...{ created: 0, changed: 1, deleted: 0, kept: 3 },
      changed_dates: [{ event_id: ids[1], from: weeks[1], to: "2026-10-20T20:00" }],
    });
    expect(await tried("following", { location: "x" })).toMatchObject({ changed: 3, kept: 1 });
    expect(await tried("all", { rrule: "FREQ=WEEKLY;INTERVAL=2;COUNT=3" })).toMatchObject({
      ...{ created: 1, changed: 2, deleted: 2, kept: 0 },
      created_dates: ["2026-11-09T19:00"],
      deleted_dates: [weeks[1], weeks[3]],
    });
    expect(await eventsOf(calendar_id)).toEqual(was);
  });

  test("of a deletion says what goes", async () => {
    const { calendar_id, ids } = await create();
    const tried = async (scope: string) =>
      (await owner.call("eventsSeriesDelete", { event_id: ids[1] ?? "", scope, dry_run: "true" })).body;
    expect(await tried("following")).toMatchObject({
      event_ids: ids.slice(1),
      dry_run: { deleted: 3, kept: 1, deleted_dates: weeks.slice(1) },
    });
    expect((await tried("this")).dry_run).toMatchObject({ deleted: 1, kept: 3 });
    expect((await tried("all")).dry_run).toMatchObject({ deleted: 4, kept: 0 });
    expect(await startsOf(calendar_id)).toEqual(weeks);
  });

  test("is refused as the write is, and its key is not used up", async () => {
    const { ids } = await create();
    const params = { event_id: ids[0] ?? "", scope: "all", rrule: "FREQ=WEEKLY;COUNT=400" };
    const [dry, real] = [
      await owner.call("eventsSeriesUpdate", { ...params, dry_run: "true" }),
      await owner.call("eventsSeriesUpdate", params),
    ];
    expect([dry.status, dry.body.meta.errors]).toEqual([400, real.body.meta.errors]);
    const headers = { Authorization: `Bearer ${owner.token}`, "Idempotency-Key": "try" };
    const send = (body: Values) =>
      server.request("/api/kalends/v1/events/series/delete/", {
        method: "POST",
        headers,
        body: new URLSearchParams(body),
      });
    const deletion = { event_id: ids[0] ?? "", scope: "all" };
    expect((await send({ ...deletion, dry_run: "true" })).body.dry_run.deleted).toBe(4);
    expect((await send(deletion)).body.event_ids).toHaveLength(4);
  });
});

describe("events/series/create/ with event_id", () => {
  const single = async (params: Values = {}) => {
    const calendar_id = await newCalendar();
    const event = {
      calendar_id,
      title: "Council",
      start_date: weeks[0] ?? "",
      end_date: "2026-10-12T21:00",
      ...params,
    };
    return (await owner.call("eventsCreate", event)).body.event;
  };

  test("makes an event the first of a series: it keeps its UID and its texts, and the others have them", async () => {
    const event = await single({
      location: "Hall",
      categories: "Music",
      custom_data: `{"a":1}`,
      color_id: "3",
    });
    const before = await cursorOf(event.calendar_id);
    const { status, body, text } = await owner.call("eventsSeriesCreate", {
      event_id: event.id,
      rrule: "FREQ=WEEKLY;COUNT=4",
    });
    expect(status, text).toBe(200);
    const events = await eventsOf(event.calendar_id);
    expect(events.map(({ start_date }) => start_date)).toEqual(weeks);
    expect(body.event_ids).toEqual(events.map(({ id }) => id));
    expect(events[0]).toEqual({ ...event, series_id: body.series.id, updated_times: 1 });
    for (const other of events) {
      const same = {
        title: "Council",
        location: "Hall",
        categories: ["Music"],
        custom_data: { a: 1 },
        color_id: "3",
      };
      expect(other).toMatchObject({ ...same, series_id: body.series.id });
    }
    const { changes } = (await owner.call("eventsChanges", { calendar_id: event.calendar_id, since: before }))
      .body;
    expect(changes).toHaveLength(4);
    expect(await details(body.series.id)).toMatchObject({ first_event_id: event.id, changed_event_ids: [] });
    const moved = await update(event.id, "all", { start_date: "2026-10-13T19:00" });
    expect(moved.body.event_ids).toHaveLength(4);
  });

  test("is tried by dry_run", async () => {
    const event = await single();
    const params = { event_id: event.id, rrule: "FREQ=WEEKLY;COUNT=4", dry_run: "true" };
    const { body } = await owner.call("eventsSeriesCreate", params);
    expect(body.dry_run).toMatchObject({ created: 3, changed: 1, created_dates: weeks.slice(1) });
    expect(body.event_ids).toEqual([event.id]);
    expect(await eventsOf(event.calendar_id)).toEqual([event]);
  });

  test("takes nothing else of an event, and no event of a series", async () => {
    const event = await single();
    const rrule = "FREQ=WEEKLY;COUNT=4";
    const refusal = async (params: Values) =>
      blamed(await owner.call("eventsSeriesCreate", { rrule, ...params }));
    expect(await refusal({ event_id: event.id, title: "x", location: "y" })).toEqual(["title", "location"]);
    expect(await refusal({ event_id: event.id, exdate: "2026-10-12" })).toEqual(["exdate"]);
    expect(await refusal({})).toEqual(["calendar_id", "title", "start_date"]);
    const { first } = await create();
    expect(await refusal({ event_id: first })).toEqual(["event_id"]);
    const other = await server.account();
    expect((await other.call("eventsSeriesCreate", { event_id: event.id, rrule })).body.meta.error_type).toBe(
      "event_not_found",
    );
    expect(await eventsOf(event.calendar_id)).toEqual([event]);
  });
});
