import { beforeEach, describe, expect, test } from "vitest";
import { exchange } from "./calls.js";
import { startOfTests, startTestServer, testServer } from "./harness.js";
import { blocksOf, commandsOf, readPage } from "./pages.js";

// The next events of a calendar as JSON, for lists on other sites (docs/embed.md). The clock stands at 2026-07-02T12:00:00Z.

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });
const owner = await server.account();
beforeEach(() => {
  server.now = startOfTests;
});

type Fields = Readonly<Record<string, string>>;

async function newCalendar(
  events: readonly Fields[],
  timezone = "Europe/Berlin",
): Promise<{ readonly id: string; readonly page: string; readonly list: string }> {
  const made = await owner.call("createCalendar", { title: "Concerts", timezone });
  const { id, uniquekey } = made.body.calendar;
  for (const event of events) {
    const created = await owner.call("eventsCreate", { calendar_id: id, title: "Concert", ...event });
    expect(created.status).toBe(200);
  }
  return { id, page: `/c/${uniquekey}`, list: `/c/${uniquekey}/upcoming.json` };
}

const titles = async (list: string): Promise<readonly string[]> =>
  (await server.request(list)).body.events.map(({ title }: { title: string }) => title);

/** An event of an hour, that many hours after the start of the tests. */
const inHours = (hours: number, title: string): Fields => ({
  title,
  timezone: "Etc/UTC",
  start_date: new Date((startOfTests + hours * 3600) * 1000).toISOString().slice(0, 16),
});

/** Counts the queries for events that reading something takes. */
async function eventQueries(read: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const note = ({ sql }: { readonly sql: string }) => void (count += /\bevents\b/.test(sql) ? 1 : 0);
  server.db.read.on("query", note);
  await read();
  server.db.read.removeListener("query", note);
  return count;
}

