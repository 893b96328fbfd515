import { describe, expect, test } from "vitest";
import type { Values } from "./calls.js";
import { testServer } from "./harness.js";

// month, year and upcoming of events (rulings R3.3 to R3.6). Forms, mistakes and orders: the conformance suite, and formats.pure.test.ts.

const server = await testServer({ PAGE_SIZE: "3" });
const owner = await server.account();

async function calendarIn(timezone: string): Promise<string> {
  return (await owner.call("createCalendar", { title: "x", timezone })).body.calendar.id;
}

async function addEvent(
  calendar_id: string,
  title: string,
  start_date: string,
  more: Values = {},
): Promise<void> {
  const answer = await owner.call("createEvent", { calendar_id, title, start_date, ...more });
  expect(answer.status).toBe(200);
}

/** Titles on the first page, and how many match over all pages: the same in the list of the extensions. */
async function events(calendar_id: string, params: Values): Promise<readonly [readonly string[], number]> {
  const [contract, extension] = await Promise.all(
    (["listEvents", "eventsList"] as const).map(async (id) => {
      const { status, body, text } = await owner.call(id, { calendar_id, ...params });
      expect([status, status === 200 ? "" : text]).toStrictEqual([200, ""]);
      const titles: readonly string[] = body.events.map(({ title }: { title: string }) => title);
      return [titles, Number(body.calendar.events_count)] as const;
    }),
  );
  expect(extension).toStrictEqual(contract);
  return contract ?? [[], 0];
}

describe("events of a month", async () => {
  const calendar_id = await calendarIn("UTC");
  // Auckland's August starts at 2026-07-31T12:00Z, Honolulu's at 2026-08-01T10:00Z.
  await addEvent(calendar_id, "August in Auckland", "08/01/2026 00:00", { timezone: "Pacific/Auckland" });
  await addEvent(calendar_id, "July in Honolulu", "07/31/2026 23:59", { timezone: "Pacific/Honolulu" });
  await addEvent(calendar_id, "July in Auckland", "07/31/2026 23:59", { timezone: "Pacific/Auckland" });
  await addEvent(calendar_id, "August in Honolulu", "08/01/2026 00:00", { timezone: "Pacific/Honolulu" });
  await addEvent(calendar_id, "July next year", "07/15/2027 10:00");
  await addEvent(calendar_id, "All August", "08/01/2026 00:00", {
    all_day_event: "true",
    end_date: "08/31/2026 00:00",
  });
  await addEvent(calendar_id, "Over the border", "07/31/2026 23:00", { end_date: "08/02/2026 10:00" });

  test("are those that start in it on their own wall clock, counted over all pages", async () => {
    const [july, ofJuly] = await events(calendar_id, { month: "07", year: "2026", order_by: "id-asc" });
    expect([july, ofJuly]).toStrictEqual([["July in Honolulu", "July in Auckland", "Over the border"], 3]);
    const [august, ofAugust] = await events(calendar_id, { month: "08", year: "2026", order_by: "id-asc" });
    expect([august, ofAugust]).toStrictEqual([["August in Auckland", "August in Honolulu", "All August"], 3]);
    expect(await events(calendar_id, { month: "07", year: "2027" })).toStrictEqual([["July next year"], 1]);
    expect(await events(calendar_id, { month: "09", year: "2026" })).toStrictEqual([[], 0]);
  });

  test("follow the event when a save moves it to another month or another zone", async () => {
    const other = await calendarIn("UTC");
    await addEvent(other, "moved", "08/01/2026 00:30");
    const { id } = (await owner.call("listEvents", { calendar_id: other })).body.events[0];
    const save = (start_date: string) =>
      owner.call("saveEvent", { event_id: id, title: "moved", start_date, timezone: "Asia/Tokyo" });
    await save("07/31/2026 23:30");
    expect((await events(other, { month: "07", year: "2026" }))[1]).toBe(1);
    expect((await events(other, { month: "08", year: "2026" }))[1]).toBe(0);
  });
});

describe("upcoming events", async () => {
  const calendar_id = await calendarIn("America/New_York");
  await addEvent(calendar_id, "second", "07/04/2026 14:30");
  await addEvent(calendar_id, "far", "08/01/2026 10:00");
  await addEvent(calendar_id, "first", "07/04/2026 14:29");
  await addEvent(calendar_id, "same moment", "07/04/2026 20:30", { timezone: "Europe/Paris" });
  await addEvent(calendar_id, "past", "07/02/2026 07:59");
  await addEvent(calendar_id, "now", "07/02/2026 08:00"); // 12:00Z, the clock of the test

  test("from now: those that start at this second or later, soonest first, counted over all pages", async () => {
    expect(await events(calendar_id, { upcoming: "now" })).toStrictEqual([["now", "first", "second"], 5]);
    expect(await events(calendar_id, { upcoming: "now", page: "2" })).toStrictEqual([
      ["same moment", "far"],
      5,
    ]);
    server.now += 1;
    expect(await events(calendar_id, { upcoming: "now" })).toStrictEqual([
      ["first", "second", "same moment"],
      4,
    ]);
    server.now -= 1;
  });

  test("a time that the clock skips is moved forward by the gap (rulings R4.3)", async () => {
    const gap = await calendarIn("America/New_York");
    await addEvent(gap, "at the end of the gap", "03/08/2026 03:00");
    await addEvent(gap, "half an hour on", "03/08/2026 03:30");
    expect(await events(gap, { upcoming: "2026-03-08 02:30:00" })).toStrictEqual([["half an hour on"], 1]);
  });
});
