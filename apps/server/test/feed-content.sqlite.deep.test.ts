import Holidays from "date-holidays";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { columnsExcept, eventColumns } from "../src/db/columns.js";
import { exchange } from "./calls.js";
import { startOfTests, testServer } from "./harness.js";

// What a feed holds: every event as it was saved, under a size that every app reads.

const server = await testServer();
const owner = await server.account();

async function calendar(timezone: string) {
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "x", timezone })).body.calendar;
  return { id: String(id), feed: `/c/${uniquekey}/x.ics` };
}

const read = async (feed: string) => (await exchange(server, feed)).text;

const eventsOf = (text: string): readonly ICAL.Event[] =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((component) => new ICAL.Event(component));

interface Entry {
  readonly title: string;
  readonly description: string;
  readonly location: string;
  readonly start: number | string;
  readonly end: number | string;
}

const sorted = (entries: readonly Entry[]): readonly string[] =>
  entries.map((entry) => JSON.stringify(entry)).sort();

test("1,000 real events come back from a real parser: the same count, times and texts", async () => {
  const countries = [
    "DE",
    "FR",
    "ES",
    "IT",
    "JP",
    "BR",
    "IN",
    "GR",
    "IL",
    "EG",
    "KR",
    "RU",
    "MX",
    "PL",
    "TR",
    "TH",
  ];
  const holidays = countries
    .flatMap((country) => {
      const found = new Holidays(country);
      const [zone = "UTC"] = found.getTimezones();
      return [2026, 2027, 2028, 2029].flatMap((year) =>
        found.getHolidays(year).map((day) => ({ ...day, country, zone })),
      );
    })
    .slice(0, 1000);
  expect(holidays).toHaveLength(1000);

  const { id, feed } = await calendar("Europe/Berlin");
  const make = async ({ date, name, country, zone }: (typeof holidays)[number], index: number) => {
    const [year = "", month = "", day = ""] = date.slice(0, 10).split("-");
    const isAllDay = index % 2 === 0;
    const { event } = (
      await owner.call("createEvent", {
        calendar_id: id,
        title: `${name}, ${country}`,
        description: `${name}; \\o/ — 🎉\n${"all of it ".repeat(index % 20)}`,
        location: `${country}; ${zone}`,
        start_date: `${month}/${day}/${year} ${isAllDay ? "00:00" : "09:30"}`,
        timezone: zone,
        all_day_event: String(isAllDay),
        ...(isAllDay ? { end_date: `${month}/${day}/${year} 00:00` } : {}),
      })
    ).body;
    const [unix] = await server.db.read("events").where({ id: event.id });
    return {
      title: event.title,
      description: event.description.replaceAll("\r\n", "\n"),
      location: event.location,
      start: isAllDay ? `${year}-${month}-${day}` : unix.start_at,
      end: isAllDay
        ? new Date(Date.parse(`${year}-${month}-${day}`) + 86_400_000).toISOString().slice(0, 10)
        : unix.end_at,
    };
  };
  const expected: Entry[] = [];
  for (let made = 0; made < holidays.length; made += 20) {
    const some = holidays.slice(made, made + 20);
    expected.push(...(await Promise.all(some.map((holiday, index) => make(holiday, made + index)))));
  }
  const found = eventsOf(await read(feed)).map((event) => ({
    title: event.summary,
    description: event.description,
    location: event.location,
    start: event.startDate.isDate ? event.startDate.toString() : event.startDate.toUnixTime(),
    end: event.endDate.isDate ? event.endDate.toString() : event.endDate.toUnixTime(),
  }));
  expect(found).toHaveLength(1000);
  expect(sorted(found)).toEqual(sorted(expected));
});

test("an all-day event without an end is one day, also from 23:30; with an end on the next day it is two", async () => {
  const { id, feed } = await calendar("Europe/Paris");
  const fields = { calendar_id: id, all_day_event: "true" };
  await owner.call("createEvent", { ...fields, title: "one", start_date: "07/04/2026 23:30" });
  const end_date = "07/05/2026 23:30";
  await owner.call("createEvent", { ...fields, title: "two", start_date: "07/04/2026 23:30", end_date });
  const days = eventsOf(await read(feed)).map((event) =>
    [event.summary, event.startDate, event.endDate].join(" "),
  );
  expect(days.toSorted()).toEqual(["one 2026-07-04 2026-07-05", "two 2026-07-04 2026-07-06"]);
});

