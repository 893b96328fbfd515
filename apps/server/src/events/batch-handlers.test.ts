import { describe, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";

// Many events in one request (extensions X8.4).

const server = await testServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const owner = await server.account();
const calendar_id: string = await newCalendar();

async function newCalendar(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const fields = { title: "Concerts", timezone: "Europe/Berlin", ...more };
  return (await owner.call("createCalendar", fields)).body.calendar.id;
}

const concert = { title: "Concert", start_date: "2026-10-24T19:30", end_date: "2026-10-24T22:00" };

async function add(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const { status, body } = await owner.call("eventsCreate", { calendar_id, ...concert, ...more });
  expect(status).toBe(200);
  return body.event.id;
}
/** Events that have 8.8 MB together, one after the other: a busy machine refuses some of as many at once. */
async function long(): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < 45) ids.push(await add({ description: "\u8A9E".repeat(65_535) }));
  return ids;
}
const read = async (event_id: string) => (await owner.call("eventsDetails", { event_id })).body.event;
const change = async (ids: readonly string[], params: Readonly<Record<string, string>>) =>
  owner.call("eventsBatch", { events: ids.join(","), ...params });

describe("a change of many events", () => {
  test("moves each on its own wall clock, over a clock change too, and keeps its length there", async () => {
    const ids = [
      await add(),
      await add({ timezone: "America/New_York" }),
      await add({ start_date: "2026-10-24", end_date: "2026-10-25", all_day_event: "true" }),
    ];
    const { status, body } = await change(ids, { shift_days: "1", shift_minutes: "-1440" });
    expect([status, body.done, body.event_ids]).toEqual([200, true, ids]);
    expect((await read(ids[0] ?? ""))["start_date"]).toBe(concert.start_date);
    await change(ids, { shift_days: "2" });
    const events = await Promise.all(ids.map(read));
    expect(events).toMatchObject([
      { start_date: "2026-10-26T19:30", end_date: "2026-10-26T22:00", start_at: "2026-10-26T18:30:00Z" },
      { start_date: "2026-10-26T19:30", start_at: "2026-10-26T23:30:00Z", timezone: "America/New_York" },
      { start_date: "2026-10-26T00:00", all_day_event: true },
    ]);
    expect(events.map(({ updated_times }) => updated_times)).toEqual([2, 2, 2]);
  });

  test.each([{ shift_days: "1" }])(
    "is refused where the events have more than 8 MB together: %j",
    async (params) => {
      const ids = await long();
      const answer = await change(ids, params);
      expect([answer.status, answer.body.meta.error_type]).toEqual([422, "write_too_large"]);
      expect((await read(ids[0] ?? ""))["updated_times"]).toBe(0);
      const { status, body } = await change(ids.slice(0, 10), { ...params, dry_run: "true" });
      expect([status, body.event_ids]).toEqual([200, ids.slice(0, 10)]);
    },
  );

  test("changes the fields that are sent and clears those that are empty", async () => {
    const ids = [
      await add({ location: "Park", categories: "Rock" }),
      await add({ description: "Doors at 7" }),
    ];
    await change(ids, { status: "cancelled", location: "", categories: "Jazz,Free" });
    expect(await Promise.all(ids.map(read))).toMatchObject([
      { status: "cancelled", location: "", categories: ["Jazz", "Free"], title: "Concert" },
      { status: "cancelled", description: "Doors at 7", categories: ["Jazz", "Free"] },
    ]);
  });

  test("changes none when one cannot be changed, and says why; with partial=true the others", async () => {
    const stranger = await server.account();
    const [first, stale, days] = [
      await add(),
      await add(),
      await add({ start_date: "2026-10-24", all_day_event: "true" }),
    ];
    await owner.call("eventsUpdate", { event_id: stale, title: "Changed" });
    const events = [`${first}:0`, `${stale}:0`, days, "9007199254740991"];
    const refused = await change(events, { shift_minutes: "30" });
    const failed = [
      { event_id: stale, error_type: "event_changed", errors: [] },
      {
        event_id: days,
        error_type: "parameter_invalid",
        errors: [
          {
            parameter: "shift_minutes",
            message: "must be whole days for an all-day event",
            code: "not_allowed",
          },
        ],
      },
      { event_id: "9007199254740991", error_type: "event_not_found", errors: [] },
    ];
    expect(refused.body).toMatchObject({ done: false, event_ids: [first], failed });
    expect((await read(first))["updated_times"]).toBe(0);
    expect((await stranger.call("eventsBatch", { events: first, title: "Mine" })).body).toMatchObject({
      done: false,
      failed: [{ event_id: first, error_type: "event_not_found" }],
    });
    const partial = await change(events, { shift_minutes: "30", partial: "true" });
    expect(partial.body).toMatchObject({ done: true, event_ids: [first], failed });
    expect((await read(first))["start_date"]).toBe("2026-10-24T20:00");
    expect((await read(stale))["start_date"]).toBe(concert.start_date);
  });

  test("a dry run answers as the write does, and changes nothing", async () => {
    const ids = [await add(), await add({ start_date: "9999-12-30T12:00", end_date: "9999-12-30T13:00" })];
    const { body } = await change(ids, { shift_days: "2", dry_run: "true" });
    expect(body).toMatchObject({ done: false, event_ids: [ids[0]] });
    expect(body.failed).toMatchObject([{ event_id: ids[1], errors: [{ code: "too_late" }] }]);
    expect((await change(ids, { shift_days: "2" })).body).toEqual(body);
    expect((await read(ids[0] ?? ""))["updated_times"]).toBe(0);
  });

  test("writes one message for each event, in the order of the request, and counts each change", async () => {
    const own = await newCalendar();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push(await add({ calendar_id: own }));
    const { body } = await owner.call("webhooksCreate", { url: "http://127.0.0.1:9/", calendar_id: own });
    const since = (await owner.call("eventsChanges", { calendar_id: own })).body.cursor;
    const order = [3, 0, 4, 1, 2].map((at) => ids[at] ?? "");
    await change(order, { title: "Moved" });
    await change(order, { delete: "true" });
    const { deliveries } = (await owner.call("webhooksDeliveries", { webhook_id: body.webhook.id })).body;
    const sent = deliveries.toReversed().map((one: { readonly type: string }) => one.type);
    expect(sent).toEqual([...Array(5).fill("event.saved"), ...Array(5).fill("event.deleted")]);
    const { changes } = (await owner.call("eventsChanges", { calendar_id: own, since })).body;
    expect(changes.map((one: { readonly change: string }) => one.change)).toEqual(Array(5).fill("deleted"));
    const { calendar } = (await owner.call("calendarsDetails", { calendar_id: own })).body;
    expect(calendar.events_total).toBe(0);
    await owner.call("webhooksDelete", { webhook_id: body.webhook.id });
  });

  test("takes 500 events of several calendars at once", async () => {
    const calendars = [await newCalendar(), await newCalendar()];
    const ids: string[] = [];
    for (const id of calendars)
      ids.push(
        ...(
          await owner.call("eventsSeriesCreate", {
            calendar_id: id,
            ...concert,
            rrule: "FREQ=DAILY;COUNT=250",
          })
        ).body.event_ids,
      );
    const { body, text } = await change(ids, { shift_minutes: "15", status: "tentative" });
    expect(body.done, text).toBe(true);
    expect(body.event_ids).toEqual(ids);
    for (const id of calendars) {
      const { events, calendar } = (await owner.call("eventsList", { calendar_id: id })).body;
      expect(calendar.events_count).toBe(250);
      expect(events).toHaveLength(100);
      for (const event of events)
        expect([event.status, event.start_date.slice(11)]).toEqual(["tentative", "19:45"]);
    }
    expect((await change(ids, { delete: "true" })).body).toMatchObject({ done: true, event_ids: ids });
  });

  test.each([
    [
      "more than 500 events",
      { events: Array.from({ length: 501 }, (_, n) => n + 1).join(), title: "x" },
      "events",
    ],
    ["an id that is no exact number", { events: "9007199254740993", title: "x" }, "events"],
    ["an event twice", { events: "7,8,7:1", title: "x" }, "events"],
    ["no change", { events: "7" }, "delete"],
    ["a change and a deletion", { events: "7", delete: "true", title: "x" }, "delete"],
    ["a move over a century", { events: "7", shift_days: "36526" }, "shift_days"],
    ["a title that is cleared", { events: "7", title: "" }, "title"],
  ])("refuses %s", async (_what, params, parameter) => {
    const { status, body } = await owner.call("eventsBatch", params);
    expect([status, body.meta.error_type]).toEqual([400, "parameter_invalid"]);
    expect(body.meta.errors).toMatchObject([{ parameter }]);
  });
});