describe("the list", () => {
  test("ends with the year 9999, also where the clocks of its zone are past it", async () => {
    const late = {
      timezone: "America/Los_Angeles",
      start_date: "9999-12-31T14:30",
      end_date: "9999-12-31T23:59",
    };
    const { list } = await newCalendar([late], "Etc/UTC");
    const [event] = (await server.request(list)).body.events;
    expect(event).toMatchObject({
      start_date: "9999-12-31T22:30",
      end_date: "9999-12-31T23:59",
      start_at: "9999-12-31T22:30:00Z",
      end_at: "9999-12-31T23:59:00-08:00",
    });
  });

  test("has the calendar and its running and next events, in its zone and as instants, with the pages of both", async () => {
    const { page, list } = await newCalendar([
      inHours(-3, "Over"),
      { ...inHours(-0.5, "Running"), location: "Hall 1", status: "tentative" },
      {
        title: "Festival",
        start_date: "2026-07-03",
        end_date: "2026-07-04",
        all_day_event: "true",
        status: "cancelled",
      },
    ]);
    const { status, headers, body } = await server.request(list);
    expect([status, headers.get("Content-Type")]).toEqual([200, "application/json"]);
    const address = `https://calendars.example.com${page}`;
    const uid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({
      calendar: { title: "Concerts", timezone: "Europe/Berlin", url: address },
      events: [
        {
          uid,
          title: "Running",
          status: "tentative",
          all_day_event: false,
          start_date: "2026-07-02T13:30",
          end_date: "2026-07-02T14:30",
          start_at: "2026-07-02T11:30:00Z",
          end_at: "2026-07-02T12:30:00Z",
          location: "Hall 1",
          url: expect.stringContaining(`${address}/e/`),
        },
        {
          uid,
          title: "Festival",
          status: "cancelled",
          all_day_event: true,
          start_date: "2026-07-03",
          end_date: "2026-07-04",
          start_at: "2026-07-02T22:00:00Z",
          end_at: "2026-07-03T22:00:00Z",
          location: "",
          url: expect.stringContaining(`${address}/e/`),
        },
      ],
    });
    for (const { uid: one, url } of body.events) {
      expect(url).toBe(`${address}/e/${one}`);
      expect((await server.request(url.slice("https://calendars.example.com".length))).status).toBe(200);
    }
  });

  test("has the fields that its documentation shows, in that order", async () => {
    const { list } = await newCalendar([inHours(1, "One")]);
    const [block] = blocksOf(readPage("docs/embed.md")).filter(({ language }) => language === "console");
    const [{ output } = { output: "" }] = block === undefined ? [] : commandsOf(block);
    const [shown, { body }] = [JSON.parse(output), await server.request(list)];
    const fields = (one: object): readonly (readonly string[])[] =>
      Object.entries(one).map(([name, value]) => [name, typeof value]);
    expect(fields(shown)).toEqual(fields(body));
    expect(fields(shown.calendar)).toEqual(fields(body.calendar));
    expect(fields(shown.events[0])).toEqual(fields(body.events[0]));
  });

  test("has five events, or as many as limit says, from 1 to 50; other parameters do not matter", async () => {
    const { list } = await newCalendar(Array.from({ length: 7 }, (_, hour) => inHours(hour + 1, `${hour}`)));
    expect(await titles(list)).toHaveLength(5);
    for (const [query, length] of [
      ["limit=1", 1],
      ["limit=", 5],
      ["limit=50&utm_source=mail", 7],
      ["utm_source=mail", 5],
    ] as const)
      expect([query, (await titles(`${list}?${query}`)).length]).toEqual([query, length]);
    for (const query of [
      "limit=0",
      "limit=51",
      "limit=-1",
      "limit=1.5",
      "limit=05",
      "limit=all",
      "limit=%20",
    ]) {
      const { status, text } = await server.request(`${list}?${query}`);
      expect([query, status, text]).toEqual([query, 400, "limit: must be a whole number from 1 to 50.\n"]);
    }
    const twice = await server.request(`${list}?limit=1&limit=2`);
    expect([twice.status, twice.text]).toEqual([400, "limit: must be given once.\n"]);
    expect((await server.request(`${list}?limit=%zz`)).status).toBe(400);
  });

  test("with group=series has a series once, with its next dates, so that weekly rehearsals hide no concert", async () => {
    const week = 7 * 24;
    const { list } = await newCalendar([
      ...Array.from({ length: 7 }, (_, index) => inHours(1 + index * week, "Rehearsal")),
      { ...inHours(1 + 7 * week, "Rehearsal"), location: "Hall 2" },
      inHours(8 * week, "Concert"),
    ]);
    expect(await titles(list)).toEqual(Array.from({ length: 5 }, () => "Rehearsal"));
    const { events } = (await server.request(`${list}?group=series`)).body;
    const shown = events.map(({ title, start_date, next_dates }: Fields) => [title, start_date, next_dates]);
    expect(shown).toEqual([
      [
        "Rehearsal",
        "2026-07-02T15:00",
        ["2026-07-09T15:00", "2026-07-16T15:00", "2026-07-23T15:00", "2026-07-30T15:00"],
      ],
      ["Rehearsal", "2026-08-20T15:00", []],
      ["Concert", "2026-08-27T14:00", []],
    ]);
    expect(await titles(`${list}?group=series&limit=1`)).toEqual(["Rehearsal"]);
    expect(await titles(`${list}?group=&limit=1`)).toEqual(["Rehearsal"]);
    for (const [query, message] of [
      ["group=title", "group: must be series.\n"],
      ["group=series&group=series", "group: must be given once.\n"],
    ]) {
      const { status, text } = await server.request(`${list}?${query}`);
      expect([query, status, text]).toEqual([query, 400, message]);
    }
    server.now += 2 * 3600; // nothing was written, and the first rehearsal is over
    const [first] = (await server.request(`${list}?group=series`)).body.events;
    expect([first.start_date, first.next_dates.length]).toEqual(["2026-07-09T15:00", 4]);
  });

  test("is there in absolute-form, with letters encoded and with a slash at its end, as a feed is", async () => {
    const { list } = await newCalendar([inHours(1, "One")]);
    const others = [`http://elsewhere.example${list}`, list.replace("upcoming", "u%70coming"), `${list}/`];
    for (const target of others) {
      const { status, text } = await exchange(server, target);
      expect([target, status, text.includes("One")]).toEqual([target, 200, true]);
    }
  });

  test("of a calendar with nothing to come is empty; of none it is a 404, of a deleted one a 410", async () => {
    const { id, list } = await newCalendar([inHours(-5, "Over")]);
    expect(await titles(list)).toEqual([]);
    await owner.call("deleteCalendar", { calendar_id: id });
    expect((await server.request(list)).status).toBe(410);
    const { status, headers } = await server.request("/c/aaaaaaaaaaaa/upcoming.json");
    expect([status, headers.get("Access-Control-Allow-Origin")]).toEqual([404, "*"]);
    expect((await server.request("/c/aaaaaaaaaaaa/upcoming.json/more")).status).toBe(404);
  });

  test("without PUBLIC_URL has addresses that are relative to its own", async () => {
    const plain = await startTestServer();
    const account = await plain.account();
    const made = await account.call("createCalendar", { title: "x", timezone: "UTC" });
    const list = `/c/${made.body.calendar.uniquekey}/upcoming.json`;
    await account.call("eventsCreate", { calendar_id: made.body.calendar.id, ...inHours(1, "One") });
    const { calendar, events } = (await plain.request(list)).body;
    expect(calendar.url).toBe(`/c/${made.body.calendar.uniquekey}`);
    expect((await fetch(new URL(events[0].url, `${plain.url}${list}`))).status).toBe(200);
    await plain.stop();
  });
});

