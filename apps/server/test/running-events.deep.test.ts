import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import type { EventRow } from "../src/db/rows.js";
import { startOfTests, testServer } from "./harness.js";

// Calendars with more events than a feed or a page can hold. The clock stands at 2026-07-02T12:00:00Z.

const server = await testServer();
const owner = await server.account();
const hour = 3600;
const day = 24 * hour;

type Fields = Readonly<Record<string, string>>;

async function calendar() {
  const { id, uniquekey } = (await owner.call("createCalendar", { title: "Museum", timezone: "UTC" })).body
    .calendar;
  return { id: String(id), page: `/c/${uniquekey}`, feed: `/c/${uniquekey}/x.ics` };
}

async function event(calendar_id: string, title: string, start_date: string, more: Fields = {}) {
  const answer = await owner.call("createEvent", { calendar_id, title, start_date, ...more });
  expect(answer.status).toBe(200);
  return Number(answer.body.event.id);
}

/** Adds events of about 1 kB, one every `step` seconds from `first`, each half an hour long. */
async function fill(calendarId: string, count: number, first: number, step: number): Promise<void> {
  const id = await event(calendarId, "filler", "07/01/2026 00:00", { description: "d".repeat(600) });
  const row = await server.db.read<EventRow>("events").where({ id }).first();
  if (row === undefined) throw new Error("no event");
  const { id: _id, ...copy } = row;
  await server.db.transaction(async (trx) => {
    for (let made = 0; made < count; made += 50) {
      const rows = Array.from({ length: Math.min(50, count - made) }, (_, index) => {
        const start = first + (made + index) * step;
        const times = { start_at: start, start_local: start, end_at: start + 1800, end_local: start + 1800 };
        return { ...copy, ...times, title: `filler ${made + index}`, uid: `${id}-${made + index}` };
      });
      await trx("events").insert(rows);
    }
    await trx("events").where({ id }).delete();
    await trx("calendars").where({ id: calendarId }).increment("feed_version", 1);
  });
}

async function titlesIn(feed: string): Promise<readonly string[]> {
  const { text } = await server.request(feed);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_000_000);
  return new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((component) => String(component.getFirstPropertyValue("summary")));
}

const running = ["exhibition", "festival", "all day"];

async function addRunning(id: string): Promise<void> {
  await event(id, "exhibition", "01/02/2025 10:00", { end_date: "12/31/2026 18:00" });
  await event(id, "festival", "06/29/2026 10:00", { end_date: "07/03/2026 18:00" });
  await event(id, "all day", "06/20/2026 00:00", { end_date: "07/02/2026 00:00", all_day_event: "true" });
  await event(id, "closed", "01/02/2025 10:00", { end_date: "06/01/2026 18:00" });
}

describe("a feed over 1 MB", () => {
  test("keeps the events that are running while ended ones are left out, in order of their start", async () => {
    const { id, feed } = await calendar();
    await addRunning(id);
    await fill(id, 2500, startOfTests - 2600 * hour, hour); // the last ended four days ago
    const titles = await titlesIn(feed);
    expect(titles.filter((title) => !title.startsWith("filler"))).toEqual([
      "exhibition",
      "all day",
      "festival",
    ]);
    expect(titles[0]).toBe("exhibition");
    expect(titles).toContain("filler 2499");
    expect(titles).not.toContain("filler 0");
  });

  test("keeps the events that are running while distant ones are left out", async () => {
    const { id, feed } = await calendar();
    await addRunning(id);
    await fill(id, 2500, startOfTests + hour, hour);
    const titles = await titlesIn(feed);
    expect(titles.filter((title) => !title.startsWith("filler")).toSorted()).toEqual(running.toSorted());
    expect(titles).not.toContain("filler 2499");
  });

  test.each([
    ["past", -2600, "its oldest past events"],
    ["upcoming", 1, "its most distant events"],
  ] as const)(
    "tells its owner by the extension, on its page and once in the log that %s events are left out",
    async (omitted, hours, named) => {
      const { id, page, feed } = await calendar();
      const shown = async (): Promise<string | undefined> => {
        const { feed_omits } = (await owner.call("calendarsDetails", { calendar_id: id })).body.calendar;
        const listed = expect.objectContaining({ id, feed_omits });
        const { body } = await owner.call("calendarsList");
        expect(body.calendars).toEqual(expect.arrayContaining([listed]));
        return feed_omits;
      };
      await server.request(feed);
      expect(await shown()).toBe("nothing");
      expect((await server.request(page)).text).not.toContain("too large for one feed");
      await fill(id, 2500, startOfTests + hours * hour, hour);
      await server.request(feed);
      await expect.poll(shown).toBe(omitted);
      expect((await server.request(page)).text).toContain(`too large for one feed, which omits ${named}`);
      await event(id, "one more", "07/03/2026 10:00");
      await server.request(feed);
      const lines = server.logLines.filter(({ calendar_id, omits }) => calendar_id === Number(id) && omits);
      expect(lines).toMatchObject([
        { level: 40, omits: omitted, msg: "a feed over 1,000,000 bytes omits events" },
      ]);
    },
  );
});

