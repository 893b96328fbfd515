import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startOfTests, startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";

let server: TestServer;
let account: TestAccount;
let calendarId = "";

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  calendarId = (await account.call("createCalendar", { title: "Home", timezone: "America/New_York" })).body
    .calendar.id;
});
afterAll(() => server.stop());

const create = (params: Readonly<Record<string, string>>) =>
  account.call("createEvent", {
    calendar_id: calendarId,
    title: "Lunch",
    start_date: "07/04/2026 13:30",
    ...params,
  });
const listed = async (id: number) => {
  const { body } = await account.call("listEvents", { calendar_id: calendarId, order_by: "id-asc" });
  return body.events.find((event: { id: string }) => event.id === String(id));
};

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

  test("the list shows the id as a string, color, and the instants", async () => {
    const { id } = (await create({ color_id: "4", timezone: "Europe/Paris" })).body.event;
    const event = await listed(id);
    expect(event).toMatchObject({
      id: String(id),
      color: "4",
      date_start_unix: 1783164600,
      date_end_unix: 1783168200,
    });
    expect(Object.keys(event)).not.toContain("color_id");
    expect(Object.keys(event)).not.toContain("calendar");
  });

  const clocks = [
    ["07/04/2026 01:30 PM", "13:30:00", "PM"],
    ["07/04/2026 13:30 pm", "13:30:00", "PM"],
    ["07/04/2026 12:15 AM", "00:15:00", "AM"],
    ["07/04/2026 12:15 Pm", "12:15:00", "PM"],
    ["07/04/2026 00:15", "00:15:00", "AM"],
  ] as const;
  for (const [start_date, time, meridiem] of clocks) {
    test(`start_date ${start_date} is ${time}`, async () => {
      const { body } = await create({ start_date });
      expect(body.event).toMatchObject({ date_start_time: time, date_start_ampm: meridiem });
    });
  }

  const texts = [
    ["line feeds", "a\nb", "a\r\nb"],
    ["carriage returns", "a\rb", "a\r\nb"],
    ["both", "a\r\nb", "a\r\nb"],
    ["the two characters backslash n", "a\\nb", "a\r\nb"],
    ["no other escape", "a\\tb \\ \\r", "a\\tb \\ \\r"],
    ["HTML as text", "<b>&amp;</b>", "<b>&amp;</b>"],
  ] as const;
  for (const [what, sent, returned] of texts) {
    test(`a description keeps ${what}`, async () => {
      expect((await create({ description: sent })).body.event.description).toBe(returned);
    });
  }

  test("text comes back as it was sent", async () => {
    const title = `👩‍👩‍👧 مرحبا "quotes" 'single' \\ 100% a+b=c&d;e #f \t tab`;
    expect((await create({ title, location: title })).body.event).toMatchObject({ title, location: title });
    expect(
      (await account.get("createEvent", { calendar_id: calendarId, title, start_date: "07/04/2026 13:30" }))
        .body.event.title,
    ).toBe(title);
  });

  const flags = [
    ["true", "true"],
    ["TRUE", "true"],
    ["1", "true"],
    ["false", "false"],
    ["0", "false"],
    ["", "false"],
  ] as const;
  for (const [sent, returned] of flags) {
    test(`all_day_event "${sent}" is ${returned}`, async () => {
      expect((await create({ all_day_event: sent })).body.event.all_day_event).toBe(returned);
    });
  }

  test("an alias of a time zone is kept as sent", async () => {
    expect((await create({ timezone: "US/Pacific" })).body.event.timezone).toBe("US/Pacific");
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

  test.each([
    ["07/04/2026 13:30:59", "07/05/2026 10:00:00 AM"],
    ["2026-07-04 13:30:59", "2026-07-05 10:00"],
    ["2026-07-04T13:30", "07/05/2026 10:00"],
  ])(
    "an event from %s to %s is that of the contract's form, without the seconds",
    async (start_date, end_date) => {
      const { event } = (await create({ start_date, end_date })).body;
      expect([event.date_start, event.date_start_time]).toStrictEqual(["07/04/2026", "13:30:00"]);
      expect([event.date_end, event.date_end_time]).toStrictEqual(["07/05/2026", "10:00:00"]);
    },
  );

  test.each(["07/04/2026", "2026-07-04"])(
    "an all-day event may be on the date %s alone",
    async (start_date) => {
      const { event } = (await create({ start_date, end_date: "2026-07-05", all_day_event: "TRUE" })).body;
      expect([event.date_start, event.date_start_time, event.date_end]).toStrictEqual([
        "07/04/2026",
        "00:00:00",
        "07/05/2026",
      ]);
    },
  );

  test("every failing parameter is named at once", async () => {
    const { body } = await create({ start_date: "x", color_id: "99", timezone: "Mars/Base", reminder: "x" });
    const names = body.meta.errors.map(({ parameter }: { parameter: string }) => parameter);
    expect(names.toSorted()).toEqual(["color_id", "reminder", "start_date", "timezone"]);
  });

  test("a colour past those of the calendar's palette is refused and nothing is counted", async () => {
    const { id } = (
      await account.call("createCalendar", { title: "Eight", timezone: "UTC", palette_id: "2" })
    ).body.calendar;
    const params = { calendar_id: id, title: "x", start_date: "07/04/2026 13:30" };
    expect((await account.call("createEvent", { ...params, color_id: "9" })).body.meta.errors).toMatchObject([
      { parameter: "color_id" },
    ]);
    expect((await account.call("listEvents", { calendar_id: id })).body.calendar.events_count).toBe(0);
    expect((await account.call("createEvent", { ...params, color_id: "8" })).status).toBe(200);
  });

  test("the longest texts pass, counted in characters and not in bytes", async () => {
    const title = "👍".repeat(255);
    const description = "é".repeat(65_535);
    expect((await create({ title, description })).body.event).toMatchObject({ title, description });
    expect((await create({ title: `${title}x` })).status).toBe(400);
  });
});