describe("a cached list", () => {
  test("is made once for each version and limit, and changes with the next commit", async () => {
    const { id, list } = await newCalendar([inHours(1, "One")]);
    const ask = () => Promise.all(Array.from({ length: 20 }, () => server.request(list)));
    expect(await eventQueries(ask)).toBe(1);
    expect(await eventQueries(ask)).toBe(0);
    await owner.call("eventsCreate", { calendar_id: id, ...inHours(2, "Two") });
    expect(await titles(list)).toEqual(["One", "Two"]);
    expect(await titles(`${list}?limit=1`)).toEqual(["One"]);
  });

  test("loses an event in the second in which it ends, though nothing was written, and is made once for that", async () => {
    const { list } = await newCalendar([inHours(-0.5, "First"), inHours(1, "Second"), inHours(5, "Third")]);
    const two = `${list}?limit=2`;
    expect(await titles(two)).toEqual(["First", "Second"]);
    server.now = startOfTests + 1_799;
    expect(await titles(two)).toEqual(["First", "Second"]);
    server.now++;
    const ask = () => Promise.all(Array.from({ length: 20 }, () => titles(two)));
    expect(await eventQueries(ask)).toBe(1);
    expect(new Set((await ask()).map(String))).toEqual(new Set(["Second,Third"]));
    server.now = startOfTests + 6 * 3600;
    expect(await titles(two)).toEqual([]);
    server.now += 86_400 * 365;
    expect(await eventQueries(() => server.request(two))).toBe(0);
  });

  test("loses an event without length after its second, and whole days at midnight of the calendar's zone", async () => {
    const midnight = Date.UTC(2026, 6, 3, 7) / 1000; // in Vancouver
    const { list } = await newCalendar(
      [
        { title: "Moment", start_date: "2026-07-02T06:00", end_date: "2026-07-02T06:00" },
        { title: "Today", start_date: "2026-07-02", all_day_event: "true" },
        { title: "Tomorrow", start_date: "2026-07-03", all_day_event: "true" },
      ],
      "America/Vancouver",
    );
    const at = async (now: number): Promise<readonly string[]> => {
      server.now = now;
      return titles(list);
    };
    const moment = Date.UTC(2026, 6, 2, 13) / 1000;
    expect(await at(moment)).toEqual(["Today", "Moment", "Tomorrow"]);
    expect(await at(moment + 1)).toEqual(["Today", "Tomorrow"]);
    expect(await at(midnight - 1)).toEqual(["Today", "Tomorrow"]);
    expect(await at(midnight)).toEqual(["Tomorrow"]);
  });

  test("keeps an event of many whole days to the end of the last one, also one of a zone far in the east", async () => {
    const exhibition = { start_date: "2026-06-10", end_date: "2026-07-02", all_day_event: "true" };
    const { list } = await newCalendar(
      [{ title: "Exhibition", timezone: "Pacific/Kiritimati", ...exhibition }],
      "America/New_York",
    );
    expect(await titles(list)).toEqual(["Exhibition"]);
    server.now = startOfTests + 16 * 3600 - 1;
    expect(await titles(list)).toEqual(["Exhibition"]);
    server.now += 1; // midnight in New York
    expect(await titles(list)).toEqual([]);
  });

  test("may be kept by others for five minutes, but not past the end of its first event", async () => {
    const { list } = await newCalendar([inHours(-0.5, "First"), inHours(1, "Second")]);
    const age = async (): Promise<string | null> => (await server.request(list)).headers.get("Cache-Control");
    expect(await age()).toBe("public, max-age=300");
    server.now = startOfTests + 1_790;
    expect(await age()).toBe("public, max-age=10");
  });
});

