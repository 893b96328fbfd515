import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { testServer } from "../../test/harness.js";
import { hostileTexts } from "../../test/hostile-texts.js";
import type { CalendarRow } from "../db/rows.js";
import { listedZones } from "../time/zones.js";
import { exportedCalendar } from "./export-files.js";

const server = await testServer();
const account = await server.account();

async function newCalendar(timezone = "Asia/Kolkata"): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone })).body.calendar.id;
}

async function exported(id: string): Promise<string> {
  const calendar: CalendarRow = await server.db.read("calendars").where({ id }).first();
  const pieces = [];
  for await (const piece of exportedCalendar((work) => work(server.db.read), calendar)) pieces.push(piece);
  return pieces.join("");
}

/** Without what tells only when an event was made and how often it was changed. */
function lasting(file: string): string {
  return file.replaceAll(/^(?:DTSTAMP|CREATED|LAST-MODIFIED|SEQUENCE):.*\r\n/gm, "");
}

const text = fc
  .oneof(fc.constantFrom(...hostileTexts.map(String)), fc.string({ unit: "binary", maxLength: 40 }))
  .map((value) =>
    value
      .replaceAll(/(?!\t)\p{Cc}/gu, "")
      .toWellFormed()
      .slice(0, 200)
      .toWellFormed(),
  );
const optional = (values: fc.Arbitrary<string>) => fc.option(values, { nil: "" });

/** With names as the API takes them. */
function customData(data: Readonly<Record<string, string>>): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(data).map(([name, value], n) => [`${n}${name}`.slice(0, 40).toWellFormed(), value]),
    ),
  );
}