test("another palette raises the LAST-MODIFIED of the events that get other colors, and of no others", async () => {
  const { id, feed } = await calendar("UTC");
  const fields = { calendar_id: id, start_date: "07/04/2026 13:30" };
  await owner.call("createEvent", { ...fields, title: "plain" });
  await owner.call("createEvent", { ...fields, title: "red", color_id: "1" });
  const modified = async () =>
    Object.fromEntries(
      eventsOf(await read(feed)).map(({ summary, component }) => [
        summary,
        String(component.getFirstPropertyValue("last-modified")),
      ]),
    );
  const save = (palette_id: string) =>
    owner.call("saveCalendar", { calendar_id: id, title: "x", timezone: "UTC", palette_id });
  const first = await modified();
  await save("1");
  expect(await modified()).toEqual(first);
  const seen = [first.red ?? ""];
  for (const palette of ["2", "3"]) {
    expect((await save(palette)).status).toBe(200);
    const now = await modified();
    expect(now.plain).toBe(first.plain);
    seen.push(now.red ?? "");
  }
  expect(seen.toSorted()).toEqual(seen);
  expect(new Set(seen).size).toBe(3);
});

describe("a feed stays under 1,000,000 bytes", () => {
  const hour = 3600;

  /** Adds events of about 1 kB, titled by their number, one each hour from `first`. */
  async function fill(calendarId: string, count: number, first: number) {
    const base = {
      calendar_id: calendarId,
      title: "0",
      description: "d".repeat(600),
      start_date: "07/04/2026 13:30",
    };
    const { event } = (await owner.call("createEvent", { ...base, timezone: "UTC" })).body;
    const copied = columnsExcept(eventColumns, "id", "uid", "title", "start_at", "end_at").join(", ");
    await server.db.transaction(async (trx) => {
      await trx.raw(
        `with recursive s(value) as (select 1 union all select value + 1 from s where value < ?)
         insert into events (uid, title, start_at, end_at, ${copied})
         select uid || value, value, ? + value * ?, ? + value * ?, ${copied} from events, s where id = ?`,
        [count - 1, first, hour, first, hour, event.id],
      );
      await trx("events").where({ id: event.id }).update({ start_at: first, end_at: first });
    });
  }

  const numbers = (text: string) => eventsOf(text).map(({ summary }) => Number(summary));
  const upTo = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

  test("by leaving out the oldest past events first: all that is to come stays, in order", async () => {
    const { id, feed } = await calendar("UTC");
    await fill(id, 3000, startOfTests - 2500 * hour);
    const text = await read(feed);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(990_000);
    const shown = numbers(text);
    const [first = 0] = shown;
    expect(shown).toEqual(upTo(first, 3000 - first));
    expect(first).toBeGreaterThan(1000);
    expect(first).toBeLessThan(2500);
    expect((await exchange(server, feed)).headers.get("etag")).toMatch(/^W\/"[\w-]{22}"$/);
  });

  test("by leaving out the farthest of those to come when they alone are too many; the feed moves on by the day", async () => {
    const { id, feed } = await calendar("UTC");
    await fill(id, 3000, startOfTests - 24 * hour);
    const one = await exchange(server, feed);
    expect(Buffer.byteLength(one.text)).toBeLessThanOrEqual(1_000_000);
    const shown = numbers(one.text);
    const [first = 0] = shown;
    expect(first).toBe(12); // the first of that day, UTC
    expect(shown).toEqual(upTo(first, shown.length));
    const etag = one.headers.get("etag") ?? "";
    await expect.poll(() => server.db.read("calendars").where({ id }).pluck("feed_cut")).toEqual([1]);
    expect((await exchange(server, feed, { headers: { "If-None-Match": etag } })).status).toBe(304);

    server.now += 86_400;
    const next = await exchange(server, feed, { headers: { "If-None-Match": etag } });
    expect([next.status, numbers(next.text)[0]]).toEqual([200, 36]);
    expect([one, next].map(({ headers }) => headers.get("last-modified"))).toEqual([null, null]);

    server.now += 86_400 * 100; // most are past now: all that are to come fit again
    const last = await exchange(server, feed);
    expect(numbers(last.text).at(-1)).toBe(2999);
    await expect.poll(() => server.db.read("calendars").where({ id }).pluck("feed_cut")).toEqual([2]); // only past ones are omitted
    expect((await exchange(server, feed)).headers.get("etag")).toBe(last.headers.get("etag"));
    server.now = startOfTests;
  });

  test("with the largest texts that the API takes", async () => {
    const widest = "\u{10FFFF}";
    const params = { title: widest.repeat(255), description: "\\".repeat(65_535), timezone: "UTC" };
    const { id, uniquekey } = (await owner.call("createCalendar", params)).body.calendar;
    for (let n = 0; n < 5; n++) {
      const big = {
        title: widest.repeat(255),
        description: widest.repeat(65_535),
        location: widest.repeat(255),
      };
      const { status } = await owner.call("createEvent", {
        ...big,
        calendar_id: id,
        start_date: `07/0${n + 1}/2026 13:30`,
      });
      expect(status).toBe(200);
    }
    const text = await read(`/c/${uniquekey}/x.ics`);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
    expect(eventsOf(text).length).toBeGreaterThanOrEqual(2);
  });
});
