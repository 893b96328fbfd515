import { describe, expect, test } from "vitest";
import { testServer } from "./harness.js";

// Pages for paper and for frames of other sites. The clock stands at 2026-07-02T12:00:00Z.

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });
const owner = await server.account();

async function newCalendar(events: readonly Readonly<Record<string, string>>[], title = "Konzerte") {
  const { calendar } = (await owner.call("createCalendar", { title, timezone: "Europe/Berlin" })).body;
  for (const event of events) {
    const { status, text } = await owner.call("eventsCreate", { calendar_id: calendar.id, ...event });
    expect([status, text]).toEqual([200, text]);
  }
  return { id: String(calendar.id), page: `/c/${calendar.uniquekey}` };
}

const allDay = (title: string, start_date: string, end_date: string) => ({
  title,
  start_date,
  end_date,
  all_day_event: "true",
});

describe("a month on paper", () => {
  test("has each event on its day, and those of several days as one bar in each week, none over another, each with its hour where it begins", async () => {
    const { page } = await newCalendar([
      { title: "Orchesterprobe", start_date: "2026-07-09T19:30", end_date: "2026-07-09T21:00" },
      allDay("Zeltlager", "2026-07-10", "2026-07-14"),
      allDay("Stadtfest", "2026-07-11", "2026-07-12"),
      allDay("Ausflug", "2026-07-13", "2026-07-15"),
      { title: "Turnier", start_date: "2026-07-25T18:00", end_date: "2026-07-27T12:00" },
    ]);
    const { status, text } = await server.request(`${page}/print?month=2026-07`, {
      headers: { "Accept-Language": "de" },
    });
    expect(status).toBe(200);
    const rows = [...text.matchAll(/<tr class="spans">([^]*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<td(?: colspan="(\d)")?[^>]*>([^]*?)<\/td>/g)].map(([, span = "1", inner = ""]) => [
        Number(span),
        inner.replace(/<[^>]*>/g, "").trim(),
      ]),
    );
    const free = (days: number) => Array.from({ length: days }, () => [1, ""]);
    expect(rows).toEqual([
      [...free(4), [3, "Zeltlager"]],
      [...free(5), [2, "Stadtfest"]],
      [[2, "Zeltlager"], ...free(5)],
      [[3, "Ausflug"], ...free(4)],
      [...free(5), [2, "18:00 Turnier"]],
      [[1, "Turnier"], ...free(6)],
    ]);
    expect(text).toMatch(/<span class="at">19:30<\/span> Orchesterprobe/);
  });

  test("has all of a full month, and leads to what is left of a fuller one", async () => {
    const whole = (title: string) => allDay(title, "2026-07-01", "2026-07-31");
    const { page } = await newCalendar([
      ...Array.from({ length: 11 }, (_, index) => whole(`Ausstellung ${index}`)),
      { title: "Sommernacht", start_date: "2026-07-20T19:30", end_date: "2026-07-20T21:00" },
    ]);
    const { text } = await server.request(`${page}/print?month=2026-07`);
    expect([text.includes("Sommernacht"), text.includes('class="note"')]).toEqual([true, false]);
    const many = Array.from({ length: 501 }, (_, index) => ({
      title: `Kurs ${index}`,
      start_date: `2026-07-${String((index % 31) + 1).padStart(2, "0")}T10:00`,
    }));
    const fuller = await newCalendar(many);
    const { text: first } = await server.request(`${fuller.page}/print?month=2026-07`);
    const [, next = ""] = /class="note">\s*<a href="([^"#]*)/.exec(first) ?? [];
    const { text: rest } = await server.request(`${fuller.page}/print${next.replaceAll("&amp;", "&")}`);
    const coursesOf = (html: string) => new Set(html.match(/Kurs \d+/g));
    expect(coursesOf(rest).size).toBeGreaterThan(100);
    expect([...coursesOf(rest)].filter((one) => coursesOf(first).has(one))).toEqual([]);
  });

  test("without a month is that of the next event, and refuses what is no month", async () => {
    const { page } = await newCalendar([allDay("Stadtfest", "2026-10-11", "2026-10-11")]);
    expect((await server.request(`${page}/print`)).text).toContain("October 2026");
    expect((await server.request(`${page}/print?month=2026-13`)).status).toBe(400);
  });

  test("has all its days before 1970 too, where weeks begin on Sunday, as its page has", async () => {
    const { page } = await newCalendar([]);
    const headers = { "Accept-Language": "en-US" };
    const printed = (await server.request(`${page}/print?month=1969-11`, { headers })).text;
    const [sunday] = /<time datetime="[^"]*"/.exec(printed) ?? [];
    expect([sunday, printed.match(/<time datetime="1969-11-/g)?.length]).toEqual([
      '<time datetime="1969-10-26"',
      30,
    ]);
    const shown = (await server.request(`${page}?month=1969-11`, { headers })).text;
    const days = [...shown.matchAll(/<span class="day">(\d+)</g)].map(([, day]) => Number(day));
    expect(days).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });
});

