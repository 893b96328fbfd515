import { describe, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { addEndpoint, deliveriesOf, everyType } from "../../test/webhook-world.js";
import { seriesOf, weeks } from "../../test/series-world.js";

// Changes and deletions in a series (extensions X5.3).

const server = await testServer();
const owner = await server.account();
const { create, eventsOf, startsOf, update, cursorOf } = seriesOf(owner);

describe("an update of a series", () => {
  test("of this changes one event, which keeps its change when all are changed in other fields", async () => {
    const { calendar_id, ids, first } = await create();
    expect(
      (
        await update(ids[1] ?? "", "this", {
          location: "Library",
          start_date: "2026-10-20T18:00",
          end_date: "2026-10-20T19:30",
        })
      ).status,
    ).toBe(200);
    const answer = await update(first, "all", { title: "Open council" });
    expect(answer.body).toMatchObject({ event_ids: ids, series: { events_count: 4 } });
    const events = await eventsOf(calendar_id);
    expect(events.map(({ title }) => title)).toEqual(Array.from({ length: 4 }, () => "Open council"));
    expect(events[1]).toMatchObject({
      location: "Library",
      start_date: "2026-10-20T18:00",
      end_date: "2026-10-20T19:30",
    });
    expect((await update(first, "all", { location: "Town hall" })).status).toBe(200);
    expect((await eventsOf(calendar_id)).map(({ location }) => location)).toEqual(
      Array.from({ length: 4 }, () => "Town hall"),
    );
    // A time that is sent is of the series for the one that was moved too; the length was not sent, so it keeps its own.
    expect((await update(first, "all", { start_date: "2026-10-13T20:00" })).body.series.shift_minutes).toBe(
      25 * 60,
    );
    const moved = await eventsOf(calendar_id);
    expect(moved.map(({ start_date, end_date }) => [start_date, end_date])).toEqual([
      ["2026-10-13T20:00", "2026-10-13T22:00"],
      ["2026-10-20T20:00", "2026-10-20T21:30"],
      ["2026-10-27T20:00", "2026-10-27T22:00"],
      ["2026-11-03T20:00", "2026-11-03T22:00"],
    ]);
  });

  test("is refused that would put its first event before the year 1900", async () => {
    const { calendar_id, ids } = await create();
    const before = await startsOf(calendar_id);
    const answer = await update(ids[1] ?? "", "all", { start_date: "1900-01-03T10:00" });
    expect([answer.status, answer.body.meta.errors]).toEqual([
      400,
      [{ parameter: "start_date", message: "must not be before the year 1900", code: "too_early" }],
    ]);
    expect(await startsOf(calendar_id)).toEqual(before);
  });

  test("of following makes a series of its own of the events from there on", async () => {
    const { calendar_id, ids, series } = await create();
    const answer = await update(ids[2] ?? "", "following", {
      start_date: "2026-10-26T18:30",
      location: "Library",
    });
    expect(answer.body.event_ids).toEqual(ids.slice(2));
    expect(answer.body.series.id).not.toBe(series.id);
    const events = await eventsOf(calendar_id);
    expect(events.map(({ start_date }) => start_date)).toEqual([
      weeks[0],
      weeks[1],
      "2026-10-26T18:30",
      "2026-11-02T18:30",
    ]);
    expect(events.map(({ series_id }) => series_id === series.id)).toEqual([true, true, false, false]);
    await update(ids[0] ?? "", "all", { title: "Only the first two" });
    expect((await eventsOf(calendar_id)).map(({ title }) => title)).toEqual([
      ...["Only the first two", "Only the first two"],
      ...["Council", "Council"],
    ]);
  });

  test("with another rule keeps the events whose start stays, makes and deletes others, and makes no deleted one again", async () => {
    const { calendar_id, ids, first } = await create();
    await owner.call("eventsUpdate", { event_id: ids[2] ?? "", location: "Library" });
    await owner.call("deleteEvent", { event_id: ids[1] ?? "" });
    const answer = await update(first, "all", { rrule: "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=5" });
    expect(answer.status, answer.text).toBe(200);
    const events = await eventsOf(calendar_id);
    expect(events.map(({ start_date }) => start_date)).toEqual([
      ...["2026-10-12T19:00", "2026-10-15T19:00", "2026-10-22T19:00", "2026-10-26T19:00"],
    ]);
    expect(events[3]).toMatchObject({ id: ids[2], location: "Library" });
    const dates = await update(first, "all", { exdate: "2026-10-15", rdate: "2026-12-24T15:00" });
    expect(dates.body.series).toMatchObject({ exdate: ["2026-10-15T19:00"], rdate: ["2026-12-24T15:00"] });
    expect(await startsOf(calendar_id)).toEqual([
      "2026-10-12T19:00",
      "2026-10-22T19:00",
      "2026-10-26T19:00",
      "2026-12-24T15:00",
    ]);
    const { changes } = (
      await owner.call("eventsChanges", { calendar_id, since: await cursorOf(calendar_id) })
    ).body;
    expect(changes).toBeInstanceOf(Array);
  });

  test("is refused for an event without a series, with a rule for this one, and with a stale If-Match", async () => {
    const { calendar_id, first } = await create();
    const { event } = (
      await owner.call("eventsCreate", { calendar_id, title: "Alone", start_date: "2026-10-12T10:00" })
    ).body;
    for (const scope of ["this", "all"])
      expect((await update(event.id, scope, { title: "x" })).body.meta.errors).toMatchObject([
        { parameter: "event_id" },
      ]);
    for (const [parameter, change] of [
      ["rrule", { scope: "this", rrule: "FREQ=DAILY;COUNT=2" }],
      ["exdate", { scope: "this", exdate: "2026-10-19" }],
      ["end_date", { scope: "all", end_date: "2026-10-12T18:00" }],
      ["start_date", { scope: "all", start_date: "2026-10-13" }],
      ["scope", { scope: "some" }],
    ] as const) {
      const answer = await owner.call("eventsSeriesUpdate", { event_id: first, ...change });
      expect(answer.body.meta.errors, answer.text).toMatchObject([{ parameter }]);
    }
    for (const path of ["update", "delete"]) {
      const answer = await server.request(`/api/kalends/v1/events/series/${path}/`, {
        method: "POST",
        headers: { Authorization: `Bearer ${owner.token}`, "If-Match": '"7"' },
        body: new URLSearchParams({ event_id: first, scope: "all" }),
      });
      expect(answer.status).toBe(412);
    }
    expect(await startsOf(calendar_id)).toHaveLength(5);
  });
});

describe("a deletion in a series", () => {
  test("deletes this event, it and those that follow, or all; the changes name each", async () => {
    const { calendar_id, ids } = await create();
    const since = await cursorOf(calendar_id);
    const remove = async (event_id: string | undefined, scope: string) =>
      (await owner.call("eventsSeriesDelete", { event_id: event_id ?? "", scope })).body;
    expect(await remove(ids[1], "this")).toMatchObject({ status: "deleted", event_ids: [ids[1]] });
    expect(await remove(ids[2], "following")).toMatchObject({ event_ids: ids.slice(2) });
    expect(await startsOf(calendar_id)).toEqual([weeks[0]]);
    expect(await remove(ids[0], "all")).toMatchObject({ event_ids: [ids[0]] });
    expect(await startsOf(calendar_id)).toEqual([]);
    const { changes } = (await owner.call("eventsChanges", { calendar_id, since })).body;
    expect(new Set(changes.map(({ event_id }: { event_id: string }) => event_id))).toEqual(new Set(ids));
    expect((await owner.call("calendarsDetails", { calendar_id })).body.calendar.events_total).toBe(0);
    expect(await server.db.read("series").where({ calendar_id: Number(calendar_id) })).toEqual([]);
  });
});

test("a webhook gets a message for each event that a series makes, changes, cancels and deletes", async () => {
  const account = await server.account();
  const series = seriesOf(account);
  const endpoint = await addEndpoint(server.db, account.id, {
    url: "https://localhost/",
    types: everyType,
  });
  const { ids } = await series.create({ rrule: "FREQ=WEEKLY;COUNT=3" });
  await series.update(ids[1] ?? "", "following", { location: "Library" });
  await series.update(ids[0] ?? "", "all", { status: "cancelled" });
  await account.call("eventsSeriesDelete", { event_id: ids[1] ?? "", scope: "all" });
  const sent = (await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type);
  expect(sent).toEqual([
    "calendar.created",
    ...["event.created", "event.created", "event.created"],
    ...["event.saved", "event.saved", "event.cancelled"],
    ...["event.deleted", "event.deleted"],
  ]);
});

test.each(["FREQ=WEEKLY;COUNT=4", "FREQ=WEEKLY;UNTIL=20261103T235959", "FREQ=WEEKLY"])(
  "of a series of %s that was divided, each part says the day of its own last date, and a rule that ends there makes none of the other's",
  async (rrule) => {
    const { calendar_id, ids, first } = await create({ rrule });
    const detailsOf = async (event_id: string) => {
      const { body } = await owner.call("eventsDetails", { event_id });
      return (await owner.call("eventsSeriesDetails", { series_id: body.event.series_id })).body;
    };
    expect((await detailsOf(first)).ends_on).toBe("");
    await update(ids[2] ?? "", "following", { location: "Library" });
    const starts = await startsOf(calendar_id);
    const part = await detailsOf(first);
    expect(part.ends_on).toBe(starts[1]?.slice(0, 10));
    const isEndless = rrule === "FREQ=WEEKLY";
    expect((await detailsOf(ids[2] ?? "")).ends_on).toBe(isEndless ? "" : starts[3]?.slice(0, 10));
    const until = `UNTIL=${part.ends_on.replaceAll("-", "")}T235959`;
    expect((await update(first, "all", { rrule: `FREQ=WEEKLY;${until}` })).status).toBe(200);
    expect(await startsOf(calendar_id)).toEqual(starts);
  },
);
