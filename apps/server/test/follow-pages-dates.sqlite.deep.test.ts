import { describe, expect, test } from "vitest";
import type { EventRow } from "../src/db/rows.js";
import { startOfTests, testServer } from "./harness.js";

// Dates, zones, months and languages of the follow page. The clock stands at 2026-07-02T12:00:00Z, a Thursday.

const server = await testServer();
const owner = await server.account();

type Fields = Readonly<Record<string, string>>;

async function pageOf(calendar: Fields, events: readonly Fields[]): Promise<string> {
  const made = await owner.call("createCalendar", { title: "Concerts", ...calendar });
  for (const event of events) {
    const { status } = await owner.call("createEvent", {
      title: "Opening",
      ...event,
      calendar_id: made.body.calendar.id,
    });
    expect(status).toBe(200);
  }
  return `/c/${made.body.calendar.uniquekey}`;
}

async function get(path: string, language = "en-GB"): Promise<string> {
  const answer = await server.request(path, { headers: { "Accept-Language": language } });
  expect(answer.status).toBe(200);
  return answer.text;
}

/** Without markup and without what versions of Intl do differently: commas, and blanks beside dashes. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>|,/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?– ?/g, "–")
    .trim();

/** What stands beside the titles of the next events. */
const times = (text: string): readonly string[] => {
  const list = /<ol class="events">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? "";
  return [...list.matchAll(/<time[^>]*>([\s\S]*?)<\/time>/g)].map(([, inner = ""]) => plain(inner));
};

/** What stands beside the titles in the list of a month. */
const agendaTimes = (text: string): readonly string[] =>
  [...text.matchAll(/class="agenda-time">([\s\S]*?)<\/span>/g)].map(([, inner = ""]) => plain(inner));

const titles = (text: string): readonly string[] =>
  [
    ...(text.split('<ol class="events">')[1] ?? "").matchAll(/<strong class="event-title"[^>]*>([^<]*)</g),
  ].map(([, title = ""]) => title);

const monthName = (text: string): string =>
  plain(/<h2 id="month-name">([\s\S]*?)<\/h2>/.exec(text)?.[1] ?? "");

const at = (start_date: string, more: Fields = {}): Fields => ({ start_date, ...more });

describe("languages", () => {
  const opened: readonly (readonly [header: string, language: string, heading: string])[] = [
    ["", "en", "Follow this calendar"],
    ["de-AT,de;q=0.9,en;q=0.8", "de", "Diesem Kalender folgen"],
    ["fr", "fr", "Suivre ce calendrier"],
    ["es-MX", "es", "Seguir este calendario"],
    ["en;q=0.5, fr;q=0.9, de;q=0", "fr", "Suivre ce calendrier"],
    ["ja, de;q=0.4", "de", "Diesem Kalender folgen"],
    ["DE-de ; q=0.9 , fr;q=0.8", "de", "Diesem Kalender folgen"],
    ["fr;q=0.3, de;q=0.7;level=1, es;q=oops", "de", "Diesem Kalender folgen"],
    [`${"q;".repeat(300)}, fr`, "en", "Follow this calendar"],
    ["ja", "en", "Follow this calendar"],
    ["*", "en", "Follow this calendar"],
    ["<script>, ;;q=x, de-, x-klingon, " + "aa,".repeat(500), "en", "Follow this calendar"],
  ];
  test.each(opened)("Accept-Language %j reads in %s", async (header, language, heading) => {
    const text = await get(await pageOf({ timezone: "UTC" }, []), header);
    expect(text).toContain(`<html lang="${language}" dir="ltr">`);
    expect(text).toContain(`<h2 class="unseen" id="follow-title">${heading}</h2>`);
  });

  test("dates are in the visitor's language, and are marked when the page has no texts in it", async () => {
    const page = await pageOf({ timezone: "Europe/Berlin" }, [
      at("07/04/2026 19:30", { end_date: "07/04/2026 21:00" }),
    ]);
    expect(times(await get(page, "en-US"))).toEqual(["Sat Jul 4 · 7:30–9:00 PM"]);
    expect(times(await get(page, "en-GB"))).toEqual(["Sat 4 Jul · 19:30–21:00"]);
    expect(await get(page, "en-GB")).toContain("Time zone: Europe/Berlin (UTC+02:00)");
    expect(times(await get(page, "de"))[0]).toMatch(/^Sa\.? 4\. Juli · 19:30–21:00/);
    expect(await get(page, "ja")).toContain('<span lang="ja" dir="ltr">7月4日(土)');
    expect(await get(page, "ar-EG")).toContain('<span lang="ar-EG" dir="rtl">');
    expect(await get(page, "de")).not.toContain("<span lang=");
  });

  test("a visitor's language never brings another calendar", async () => {
    const page = await pageOf({ timezone: "UTC" }, [at("07/04/2026 19:30")]);
    for (const language of ["th-TH", "fa-IR", "en-u-ca-buddhist", "ja-JP-u-ca-japanese"])
      expect(monthName(await get(page, language))).toMatch(/2026|۲۰۲۶/);
  });
});

