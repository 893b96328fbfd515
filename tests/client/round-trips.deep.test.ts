import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { calendarFile, vevent } from "../../apps/server/test/calendar-files.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import {
  createCalendarClient,
  eventTimes,
  toDate,
  toEventFields,
  type CalendarClient,
  type CalendarEventListItem,
  type CreateEventParams,
} from "@kalends/client";

let server: TestServer;
let account: TestAccount;
let client: CalendarClient;
let calendar_id: string;

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  const { token } = account;
  client = createCalendarClient({ baseUrl: server.url, token });
});
// Each test has a calendar of its own: every event is looked up in the list.
beforeEach(async () => {
  ({ id: calendar_id } = await client.calendars.create({ title: "Round trips", timezone: "Europe/Paris" }));
});
afterAll(() => server.stop());

/** Creates an event, and returns it as it is listed. */
async function listed(params: Omit<CreateEventParams, "calendar_id">): Promise<CalendarEventListItem> {
  const { id } = await client.events.create({ calendar_id, ...params });
  return listedAs(id);
}

async function listedAs(id: number | string): Promise<CalendarEventListItem> {
  const list = await client.events.list({ calendar_id }).toArray();
  const event = list.find((item) => item.id === String(id));
  if (!event) throw new Error("the event is not listed");
  return event;
}

/** What a save may change of an event that it leaves as it is. */
function steady({ date_modified: _modified, updated_times: _times, ...rest }: CalendarEventListItem) {
  return rest;
}

const full = {
  title: "Près “100 %” & <more> 🎉",
  description: "Doors open at 13:00.\r\n\r\nC:\\dir \\ 50 % + “x”",
  location: "Place de l’Hôtel, 1+1",
  organizer: 'A "B" & Co',
  organizer_email: "a+b@example.com",
  timezone: "Asia/Calcutta",
  color_id: "20",
  reminder: "40320",
  start_date: "07/04/2026 13:30",
  end_date: "07/06/2026 02:05",
  all_day_event: "false",
};

describe("a save with the fields of a listed event leaves it as it is", () => {
  test.each([
    ["with every field", full],
    ["with mandatory fields alone", { title: "Bare", start_date: "01/01/2026 00:00" }],
    ["of a whole day", { title: "Day", start_date: "07/14/2026", all_day_event: "true" }],
    [
      "of two whole days",
      { title: "Days", start_date: "07/14/2026", end_date: "07/15/2026", all_day_event: "1" },
    ],
    ["of a whole day with times", { ...full, all_day_event: "true" }],
    ["without length", { title: "Gong", start_date: "07/14/2026 12:00", end_date: "07/14/2026 12:00" }],
    [
      "late in the evening, in the first half of the clock",
      { title: "Late", start_date: "12/31/2026 11:59 PM" },
    ],
    [
      "without a reminder of its own",
      { ...full, reminder: "", color_id: "", organizer: "", organizer_email: "" },
    ],
    ["at a time that does not exist", { title: "Gap", start_date: "03/29/2026 02:30" }],
    ["over an hour that does not exist", { title: "Over the gap", start_date: "03/29/2026 01:30" }],
    ["in the hour that exists twice", { title: "Fold", start_date: "10/25/2026 02:30" }],
    [
      "in half an hour that exists twice",
      { title: "Half", start_date: "04/05/2026 01:45", timezone: "Australia/Lord_Howe" },
    ],
    [
      "in years without a time zone of hours",
      { title: "Old", start_date: "01/01/1900 00:00", timezone: "Europe/Amsterdam" },
    ],
    ["in the last minute", { title: "Last", start_date: "12/31/9999 22:59", timezone: "Etc/UTC" }],
  ])("%s", async (_title, params) => {
    const before = await listed(params);
    await client.events.save({ event_id: before.id, ...toEventFields(before) });
    const after = await listedAs(before.id);
    expect(steady(after)).toEqual(steady(before));
    expect([before.updated_times, after.updated_times]).toEqual(["0", "1"]);
  });
});

test.each([
  ["starts", "20261025T013000Z", "20261025T023000Z"],
  ["ends", "20261024T230000Z", "20261025T013000Z"],
])(
  "an event that %s in the second of two equal hours is refused: a save would move it",
  async (_word, start, end) => {
    const ics = calendarFile(vevent(`DTSTART:${start}`, `DTEND:${end}`));
    expect((await account.call("calendarsImport", { calendar_id, ics })).status).toBe(200);
    const [event] = await client.events.list({ calendar_id }).toArray();
    if (!event) throw new Error("the event is not listed");
    expect(event.timezone).toBe("Europe/Paris");
    expect(() => toEventFields(event)).toThrow("10/25/2026 02:30 exists twice in Europe/Paris");
  },
);

test("a save with the fields of a created event leaves it as it is", async () => {
  const created = await client.events.create({ calendar_id, ...full });
  const saved = await client.events.save({ event_id: created.id, ...toEventFields(created) });
  expect(saved).toEqual({ ...created, date_modified: saved.date_modified, updated_times: "1" });
});

test("a change behind the fields changes that alone", async () => {
  const before = await listed(full);
  await client.events.save({ event_id: before.id, ...toEventFields(before), title: "New title" });
  expect(steady(await listedAs(before.id))).toEqual({ ...steady(before), title: "New title" });
});

test("with a calendar the fields copy an event", async () => {
  const before = await listed(full);
  const copy = await listed(toEventFields(before));
  const { id: _id, date_create: _created, ...rest } = steady(before);
  expect(copy).toMatchObject(rest);
  expect(copy.id).not.toBe(before.id);
});

describe("an event that is created for an instant starts at it", () => {
  const hourMs = 3_600_000;
  // Around changes of the clock: forward, back, by half an hour, by two hours, over a day, and without daylight saving.
  test.each([
    ["Europe/Paris", "2026-03-29T01:00:00Z"],
    ["Europe/Paris", "2026-10-25T01:00:00Z"],
    ["Europe/Dublin", "2026-10-25T01:00:00Z"],
    ["America/New_York", "2026-03-08T07:00:00Z"],
    ["America/New_York", "2026-11-01T06:00:00Z"],
    ["America/St_Johns", "2026-11-01T04:30:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
    ["Antarctica/Troll", "2026-10-25T01:00:00Z"],
    ["Pacific/Apia", "2011-12-30T10:00:00Z"],
    ["Asia/Kathmandu", "2026-06-01T00:00:00Z"],
  ])("in %s around %s", async (zone, change) => {
    const instants = [-3, -2, -1.5, -1, -0.5, -0.25, 0, 0.25, 0.5, 1, 1.5, 2, 3].map(
      (hours) => new Date(Date.parse(change) + hours * hourMs),
    );
    let refused = 0;
    for (const start of instants) {
      const end = new Date(start.getTime() + 48 * hourMs);
      let times;
      try {
        times = eventTimes({ start, end, zone });
      } catch {
        refused += 1;
        continue;
      }
      const event = await listed({ title: zone, ...times });
      expect(toDate(event.date_start_unix)).toEqual(start);
      expect(toDate(event.date_end_unix)).toEqual(end);
      const moved = await listed({ title: "To be moved", start_date: "01/01/2026 00:00" });
      await client.events.save({ event_id: moved.id, ...toEventFields(moved), ...times });
      expect(toDate((await listedAs(moved.id)).date_start_unix)).toEqual(start);
    }
    expect(refused, "only a time that exists twice is refused").toBeLessThanOrEqual(5);
  });
});