describe("headers", () => {
  test("who has the list gets 304 until it changes, also when only the time makes it another", async () => {
    const { list } = await newCalendar([inHours(-0.5, "First"), inHours(1, "Second")]);
    const first = await exchange(server, list);
    const known = { headers: { "If-None-Match": first.headers.get("ETag") ?? "" } };
    const again = await exchange(server, list, known);
    expect([again.status, again.text, again.headers.get("ETag")]).toEqual([
      304,
      "",
      first.headers.get("ETag"),
    ]);
    expect(again.headers.get("Access-Control-Allow-Origin")).toBe("*");
    server.now = startOfTests + 1_800;
    expect((await exchange(server, list, known)).status).toBe(200);
  });

  test("any site may read it; it is compressed for clients that accept it, and protected", async () => {
    const { list } = await newCalendar([inHours(1, "One")]);
    const plain = await exchange(server, list, { headers: { "Accept-Encoding": "identity" } });
    const small = await server.request(list, { headers: { "Accept-Encoding": "gzip" } });
    expect([plain.headers.get("Content-Encoding"), small.headers.get("Content-Encoding")]).toEqual([
      null,
      "gzip",
    ]);
    expect(small.headers.get("ETag")).toBe(plain.headers.get("ETag"));
    for (const [name, value] of [
      ["Access-Control-Allow-Origin", "*"],
      ["Cross-Origin-Resource-Policy", "cross-origin"],
      ["Vary", "Accept-Encoding"],
      ["X-Content-Type-Options", "nosniff"],
      ["X-Robots-Tag", "noindex"],
      ["Strict-Transport-Security", "max-age=31536000; includeSubDomains"],
    ] as const)
      expect([name, plain.headers.get(name)]).toEqual([name, value]);
    const asked = { method: "OPTIONS", headers: { "Access-Control-Request-Method": "GET" } };
    const preflight = await exchange(server, list, asked);
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Headers")]).toEqual([
      204,
      "If-None-Match, If-Modified-Since, Cache-Control",
    ]);
  });

  test("HEAD has the headers of GET; other methods and a wrong host are refused", async () => {
    const { list } = await newCalendar([inHours(1, "One")]);
    const [get, head] = [await exchange(server, list), await exchange(server, list, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["ETag", "Content-Length"]) expect(head.headers.get(name)).toBe(get.headers.get(name));
    const post = await exchange(server, list, { method: "POST" });
    expect([post.status, post.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await exchange(server, list, { headers: { Host: "a b" } })).status).toBe(400);
  });
});
