import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { randomFrom } from "../../test/random.js";
import { type ListStart, readMonth } from "./month-events.js";

const server = await testServer();
const account = await server.account();
const random = randomFrom(7);
const below = (count: number): number => Math.floor(random() * count);
const month = 2026 * 12 + 7;

/** Adds events of a few hours, nights and weeks, around the ends of the month too. */
async function addCalendar(timezone: string, count: number) {
  const { id } = (await account.call("createCalendar", { title: timezone, timezone })).body.calendar;
  const utc = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const events = Array.from({ length: count }, (_, index) => {
    const start = Date.UTC(2026, 6, 28) + below(38 * 24) * 3_600_000;
    const hours = [1, 3, 9, 30, 24 * 12][below(5)] ?? 1;
    return [
      "BEGIN:VEVENT",
      `UID:${timezone}-${index}`,
      `SUMMARY:${index % 3 === 0 ? "Match" : "Training"}`,
      `DTSTART:${utc(start)}`,
      `DTEND:${utc(start + hours * 3_600_000)}`,
      "END:VEVENT",
    ];
  });
  const ics = ["BEGIN:VCALENDAR", ...events.flat(), "END:VCALENDAR", ""].join("\r\n");
  expect((await account.call("calendarsImport", { calendar_id: id, ics })).status).toBe(200);
  return { id: Number(id), timezone, palette_id: "1" };
}

test("a month that is searched day by day has the same pages as one that is read at once", async () => {
  const calendars = [
    await addCalendar("Europe/Berlin", 150),
    await addCalendar("America/Los_Angeles", 100),
    await addCalendar("Pacific/Auckland", 50),
  ];
  let pages = 0;
  for (const filter of [{}, { words: ["match"] }] as const) {
    let start: ListStart | undefined;
    do {
      const of = { calendars, categories: new Map<number, readonly string[]>(), filter };
      const atOnce = await readMonth(server.db.read, of, month, start);
      const byDay = await readMonth(server.db.read, { ...of, mostMarks: 10 }, month, start);
      expect(byDay).toEqual(atOnce);
      expect(atOnce.listed.size).toBeGreaterThan(0);
      start = atOnce.next;
      pages++;
    } while (start !== undefined);
  }
  expect(pages).toBeGreaterThan(4);
});
