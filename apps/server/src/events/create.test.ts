import { describe, expect, test } from "vitest";
import { startOfTests, testServer } from "../../test/harness.js";

const server = await testServer();
const account = await server.account();
const calendarId: string = (
  await account.call("createCalendar", { title: "Home", timezone: "America/New_York" })
).body.calendar.id;

const create = (params: Readonly<Record<string, string>>) =>
  account.call("createEvent", {
    calendar_id: calendarId,
    title: "Lunch",
    start_date: "07/04/2026 13:30",
    ...params,
  });
describe("create an event", () => {
  test("with the mandatory parameters alone takes every default", async () => {
    const { body } = await create({});
    expect(body).toEqual({
      meta: { code: "200" },
      event: {
        id: expect.any(Number),
        calendar: calendarId,
        title: "Lunch",
        description: "",
        location: "",
        organizer: "",
        organizer_email: "",
        date_start: "07/04/2026",
        date_start_time: "13:30:00",
        date_start_ampm: "PM",
        date_end: "07/04/2026",
        date_end_time: "14:30:00",
        date_end_ampm: "PM",
        all_day_event: "false",
        date_format: "MM/DD/YYYY",
        timezone: "America/New_York",
        reminder: "",
        date_create: startOfTests,
        date_modified: startOfTests,
        updated_times: "0",
        color_id: "",
      },
    });
  });

  const refused = [
    ["start_date", "02/30/2026 10:00"],
    ["start_date", "02/29/2027 10:00"],
    ["start_date", "07/04/2026 24:00"],
    ["start_date", "07/04/2026 13:00 AM"],
    ["start_date", "07/04/2026 00:30 PM"],
    ["start_date", "7/4/2026 10:00"],
    ["start_date", "2026-07-04T10:00:00Z"],
    ["start_date", "2026-07-04 10:00:00+02:00"],
    ["start_date", "31/07/2026 10:00"],
    ["start_date", "2026-02-30 10:00"],
    ["start_date", "07/04/2026"],
    ["end_date", "2026-07-05"],
    ["start_date", "07/04/1899 10:00"],
    ["end_date", "07/04/2026 13:29"],
    ["timezone", "Mars/Base"],
    ["timezone", "america/new_york"],
    ["color_id", "0"],
    ["color_id", "21"],
    ["color_id", "01"],
    ["reminder", "40321"],
    ["reminder", "-1"],
    ["all_day_event", "yes"],
    ["organizer_email", "nobody"],
    ["title", " \t "],
    ["title", "x".repeat(256)],
    ["title", "a\nb"],
    ["location", "x".repeat(256)],
    ["description", "x".repeat(65_536)],
  ] as const;
  for (const [parameter, value] of refused) {
    test(`${parameter} ${JSON.stringify(value.slice(0, 30))} is refused by name`, async () => {
      const { status, body } = await create({ [parameter]: value });
      expect(status).toBe(400);
      expect(body.meta.errors).toMatchObject([{ parameter }]);
      expect(body.meta.error_message).toContain(parameter);
    });
  }

  test.each([
    "07/04/2026 13:00 AM",
    "02/30/2026 10:00",
    "31/07/2026 10:00",
    "2026-07-04T10:00Z",
    "07/04/2026",
  ])("the refusal of start_date %s shows the accepted forms (rulings R4.2)", async (start_date) => {
    const { error_message } = (await create({ start_date })).body.meta;
    for (const form of [
      "MM/DD/YYYY HH:MM",
      "AM",
      "PM",
      "YYYY-MM-DD HH:MM:SS",
      "T may stand",
      "all_day_event",
    ])
      expect(error_message).toContain(form);
  });

  test("color_id counts the colours that palettes/list/ has of the calendar's palette (extensions X8.6)", async () => {
    const { palettes } = (await account.call("palettesList")).body;
    expect(palettes).toHaveLength(10);
    for (const { id: palette_id, colors } of palettes) {
      const { calendar } = (await account.call("calendarsCreate", { title: "x", palette_id })).body;
      const statusOf = async (color: number) =>
        (await create({ calendar_id: calendar.id, color_id: String(color) })).status;
      expect([await statusOf(colors.length), await statusOf(colors.length + 1)]).toEqual([200, 400]);
    }
  });

  test("every failing parameter is named at once", async () => {
    const { body } = await create({ start_date: "x", color_id: "99", timezone: "Mars/Base", reminder: "x" });
    const names = body.meta.errors.map(({ parameter }: { parameter: string }) => parameter);
    expect(names.toSorted()).toEqual(["color_id", "reminder", "start_date", "timezone"]);
  });

  test("the longest texts pass, counted in characters and not in bytes", async () => {
    const title = "👍".repeat(255);
    const description = "é".repeat(65_535);
    expect((await create({ title, description })).body.event).toMatchObject({ title, description });
    expect((await create({ title: `${title}x` })).status).toBe(400);
  });
});

// What the conformance suite does not ask.

test("unique keys of calendars made at once do not repeat", async () => {
  const make = async () => (await account.call("createCalendar", { title: "x" })).body.calendar.uniquekey;
  expect(new Set(await Promise.all(Array.from({ length: 50 }, make))).size).toBe(50);
});

test("an event comes and goes without a save of its calendar", async () => {
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  const listed = async () => (await account.call("listCalendars")).body.calendars[0];
  server.now = startOfTests + 9;
  const { event } = (await create({ calendar_id: calendar.id })).body;
  expect(await listed()).toMatchObject({ events_total: "1", date_modified: startOfTests });
  await account.call("deleteEvent", { event_id: String(event.id) });
  expect(await listed()).toMatchObject({ events_total: "0", date_modified: startOfTests });
  server.now = startOfTests;
});

test("a save refused for its dates changes nothing", async () => {
  const { id } = (await create({ color_id: "3" })).body.event;
  const listed = async () => {
    const { body } = await account.call("listEvents", { calendar_id: calendarId, order_by: "id-desc" });
    return body.events.find((event: { id: string }) => event.id === String(id));
  };
  const before = await listed();
  const inGap = { start_date: "03/08/2026 02:30", end_date: "03/08/2026 03:10" };
  const refused = await account.call("saveEvent", { event_id: String(id), title: "x", ...inGap });
  expect([refused.status, before.id]).toEqual([400, String(id)]);
  expect(await listed()).toEqual(before);
});