test("the page shows an exhibition that began more than 100 days ago until it ends, among the next events and in the month", async () => {
  const { id, page } = await calendar();
  await event(id, "exhibition", "01/02/2024 10:00", { end_date: "07/15/2026 18:00" });
  await event(id, "all year", "08/01/2025 00:00", { end_date: "07/02/2026 00:00", all_day_event: "true" });
  await event(id, "closed", "01/02/2024 10:00", { end_date: "07/02/2026 11:59" });
  const { text } = await server.request(page);
  const next = [...text.matchAll(/class="event-title"[^>]*>([^<]*)</g)].map(([, title]) => title);
  // What is next stands above the list too.
  expect([...new Set(next)]).toEqual(["exhibition", "all year"]);
  const agenda = [...text.matchAll(/class="agenda-title"[^>]*>([^<]*)</g)].map(([, title]) => title);
  // The 1st and today, each with the other event; the 3rd to the 14th in one line; the 15th until 18:00.
  expect(agenda.filter((title) => title === "exhibition")).toHaveLength(4);
  expect(agenda.filter((title) => title === "all year")).toHaveLength(2);
  expect(text.match(/<a class="day"/g)).toHaveLength(15);
  expect((await server.request(`${page}?month=2026-08`)).text).not.toContain("agenda-title");
});

describe("a month with more events than one page", () => {
  const listed = (text: string) =>
    [...text.matchAll(/class="agenda-title"[^>]*>([^<]*)</g)].map(([, title = ""]) => title);
  const marks = (text: string) => {
    const table = /<tbody>([\s\S]*?)<\/tbody>/.exec(text)?.[1] ?? "";
    return [...table.matchAll(/href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));
  };
  /** Of the month, not of the next events above it. */
  const more = (text: string) =>
    /<a class="more-events"\s+href="([^"]*)"/
      .exec(text.slice(text.indexOf('class="agenda ')))?.[1]
      ?.replaceAll("&amp;", "&");

  test("marks every day that has events, and the list goes on by page until each was shown once", async () => {
    const { id, page } = await calendar();
    const first = startOfTests - day - 12 * hour; // midnight of 1 July
    await fill(id, 300, first, 1200); // until 5 July, 72 a day
    await fill(id, 290, first + 9 * day, 60); // 290 on 10 July
    await event(id, "late", "07/31/2026 20:00");
    const opened = (await server.request(`${page}?month=2026-07`)).text;
    const days = marks(opened).map((href) => Number(/#day-(\d+)$/.exec(href)?.[1]));
    expect(days).toEqual([1, 2, 3, 4, 5, 10, 31]);
    const titles: string[] = [];
    for (let at: string | undefined = "?month=2026-07"; at !== undefined;) {
      const { status, text } = await server.request(`${page}${at}`);
      expect([status, marks(text).length]).toEqual([200, 7]);
      expect(listed(text).length).toBeGreaterThan(0);
      expect(listed(text).length).toBeLessThanOrEqual(120);
      titles.push(...listed(text));
      at = more(text);
    }
    expect(titles).toHaveLength(591);
    expect(titles.at(-1)).toBe("late");
    const [, , , , , , lateMark = ""] = marks(opened);
    expect(listed((await server.request(`${page}${lateMark}`)).text)).toEqual(["late"]);
  });

  test("does not mark a day because of the many events of the night before", async () => {
    const { id, page } = await calendar();
    await fill(id, 200, Date.UTC(2026, 6, 3, 23, 45) / 1000, 1);
    await event(id, "morning", "07/04/2026 09:00");
    const { text } = await server.request(`${page}?month=2026-07&day=4`);
    expect(listed(text)).toEqual(["morning"]);
  });

  test.each([
    "day=4",
    "month=2026-07&day=32",
    "month=2026-07&day=0",
    "month=2026-07&day=4&page=0",
    "month=2026-07&page=2",
    "month=2026-06&day=31",
  ])("?%s is refused with a page", async (query) => {
    const { page } = await calendar();
    expect((await server.request(`${page}?${query}`)).status).toBe(400);
  });
});