/** What an import must not change, of the events of a calendar. */
async function kept(calendar_id: string): Promise<readonly string[]> {
  const rows = await server.db
    .read("events")
    .where({ calendar_id })
    .select(...columns);
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

const columns =
  "start_local end_local start_at end_at all_day timezone status reminder color_id categories custom_data".split(
    " ",
  );

const event = fc.record({
  title: text.map((value) => (/\S/.test(value) ? value : "Title")),
  description: optional(text),
  location: optional(text),
  organizer: optional(text),
  organizer_email: optional(
    fc.constantFrom(
      "a@b.example",
      "ä+%41@ü.example",
      "o'x@b.example",
      `${"\u{1F389}".repeat(244)}@b.example`,
    ),
  ),
  timezone: fc.constantFrom(...listedZones()),
  color_id: optional(fc.integer({ min: 1, max: 20 }).map(String)),
  reminder: optional(fc.integer({ min: 0, max: 40_320 }).map(String)),
  all_day_event: fc.constantFrom("true", "false"),
  start_date: fc
    .date({ min: new Date("1970-01-02"), max: new Date("2090-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 16)),
  status: fc.constantFrom("confirmed", "tentative", "cancelled"),
  custom_data: fc.option(
    fc
      .dictionary(
        text.filter((name) => name !== ""),
        text,
        { maxKeys: 3 },
      )
      .map(customData),
    {
      nil: "",
    },
  ),
  categories: fc.subarray(["Concerts", "Für Kinder; ja", "\\n", '"', "\u{1F389}", "a:b=c"]).map(String),
});

const runs = Number(process.env.KALENDS_ROUND_TRIPS ?? 60);

test("an export imports back to the same events, into its own calendar and another, and is exported the same", async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  for (const params of fc.sample(event, { numRuns: runs, seed: 7 })) {
    const { status, text: answer } = await account.call("eventsCreate", { calendar_id: one, ...params });
    expect(status, answer).toBe(200);
  }
  const file = await exported(one);
  const same = await importFile(server, account, one, file);
  expect(same.body.import).toMatchObject({ created: 0, changed: 0, unchanged: runs, skipped: 0 });
  const copied = await importFile(server, account, other, file);
  expect(copied.body.import).toMatchObject({ created: runs, skipped: 0 });
  expect(lasting(await exported(other))).toBe(lasting(file));
  expect(await kept(other)).toEqual(await kept(one));
  const again = await importFile(server, account, other, file);
  expect(again.body.import).toMatchObject({ created: 0, changed: 0, unchanged: runs });
});

test("a wall clock whose offset has seconds comes back as it was", async () => {
  const id = await newCalendar();
  const start_date = "1970-01-01T23:59"; // -00:44:30 there
  await account.call("eventsCreate", {
    calendar_id: id,
    title: "Old",
    start_date,
    timezone: "Africa/Monrovia",
  });
  const { body } = await importFile(server, account, id, await exported(id));
  expect(body.import).toMatchObject({ changed: 0, unchanged: 1 });
});

test("whole days until the last of the year 9999 come back as they were", async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  const days = { start_date: "9999-12-30", end_date: "9999-12-31", all_day_event: "true" };
  await account.call("eventsCreate", { calendar_id: one, title: "Last days", ...days });
  await importFile(server, account, other, await exported(one));
  expect(await kept(other)).toEqual(await kept(one));
});

test.each([
  ["Asia/Kathmandu", "99991231T235900Z"],
  ["America/Los_Angeles", "19000101T000000Z"],
])(
  "an event in %s that is moved to %s, past the years there, takes the zone of its calendar (R4.2)",
  async (zone, at) => {
    const id = await newCalendar("Etc/UTC");
    await importFile(
      server,
      account,
      id,
      calendarFile(vevent("UID:a", `DTSTART;TZID=${zone}:20270101T100000`)),
    );
    const moved = calendarFile(vevent("UID:a", `DTSTART:${at}`, `DTEND:${at}`));
    expect((await importFile(server, account, id, moved)).body.import).toMatchObject({ changed: 1 });
    const { events } = (await account.call("listEvents", { calendar_id: id })).body;
    const [year, month, day] = [at.slice(0, 4), at.slice(4, 6), at.slice(6, 8)];
    expect(events[0]).toMatchObject({ timezone: "Etc/UTC", date_start: `${month}/${day}/${year}` });
    expect((await importFile(server, account, id, moved)).body.import).toMatchObject({ unchanged: 1 });
  },
);

test("a series of a file is exported as events of their own, which their calendar knows again", async () => {
  const [one, other] = [await newCalendar(), await newCalendar()];
  await importFile(
    server,
    account,
    one,
    calendarFile(vevent("UID:s", "RRULE:FREQ=DAILY;COUNT=3"), vevent("UID:t")),
  );
  const file = await exported(one);
  expect(file).toContain("UID:t\r\n");
  expect((await importFile(server, account, one, file)).body.import).toMatchObject({
    unchanged: 4,
    created: 0,
  });
  await importFile(server, account, other, file);
  expect(lasting(await exported(other))).toBe(lasting(file));
});

test("categories of a file are those of its events, as many as a calendar may have, and the report says which are left out", async () => {
  const calendar = await newCalendar();
  const names = Array.from({ length: 25 }, (_, index) => `c${index}`);
  const file = calendarFile(
    vevent("UID:a", `CATEGORIES:${names.slice(0, 12).join()}`, "CATEGORIES: c1 ,Talks\\, films"),
    vevent("UID:b", `CATEGORIES:${names.slice(10).join()}`),
  );
  const { events } = (await importFile(server, account, calendar, file)).body;
  expect(events.map(({ notes }: { notes: unknown }) => notes)).toStrictEqual([
    [],
    ["the calendar has too many categories: some are left out"],
  ]);
  const has = async (event_id: string) =>
    (await account.call("eventsDetails", { event_id })).body.event.categories;
  expect(await has(events[0].event_id)).toStrictEqual([...names.slice(0, 12), "Talks films"]);
  expect(await has(events[1].event_id)).toStrictEqual(names.slice(10, 19));
  expect((await importFile(server, account, calendar, file)).body.import).toMatchObject({ unchanged: 2 });
  expect(await exported(calendar)).toContain(
    `CATEGORIES:${names.slice(0, 12).join()},Talks films`.slice(0, 60),
  );
});