describe("copies of an event", () => {
  const copy = async (params: Readonly<Record<string, string>>) => owner.call("eventsCopy", params);

  test("have its fields, its length on the wall clock, and a UID of their own", async () => {
    const event_id = await add({ location: "Park", categories: "Rock", color_id: "3", reminder: "30" });
    const { body } = await copy({ event_id, start_dates: "2026-10-25T19:30,2027-03-27 23:00" });
    const [event, ...copies] = await Promise.all([event_id, ...body.event_ids].map(read));
    const {
      id: _id,
      uid: _uid,
      url: _url,
      start_date: _s,
      end_date: _e,
      start_at: _sa,
      end_at: _ea,
      ...same
    } = event;
    for (const each of copies) expect(each).toMatchObject(same);
    expect(copies).toMatchObject([
      { start_date: "2026-10-25T19:30", end_date: "2026-10-25T22:00", series_id: "" },
      { start_date: "2027-03-27T23:00", end_date: "2027-03-28T01:30" },
    ]);
    expect(new Set([event, ...copies].map(({ uid }) => uid)).size).toBe(3);
  });

  test("go into another calendar, without a colour that its palette lacks", async () => {
    const [wide, narrow] = [await newCalendar({ palette_id: "1" }), await newCalendar({ palette_id: "2" })];
    const event_id = await add({ calendar_id: wide, color_id: "1" });
    const { body } = await copy({ event_id, start_dates: "2026-11-01T10:00", calendar_id: narrow });
    expect(await read(body.event_ids[0])).toMatchObject({ calendar_id: narrow, title: "Concert" });
    const stranger = await server.account();
    const foreign = (await stranger.call("createCalendar", { title: "Theirs", timezone: "UTC" })).body
      .calendar.id;
    const refused = await copy({ event_id, start_dates: "2026-11-01T10:00", calendar_id: foreign });
    expect([refused.status, refused.body.meta.error_type]).toEqual([404, "calendar_not_found"]);
  });

  test.each([
    ["a date that does not exist", "2026-02-30T10:00"],
    ["a date alone for a timed event", "2026-02-20"],
    ["an end after the year 9999", "9999-12-31T23:00"],
    ["367 dates", Array(367).fill("2026-02-20T10:00").join()],
    ["nothing", ","],
  ])("refuse %s", async (_what, start_dates) => {
    const { status, body } = await copy({ event_id: await add(), start_dates });
    expect([status, body.meta.errors?.[0]?.parameter]).toEqual([400, "start_dates"]);
  });
});
