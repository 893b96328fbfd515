import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startOfTests, startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  account = await server.account();
  server.now = startOfTests;
});
afterAll(() => server.stop());

const create = async (params: Readonly<Record<string, string>> = {}) =>
  (await account.call("createCalendar", { title: "Work", timezone: "Europe/Paris", ...params })).body
    .calendar;
const list = async () => (await account.call("listCalendars")).body.calendars;

describe("create a calendar", () => {
  test("with title and time zone takes every default", async () => {
    expect(await create()).toEqual({
      id: expect.stringMatching(/^[1-9][0-9]*$/),
      uniquekey: expect.stringMatching(/^[2-9a-hjkmnp-z]{12}$/),
      calendarname: "Work",
      title: "Work",
      description: "",
      timezone: "Europe/Paris",
      followers_active: "0",
      followers_total: "0",
      events_total: "0",
      palette_id: "1",
      date_create: startOfTests,
      date_modified: startOfTests,
    });
  });

  test("without a time zone, or with an empty one, takes America/Los_Angeles", async () => {
    expect((await account.call("createCalendar", { title: "x" })).body.calendar.timezone).toBe(
      "America/Los_Angeles",
    );
    expect((await create({ timezone: "" })).timezone).toBe("America/Los_Angeles");
  });

  test("keeps what is given", async () => {
    const given = {
      calendarname: "name",
      description: "two\nlines",
      palette_id: "10",
      timezone: "Asia/Calcutta",
    };
    expect(await create(given)).toMatchObject(given);
  });

  test("unique keys do not repeat", async () => {
    const keys = await Promise.all(Array.from({ length: 50 }, async () => (await create()).uniquekey));
    expect(new Set(keys).size).toBe(50);
  });

  for (const [parameter, value] of [
    ["title", " "],
    ["timezone", "Foo/Bar"],
    ["palette_id", "11"],
    ["palette_id", "0"],
    ["calendarname", "x".repeat(256)],
    ["description", "x".repeat(65_536)],
  ] as const) {
    test(`${parameter} ${JSON.stringify(value.slice(0, 20))} is refused by name`, async () => {
      const { status, body } = await account.call("createCalendar", {
        title: "x",
        timezone: "UTC",
        [parameter]: value,
      });
      expect(status).toBe(400);
      expect(body.meta.errors).toMatchObject([{ parameter }]);
    });
  }
});

describe("save a calendar", () => {
  test("returns it without timezone, with date_modified updated", async () => {
    const { timezone: _timezone, ...made } = await create();
    server.now = startOfTests + 5;
    const { body } = await account.call("saveCalendar", {
      calendar_id: made.id,
      title: "New",
      timezone: "UTC",
    });
    expect(body.calendar).toEqual({
      ...made,
      title: "New",
      calendarname: "New",
      date_modified: startOfTests + 5,
    });
    expect((await list())[0].timezone).toBe("UTC");
  });

  test("takes defaults for what is absent but keeps the description, and clears it when empty", async () => {
    const { id } = await create({ calendarname: "name", description: "text", palette_id: "5" });
    const params = { calendar_id: id, title: "New" };
    await account.call("saveCalendar", params);
    expect((await list())[0]).toMatchObject({
      calendarname: "New",
      description: "text",
      palette_id: "1",
      timezone: "America/Los_Angeles",
    });
    expect(
      (await account.call("saveCalendar", { ...params, description: "" })).body.calendar.description,
    ).toBe("");
  });
});

describe("list calendars", () => {
  test("shows the most recently saved first, also within one second", async () => {
    const [a, b, c] = [await create(), await create(), await create()];
    await account.call("saveCalendar", { calendar_id: b.id, title: "b" });
    const ids = (await list()).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([b.id, c.id, a.id]);
  });

  test("counts events as they come and go, which is not a save of the calendar", async () => {
    const { id } = await create();
    server.now = startOfTests + 9;
    const event = await account.call("createEvent", {
      calendar_id: id,
      title: "x",
      start_date: "07/04/2026 13:30",
    });
    expect((await list())[0]).toMatchObject({ events_total: "1", date_modified: startOfTests });
    await account.call("deleteEvent", { event_id: String(event.body.event.id) });
    expect((await list())[0]).toMatchObject({ events_total: "0", date_modified: startOfTests });
  });
});

test("a deleted calendar is gone from the list and for every operation, with its events", async () => {
  const { id } = await create();
  const event = await account.call("createEvent", {
    calendar_id: id,
    title: "x",
    start_date: "07/04/2026 13:30",
  });
  const event_id = String(event.body.event.id);
  expect((await account.call("deleteCalendar", { calendar_id: id })).body.calendar).toEqual({
    id,
    status: "deleted",
  });
  expect(await list()).toEqual([]);
  const gone = [
    account.call("deleteCalendar", { calendar_id: id }),
    account.call("saveCalendar", { calendar_id: id, title: "x" }),
    account.call("listEvents", { calendar_id: id }),
    account.call("createEvent", { calendar_id: id, title: "x", start_date: "07/04/2026 13:30" }),
    account.call("saveEvent", { event_id, title: "x", start_date: "07/04/2026 13:30" }),
    account.call("deleteEvent", { event_id }),
    account.call("listSubscribers", { calendar_id: id }),
    account.call("getSubscriber", { calendar_id: id, subscriber_id: "1" }),
  ];
  for (const { status } of await Promise.all(gone)) expect(status).toBe(404);
});