test("the season lists the events of a year, and says which are cancelled", async () => {
  const { page } = await newCalendar([
    allDay("Gestern", "2026-07-01", "2026-07-01"),
    { ...allDay("Sommerfest", "2026-07-20", "2026-07-20"), status: "cancelled", location: "Festwiese" },
    allDay("Faschingsball", "2027-02-06", "2027-02-06"),
    allDay("Übernächstes Jahr", "2028-07-20", "2028-07-20"),
    { title: "Probenlager", start_date: "2026-07-10T18:00", end_date: "2026-07-12T14:00" },
  ]);
  const { text } = await server.request(`${page}/season`, { headers: { "Accept-Language": "en-GB" } });
  expect(text).toMatch(/Fri,? 10 Jul\s–\sSun,? 12 Jul<[^]*?class="at">18:00\s–\s14:00<[^]*?Probenlager/u);
  expect(text).toMatch(/Cancelled<\/bdi> <s>Sommerfest<\/s>/);
  for (const shown of ["July 2026", "February 2027", "Faschingsball", "Festwiese"])
    expect(text).toContain(shown);
  for (const left of ["Gestern", "Übernächstes Jahr"]) expect(text).not.toContain(left);
});

test("the poster has the code of the calendar's page and what is next, but nothing that is cancelled", async () => {
  const { page } = await newCalendar([
    { ...allDay("Sommerfest", "2026-07-20", "2026-07-20"), status: "cancelled" },
    allDay("Herbstkonzert", "2026-10-11", "2026-10-11"),
  ]);
  const { text } = await server.request(`${page}/poster`);
  for (const shown of ["Herbstkonzert", 'class="qr"', `calendars.example.com${page}`])
    expect(text).toContain(shown);
  expect(text).not.toContain("Sommerfest");
});

describe("the frame", () => {
  const headersOf = async (path: string) => {
    const { status, headers } = await server.request(path);
    const policy = headers.get("Content-Security-Policy") ?? "";
    return {
      status,
      ancestors: /frame-ancestors ([^;]+)/.exec(policy)?.[1],
      forms: /form-action ([^;]+)/.exec(policy)?.[1],
      options: headers.get("X-Frame-Options"),
      resource: headers.get("Cross-Origin-Resource-Policy"),
    };
  };
  const framed = { ancestors: "*", forms: "'none'", options: null, resource: "cross-origin" };

  test("may be in a page of any site, and so may its errors; no other page may", async () => {
    const { id, page } = await newCalendar([allDay("Stadtfest", "2026-07-11", "2026-07-12")]);
    expect(await headersOf(`${page}/frame`)).toEqual({ status: 200, ...framed });
    expect(await headersOf(`${page}/frame?view=month&month=x`)).toEqual({ status: 400, ...framed });
    expect(await headersOf("/c/aaaaaaaaaaaa/frame")).toEqual({ status: 404, ...framed });
    for (const path of [page, `${page}/poster`, `${page}/frames`, `${page}/e/frame`, `${page}?/c/x/frame`])
      expect(await headersOf(path)).toMatchObject({ ancestors: "'none'", options: "DENY" });
    await owner.call("deleteCalendar", { calendar_id: id });
    expect(await headersOf(`${page}/frame`)).toEqual({ status: 410, ...framed });
  });

  test("shows the next events, or a month whose links stay in the frame while those of events leave it", async () => {
    const { page } = await newCalendar([allDay("Stadtfest", "2026-07-11", "2026-07-12")]);
    const list = await server.request(`${page}/frame`);
    expect(list.text).toMatch(/<base target="_blank" \/>/);
    expect(list.text).toContain("Stadtfest");
    expect(list.text).not.toContain("<form");
    const timed = await newCalendar([{ title: "Probe", start_date: "2026-07-09T19:30" }]);
    expect((await server.request(`${timed.page}/frame`)).text).toMatch(
      /data-zone hidden>Time zone: Europe\/Berlin \(UTC\+02:00\)</,
    );
    const month = await server.request(`${page}/frame?view=month&month=2026-08`);
    expect(month.text).toMatch(
      /target="_self"[^>]*href="\?view=month&amp;month=2026-07#month"|href="\?view=month&amp;month=2026-07#month"[^>]*target="_self"/,
    );
  });
});