describe("zones", () => {
  test("an event shows the wall clock of the calendar's zone, with its offset at that time", async () => {
    const page = await pageOf({ timezone: "Europe/Berlin" }, [
      at("07/04/2026 12:00", { timezone: "America/New_York", end_date: "07/04/2026 13:00" }),
      at("12/04/2026 19:00", { title: "In winter", end_date: "12/04/2026 19:00" }),
    ]);
    const text = await get(page);
    expect(text).toContain("Time zone: Europe/Berlin");
    expect(times(text)).toEqual(["Sat 4 Jul · 18:00–19:00 UTC+02:00", "Fri 4 Dec · 19:00 UTC+01:00"]);
    expect(text).toContain('datetime="2026-07-04T18:00:00+02:00"');
    expect(text).toContain('datetime="2026-12-04T19:00:00+01:00"');
  });

  test("the zone data is the service's own, not that of Node, which is behind", async () => {
    // British Columbia keeps UTC-07:00 from 2026 on (tzdata 2026b).
    const page = await pageOf({ timezone: "America/Vancouver" }, [
      at("12/04/2026 19:00", { end_date: "12/04/2026 20:00" }),
    ]);
    const text = await get(page);
    expect(times(text)).toEqual(["Fri 4 Dec · 19:00–20:00"]);
    expect(text).toContain("(UTC−07:00)");
  });

  test("whole days keep their dates in whatever zone they are looked at", async () => {
    const days = at("07/04/2026 00:00", {
      end_date: "07/06/2026 00:00",
      all_day_event: "true",
      timezone: "Asia/Tokyo",
    });
    const text = await get(await pageOf({ timezone: "America/Los_Angeles" }, [days]));
    expect(times(text)).toEqual(["Sat 4 Jul–Mon 6 Jul · All day"]);
    expect([...text.matchAll(/href="[^"]*#(day-\d+)"/g)].map(([, target]) => target)).toEqual(
      Array(3).fill("day-4"),
    );
  });
});

describe("the next events", () => {
  test("what is over is gone; what goes on, also all day, is there; six at most, soonest first", async () => {
    const zone = { timezone: "UTC" };
    const events = [
      at("07/02/2026 10:00", { title: "over", end_date: "07/02/2026 12:00" }),
      at("07/02/2026 11:30", { title: "goes on", end_date: "07/02/2026 12:01" }),
      at("07/01/2026 00:00", { title: "yesterday", all_day_event: "true" }),
      at("07/02/2026 00:00", { title: "today", all_day_event: "true" }),
      at("05/02/2026 10:00", { title: "long", end_date: "08/02/2026 12:00" }),
      at("07/02/2026 12:00", { title: "now", end_date: "07/02/2026 12:00" }),
      ...Array.from({ length: 8 }, (_, day) => at(`07/${10 + day}/2026 10:00`, { title: `later ${day}` })),
    ];
    const page = await pageOf(zone, events);
    const shown = ["long", "today", "goes on", "now", ...[0, 1].map((day) => `later ${day}`)];
    expect(titles(await get(page))).toEqual(shown);
    server.now = Date.UTC(2026, 6, 2, 23, 59, 59) / 1000;
    expect(titles(await get(page)).slice(0, 3)).toEqual(["long", "today", "later 0"]);
    server.now = Date.UTC(2026, 6, 3) / 1000;
    expect(titles(await get(page)).slice(0, 2)).toEqual(["long", "later 0"]);
    server.now = startOfTests;
  });

  test("the small hours belong to the evening; several days show both; another year is named", async () => {
    const events = [
      at("07/04/2026 22:30", { end_date: "07/05/2026 01:00" }),
      at("07/10/2026 18:00", { title: "A weekend", end_date: "07/12/2026 15:00" }),
      at("01/02/2027 18:00", { title: "Next year", end_date: "01/02/2027 19:00" }),
    ];
    const text = await get(await pageOf({ timezone: "UTC" }, events));
    expect(times(text)).toEqual([
      "Sat 4 Jul · 22:30–01:00",
      "Fri 10 Jul 18:00–Sun 12 Jul 15:00",
      "Sat 2 Jan 2027 · 18:00–19:00",
    ]);
    expect(agendaTimes(text)).toEqual(["22:30–01:00", "18:00–", "All day", "–15:00"]);
  });
});

describe("the month", () => {
  const days = (text: string): readonly string[] => {
    const table = /<tbody>([\s\S]*?)<\/tbody>/.exec(text)?.[1] ?? "";
    return [...table.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, inner = ""]) => plain(inner));
  };

  test("without a wish it is the month of the next event, else the present one", async () => {
    expect(monthName(await get(await pageOf({ timezone: "UTC" }, [])))).toBe("July 2026");
    const later = await pageOf({ timezone: "UTC" }, [at("02/06/2027 16:00")]);
    const text = await get(later);
    expect(monthName(text)).toBe("February 2027");
    expect(text).toContain('href="?month=2026-07#month"'); // back to today
    const running = await pageOf({ timezone: "UTC" }, [
      at("06/06/2026 16:00", { end_date: "08/06/2026 16:00" }),
    ]);
    expect(monthName(await get(running))).toBe("July 2026");
  });

  test("its days stand under their weekdays, the week beginning as the visitor's does; today is marked", async () => {
    const page = await pageOf({ timezone: "Pacific/Kiritimati" }, []); // 14 hours ahead: it is the third there
    const british = await get(page, "en-GB");
    expect(days(british).slice(0, 5)).toEqual(["", "", "1", "2", "3"]);
    expect(days(british).length).toBe(35);
    expect(british).toMatch(/<td aria-current="date">\s*<span class="day">3<\/span>/);
    const american = await get(page, "en-US");
    expect(days(american).slice(0, 5)).toEqual(["", "", "", "1", "2"]);
    expect(await get(`${page}?month=2026-08`)).not.toContain("aria-current");
  });

  test("a click leads a month back or on, as far as events can be", async () => {
    const page = await pageOf({ timezone: "UTC" }, [
      at("12/31/2026 20:00"),
      at("12/31/2026 20:00", { title: "Second" }),
    ]);
    const text = await get(`${page}?month=2026-12&utm_source=mail`);
    expect(text).toContain('href="?month=2026-11#month"');
    expect(text).toContain('href="?month=2027-01#month"');
    expect(text).toMatch(/href="#day-31"[^>]*aria-label="Thursday,? 31 December 2026: 2 events"/);
    expect(monthName(await get(`${page}?month=2027-01`))).toBe("January 2027");
    expect(await get(`${page}?month=2027-01`)).toContain("No events this month.");
    expect(await get(`${page}?month=1900-01`)).not.toContain("month=1899");
    expect(await get(`${page}?month=9999-12`)).not.toContain("month=10000");
  });

  test("an event is in every month that it touches, on the wall clock of the calendar", async () => {
    const page = await pageOf({ timezone: "Asia/Tokyo" }, [
      at("07/31/2026 20:00", { timezone: "UTC", title: "August in Tokyo", end_date: "07/31/2026 21:00" }),
      at("07/30/2026 00:00", { all_day_event: "true", title: "Two months", end_date: "08/02/2026 00:00" }),
      at("10/31/2026 22:00", { timezone: "Asia/Tokyo", title: "Cruise", end_date: "11/02/2026 15:00" }),
    ]);
    const agenda = async (month: string): Promise<readonly string[]> =>
      [...(await get(`${page}?month=${month}`)).matchAll(/class="agenda-title"[^>]*>([^<]*)</g)].map(
        ([, title = ""]) => title,
      );
    expect(await agenda("2026-07")).toEqual(["Two months"]);
    expect(await agenda("2026-08")).toEqual(["Two months", "August in Tokyo", "Two months"]);
    expect(await agenda("2026-09")).toEqual([]);
    // What is in two months says in both from when to when it is.
    expect(agendaTimes(await get(`${page}?month=2026-07`))).toEqual(["Thu 30 Jul–Sun 2 Aug"]);
    const cruise = "Sat 31 Oct 22:00–Mon 2 Nov 15:00";
    expect(agendaTimes(await get(`${page}?month=2026-11`))).toEqual([cruise, cruise]);
  });

  test("days in a row with nothing but the same long event are listed once; today and other events break the row", async () => {
    const exhibition = at("06/20/2026 00:00", {
      all_day_event: "true",
      title: "Exhibition",
      end_date: "07/31/2026 00:00",
    });
    const page = await pageOf({ timezone: "UTC" }, [
      exhibition,
      at("07/20/2026 20:00", { title: "Concert" }),
    ]);
    const text = await get(`${page}?month=2026-07`);
    const heads = [...text.matchAll(/<h3>([\s\S]*?)<\/h3>/g)].map(([, inner = ""]) => plain(inner));
    expect(heads.filter((head) => head.includes("Jul"))).toEqual([
      "Wed 1 Jul",
      "Thu 2 Jul today",
      "Fri 3 Jul–Sun 19 Jul",
      "Mon 20 Jul",
      "Tue 21 Jul–Fri 31 Jul",
    ]);
    const targets = [...text.matchAll(/href="#day-(\d+)"/g)].map(([, day]) => Number(day));
    expect(targets).toEqual([1, 2, ...Array(17).fill(3), 20, ...Array(11).fill(21)]);
  });

  test("weekdays whose short names are long in the visitor's language have one letter", async () => {
    const text = await get(await pageOf({ timezone: "UTC" }, []), "ar");
    const names = [...text.matchAll(/<abbr title="([^"]+)"[^>]*>([\s\S]*?)<\/abbr/g)];
    expect(names.map(([, , short = ""]) => plain(short).length)).toEqual(Array(7).fill(1));
    expect(new Set(names.map(([, long]) => long)).size).toBe(7);
  });

  test.each([
    "2026-13",
    "2026-00",
    "2026-1",
    "26-01",
    "1899-12",
    "10000-01",
    "abc",
    "",
    "2026-07-01",
    "2026-07&month=2026-08",
  ])("?month=%s is refused with a page", async (month) => {
    const page = await pageOf({ timezone: "UTC" }, []);
    const answer = await server.request(`${page}?month=${month}`);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([400, "text/html; charset=utf-8"]);
  });

  test("more events than fit lead to another page", async () => {
    const page = await pageOf({ timezone: "UTC" }, [at("07/04/2026 19:30", { title: "Original" })]);
    await server.db.transaction(async (trx) => {
      const original = await trx<EventRow>("events").where({ title: "Original" }).first();
      if (original === undefined) throw new Error("no event");
      const { id, ...copy } = original;
      for (let number = 0; number < 120; number++)
        await trx("events").insert({ ...copy, uid: `${id}-${number}` });
    });
    const text = await get(page);
    expect(plain(text)).toContain("More events from Sat 4 Jul");
    expect(text.match(/class="agenda-title"/g)?.length).toBe(120);
  });
});
