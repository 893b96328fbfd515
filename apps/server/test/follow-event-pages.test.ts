import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { setSearchable } from "../src/calendars/queries.js";
import { forgetDeletedEvents } from "../src/events/forget.js";
import { exchange } from "./calls.js";
import { type Answer, testServer } from "./harness.js";

// The page of one event, and the event as a file (docs/following.md).

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });
const owner = await server.account();

type Fields = Readonly<Record<string, string>>;

interface Made {
  readonly id: string;
  readonly calendar: string;
  /** Path of the event's page. */
  readonly page: string;
  readonly uid: string;
}

/** Makes a calendar with one event. */
async function newEvent(fields: Fields = {}, calendar: Fields = {}): Promise<Made> {
  const made = await owner.call("createCalendar", {
    title: "Concerts",
    timezone: "Europe/Berlin",
    ...calendar,
  });
  const { id: calendar_id, uniquekey } = made.body.calendar;
  const created = await owner.call("eventsCreate", {
    calendar_id,
    title: "Opening night",
    start_date: "2026-07-04T19:30",
    end_date: "2026-07-04T22:00",
    ...fields,
  });
  expect(created.status).toBe(200);
  const { id, uid } = created.body.event;
  return { id, calendar: `/c/${uniquekey}`, page: `/c/${uniquekey}/e/${uid}`, uid };
}

const get = (path: string, language = "en-GB"): Promise<Answer> =>
  server.request(path, { headers: { "Accept-Language": language } });

/** Without markup and without what versions of Intl do differently. */
const plain = (markup: string): string =>
  markup
    .replace(/<[^>]*>|,/g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?– ?/g, "–")
    .trim();

const facts = (text: string): readonly string[] =>
  [...text.matchAll(/<dt>([^<]*)<\/dt>\s*<dd[^>]*>([\s\S]*?)<\/dd>/g)].map(
    ([, name = "", value = ""]) => `${name}: ${plain(value)}`,
  );

test("the page of an event and the list of next events name its categories, in each language", async () => {
  const names = ["Jazz & Blues", "حفلة", "<b>Club</b>"];
  const { calendar, page } = await newEvent({ categories: names.join(",") });
  server.now = Date.UTC(2026, 6, 1) / 1000;
  const labels = { en: "Categories", de: "Kategorien", fr: "Catégories", es: "Categorías" };
  for (const [language, label] of Object.entries(labels))
    expect(facts((await get(page, language)).text).at(-1)).toBe(
      `${label}: Jazz &amp; Blues · حفلة · &lt;b&gt;Club&lt;/b&gt;`,
    );
  const { text } = await get(calendar);
  const [, shown = ""] = /<span class="names">([\s\S]*?)<\/span>/.exec(text) ?? [];
  expect(plain(shown)).toBe("&lt;b&gt;Club&lt;/b&gt; · Jazz &amp; Blues · حفلة");
  const none = await newEvent();
  expect(facts((await get(none.page)).text).map((fact) => fact.split(":")[0])).toEqual(["When"]);
  expect((await get(none.calendar)).text).not.toContain('class="names"');
});

/** The links that add the event to an app, by their host, as parameters. */
function addLinks(text: string): Readonly<Record<string, Fields>> {
  const found = [...text.matchAll(/<a\s+class="add"\s+href="(https:[^"]+)"/g)].map(
    ([, href = ""]) => new URL(href.replaceAll("&amp;", "&")),
  );
  return Object.fromEntries(found.map((url) => [url.host, Object.fromEntries(url.searchParams)]));
}

describe("the page of an event", () => {
  test("shows when it is in the calendar's zone, where, who organizes it, and its description with links", async () => {
    const { page, calendar } = await newEvent({
      timezone: "America/New_York",
      location: "Main hall, https://maps.example/hall",
      organizer: "Ada Byron",
      organizer_email: "ada@example.com",
      description: "Doors at seven.\nTickets: https://tickets.example/ javascript:alert(1)",
    });
    const { status, text } = await get(page);
    expect(status).toBe(200);
    expect(text).toMatch(/<h1 class="short" dir="auto">\s*Opening night\s*<\/h1>/);
    expect(facts(text)).toEqual([
      "When: Sunday 5 July 2026 · 01:30–04:00 Time zone: Europe/Berlin (UTC+02:00)",
      "Where: Main hall https://maps.example/hall",
      "Organizer: Ada Byron",
    ]);
    expect(text).not.toContain("ada@example.com");
    expect(text).toContain('datetime="2026-07-05T01:30:00+02:00"');
    const links = [...text.matchAll(/<a href="(https:[^"]+)" rel="([^"]+)">/g)].map(([, href]) => href);
    expect(links).toEqual(["https://maps.example/hall", "https://tickets.example/"]);
    expect(text).toContain(`<a href="${calendar}" dir="auto">Concerts</a>`);
    expect(text).toMatch(/id="event-address"\s+type="text"\s+value="https:\/\/calendars\.example\.com\/c\//);
  });

  test.each([
    ["de", "Wann: Samstag 4. Juli 2026 · 19:30–22:00 Uhr Zeitzone: Europe/Berlin (UTC+02:00)", "Wo: x Karte"],
    [
      "fr",
      "Quand: samedi 4 juillet 2026 · 19:30–22:00 Fuseau horaire : Europe/Berlin (UTC+02:00)",
      "Où: x Plan",
    ],
    [
      "es",
      "Cuándo: sábado 4 de julio de 2026 · 19:30–22:00 Zona horaria: Europe/Berlin (UTC+02:00)",
      "Dónde: x Mapa",
    ],
  ])("is written in %s", async (language, when, where) => {
    const { page } = await newEvent({ location: "x" });
    const { text, headers } = await get(page, language);
    expect(text).toContain(`<html lang="${language}" dir="ltr">`);
    expect(facts(text)).toEqual([when, where]);
    expect(headers.get("Vary")).toBe("Accept-Language, Accept-Encoding");
  });

  test("dates are in a language that has no texts, and are marked", async () => {
    const { text } = await get((await newEvent()).page, "ar-EG");
    expect(text).toContain('<span lang="ar-EG" dir="rtl">');
  });

  test("whole days have no zone; several days have both dates", async () => {
    const days = { start_date: "2026-12-30", end_date: "2027-01-01", all_day_event: "true" };
    expect(facts((await get((await newEvent(days)).page)).text)).toEqual([
      "When: Wednesday 30 December 2026–Friday 1 January 2027 All day",
    ]);
    const night = { start_date: "2026-07-04T19:30", end_date: "2026-07-06T04:00" };
    expect(facts((await get((await newEvent(night)).page)).text)).toEqual([
      expect.stringMatching(/^When: Sat 4 Jul 2026(?: at)? 19:30–Mon 6 Jul 2026(?: at)? 04:00 Time zone:/),
    ]);
  });

  test("is there for the first and the last events that there can be, as are its file and the list of next events", async () => {
    for (const start_date of ["1900-01-01T00:00", "9999-12-31T23:00"])
      for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
        const { page, calendar } = await newEvent(
          { start_date, end_date: "9999-12-31T23:30", timezone },
          { timezone },
        );
        for (const path of [page, `${page}.ics`, calendar, `${calendar}/upcoming.json`])
          expect([start_date, path, (await get(path)).status]).toEqual([start_date, path, 200]);
      }
  });

  test("ends with the year 9999, as feeds do, also where other clocks are past it", async () => {
    const late = {
      start_date: "9999-12-31T22:30",
      end_date: "9999-12-31T23:59",
      timezone: "Pacific/Pago_Pago",
    };
    const { page, calendar } = await newEvent(late);
    await server.db.transaction((trx) =>
      trx("calendars")
        .where({ uniquekey: calendar.slice(3) })
        .update({ searchable: 1 }),
    );
    const { text } = await get(page);
    expect(facts(text)[0]).toMatch(/^When: Friday 31 December 9999 · 23:59 Time zone:/);
    expect(text).toContain('<time datetime="9999-12-31T23:59:00+01:00"');
    expect(text).toContain('"endDate":"9999-12-31T23:59:00+01:00"');
    const links = addLinks(text);
    expect(links["calendar.google.com"]).toMatchObject({ dates: "99991231T235900Z/99991231T235900Z" });
    expect(links["outlook.live.com"]).toMatchObject({ enddt: "9999-12-31T23:59:00Z" });
    const days = await newEvent({ start_date: "9999-12-30", end_date: "9999-12-31", all_day_event: "true" });
    // The day after the last one, with which such a link ends, cannot be written: the file and a day alone can.
    expect(Object.keys(addLinks((await get(days.page)).text))).toEqual([]);
    const day = await newEvent({ start_date: "9999-12-31", end_date: "9999-12-31", all_day_event: "true" });
    const ofDay = addLinks((await get(day.page)).text);
    expect(Object.keys(ofDay)).toEqual(["calendar.yahoo.com"]);
    expect(ofDay["calendar.yahoo.com"]).toMatchObject({ st: "99991231", dur: "allday" });
    const before = await newEvent({
      start_date: "9999-12-29",
      end_date: "9999-12-30",
      all_day_event: "true",
    });
    const ofBefore = addLinks((await get(before.page)).text);
    expect(ofBefore["calendar.google.com"]).toMatchObject({ dates: "99991229/99991231" });
  });

  test("says that it is cancelled, and then offers no app; a tentative one says so too", async () => {
    const cancelled = (await get((await newEvent({ status: "cancelled" })).page)).text;
    expect(cancelled).toContain("This event is cancelled. It does not take place.");
    expect(cancelled).toContain("<s>Opening night</s>");
    expect(addLinks(cancelled)).toEqual({});
    const tentative = (await get((await newEvent({ status: "tentative" })).page)).text;
    expect(tentative).toContain("This event is not certain yet.");
    expect(Object.keys(addLinks(tentative))).toHaveLength(4);
  });

  test("links to a map of its place and to where more is said, and is passed on by what the phone has", async () => {
    const { page } = await newEvent({
      location: "Town hall, Bergholz",
      url: "https://club.example/tickets?a=1&b=2",
    });
    const { text } = await get(page);
    expect(text).toContain('href="https://www.openstreetmap.org/search?query=Town%20hall%2C%20Bergholz"');
    expect(text).toMatch(
      /href="https:\/\/club.example\/tickets\?a=1&amp;b=2" rel="[^"]*ugc">More about this event</,
    );
    const address = `https://calendars.example.com${page}`;
    const shared = encodeURIComponent(`Opening night\n${address}`);
    expect(text).toContain(`href="https://wa.me/?text=${shared}"`);
    expect(text).toContain(`href="mailto:?subject=Opening%20night&amp;body=${shared}"`);
    expect(text).toContain('<li hidden><button type="button" data-share="event-address">'); // needs a script
  });

  test("shows its picture, else that of the calendar, also to those who preview its link, with date and place", async () => {
    const [own, calendars] = ["1".repeat(32), "2".repeat(32)];
    const { id, page, calendar } = await newEvent({ location: "Town hall" });
    const set = (table: string, picture_id: string, where: object) =>
      server.db.transaction((trx) =>
        trx(table)
          .where(where)
          .update({ picture_id, picture_alt: `Of the "${table}"` }),
      );
    const preview = async (path: string) => {
      const { text } = await get(path);
      const [image, alt, said] = ["og:image", "og:image:alt", "og:description"].map(
        (name) => new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(text)?.[1],
      );
      return { image, alt, said, shown: /<img\s+class="cover"\s+src="([^"]+)"/.exec(text)?.[1] };
    };
    expect((await preview(page)).image).toMatch(/\/assets\/share\.\w+\.png$/);
    await set("calendars", calendars, { uniquekey: calendar.slice(3) });
    expect(await preview(page)).toMatchObject({ shown: `/p/${calendars}-640.webp` });
    await set("events", own, { id });
    expect(await preview(page)).toEqual({
      image: `https://calendars.example.com/p/${own}-1200.jpg`,
      alt: "Of the &quot;events&quot;",
      said: expect.stringMatching(/^Saturday.*4 July 2026 · 19:30.*22:00 · Town hall$/),
      shown: `/p/${own}-640.webp`,
    });
    expect(await preview(calendar)).toMatchObject({
      image: `https://calendars.example.com/p/${calendars}-1200.jpg`,
      said: expect.stringMatching(/^Sat.*4 Jul.* · Opening night · Town hall · Follow/),
    });
  });

  test("the page of the calendar links to it from its list and its month, the feed by URL", async () => {
    const { calendar, page, uid } = await newEvent();
    const { text } = await get(calendar);
    expect(text.split(`href="${page}"`)).toHaveLength(4); // what is next, the list, the month
    const feed = (await server.request(`${calendar}/x.ics`)).text.replaceAll("\r\n ", "");
    expect(feed).toContain(`UID:${uid}\r\n`);
    expect(feed).toContain(`\r\nURL:https://calendars.example.com${page}\r\n`);
  });
});

describe("a page that is not there", () => {
  test("of a deleted event is a 410 for a month, then a 404; so is the file; the feed loses it at once", async () => {
    const { id, page, calendar } = await newEvent();
    await owner.call("deleteEvent", { event_id: id });
    for (const path of [page, `${page}.ics`]) {
      const { status, text, headers } = await get(path);
      expect([status, headers.get("Cache-Control")]).toEqual([410, "no-store"]);
      expect(text).toContain("This event was deleted");
      expect(text).toContain(`<a class="button" href="${calendar}">Back to the calendar</a>`);
      expect((await get(path, "es")).text).toContain("Este evento se ha eliminado");
    }
    expect((await server.request(`${calendar}/x.ics`)).text).not.toContain(page);
    await forgetDeletedEvents(server.db, server.now + 32 * 86_400);
    expect((await get(page)).status).toBe(404);
  });

  test("of a deleted calendar is a 410, of another calendar's event or of none a 404", async () => {
    const [one, other] = [await newEvent(), await newEvent()];
    expect((await get(`${one.calendar}/e/${other.uid}`)).status).toBe(404);
    for (const uid of ["x", "%00", "%F0%9F%8E%89", "a".repeat(300), ".ics"])
      expect([uid, (await get(`${one.calendar}/e/${uid}`)).status]).toEqual([uid, 404]);
    expect((await get(`${one.calendar}/e/%zz`)).status).toBe(400);
    expect((await get(`/c/aaaaaaaaaaaa/e/${one.uid}`)).status).toBe(404);
    const calendars = await owner.call("listCalendars");
    const found = calendars.body.calendars.find(
      ({ uniquekey }: { uniquekey: string }) => one.calendar === `/c/${uniquekey}`,
    );
    await owner.call("deleteCalendar", { calendar_id: found.id });
    const gone = await get(one.page);
    expect(gone.status).toBe(410);
    expect(gone.text).toContain("This calendar was deleted");
  });
});

describe("links that add the event to an app", () => {
  test("have its instants in UTC, and lead back to the page", async () => {
    const { page } = await newEvent({
      title: "Jazz & +Blues",
      location: "Hall 1",
      description: "One <b>bold</b>\ntwo",
    });
    const address = `https://calendars.example.com${page}`;
    const outlook = {
      path: "/calendar/action/compose",
      rru: "addevent",
      subject: "Jazz & +Blues",
      startdt: "2026-07-04T17:30:00Z",
      enddt: "2026-07-04T20:00:00Z",
      allday: "false",
      body: `One &lt;b&gt;bold&lt;/b&gt;<br>two<br><br>${address}`,
      location: "Hall 1",
    };
    expect(addLinks((await get(page)).text)).toEqual({
      "calendar.google.com": {
        action: "TEMPLATE",
        text: "Jazz & +Blues",
        dates: "20260704T173000Z/20260704T200000Z",
        details: `One <b>bold</b>\ntwo\n\n${address}`,
        location: "Hall 1",
      },
      "outlook.live.com": outlook,
      "outlook.office.com": outlook,
      "calendar.yahoo.com": {
        v: "60",
        title: "Jazz & +Blues",
        st: "20260704T173000Z",
        et: "20260704T200000Z",
        desc: `One <b>bold</b>\ntwo\n\n${address}`,
        in_loc: "Hall 1",
      },
    });
  });

  test("of whole days end with the day after; of Yahoo, which has one whole day only, at midnight", async () => {
    const day = { start_date: "2026-12-31", all_day_event: "true" };
    const one = addLinks((await get((await newEvent({ ...day, end_date: "2026-12-31" })).page)).text);
    expect(one["calendar.google.com"]).toMatchObject({ dates: "20261231/20270101" });
    expect(one["outlook.live.com"]).toMatchObject({
      startdt: "2026-12-31",
      enddt: "2027-01-01",
      allday: "true",
    });
    expect(one["calendar.yahoo.com"]).toMatchObject({ st: "20261231", dur: "allday" });
    const two = addLinks((await get((await newEvent({ ...day, end_date: "2027-01-01" })).page)).text);
    expect(two["calendar.google.com"]).toMatchObject({ dates: "20261231/20270102" });
    expect(two["calendar.yahoo.com"]).toMatchObject({ st: "20261231T000000", et: "20270102T000000" });
  });

  test("stay short, whatever the description, and cut no character", async () => {
    const { page } = await newEvent({ description: "🎉é ".repeat(2_000) });
    const { text } = await get(page);
    for (const [, href = ""] of text.matchAll(/<a\s+class="add"\s+href="([^"]+)"/g))
      expect(href.replaceAll("&amp;", "&").length).toBeLessThan(2_000);
    const { details = "" } = addLinks(text)["calendar.google.com"] ?? {};
    expect(details).toMatch(/^(?:🎉é )+(?:🎉é?)?…\n\nhttps:/u);
  });
});

describe("the event as a file", () => {
  test("is what the feed has, without what makes it a calendar of its own", async () => {
    const { page, uid, calendar } = await newEvent({ title: "Été à l'eau", reminder: "15" });
    const { status, headers, text } = await get(`${page}.ics`);
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(headers.get("Content-Disposition")).toBe('inline; filename="ete-a-l-eau.ics"');
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent");
    expect(event?.getFirstPropertyValue("uid")).toBe(uid);
    expect(event?.getFirstPropertyValue("url")).toBe(`https://calendars.example.com${page}`);
    const entry = /BEGIN:VEVENT[^]*END:VEVENT/.exec(text)?.[0] ?? "none";
    expect((await server.request(`${calendar}/x.ics`)).text).toContain(entry);
    expect(text).not.toMatch(/METHOD|X-WR-|REFRESH/);
  });

  test("of a cancelled event says so", async () => {
    const { text } = await get(`${(await newEvent({ status: "cancelled" })).page}.ics`);
    expect(text).toContain("STATUS:CANCELLED");
  });
});

describe("headers", () => {
  test("page and file may be kept for a minute; who has them gets 304 until the event changes", async () => {
    const { id, page } = await newEvent();
    for (const path of [page, `${page}.ics`]) {
      const first = await exchange(server, path);
      expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
      const known = { headers: { "If-None-Match": first.headers.get("ETag") ?? "" } };
      const again = await exchange(server, path, known);
      expect([again.status, again.text]).toEqual([304, ""]);
      const head = await exchange(server, path, { method: "HEAD" });
      expect([head.status, head.text, head.headers.get("Content-Length")]).toEqual([
        200,
        "",
        first.headers.get("Content-Length"),
      ]);
      const title = `Changed ${path.length}`;
      await owner.call("eventsUpdate", { event_id: id, title });
      expect((await exchange(server, path, known)).text).toContain(title);
      expect((await exchange(server, path, { method: "POST" })).headers.get("Allow")).toBe("GET, HEAD");
    }
  });

  test("they are protected as the other pages are", async () => {
    const { page, calendar } = await newEvent();
    const names = ["Content-Security-Policy", "Strict-Transport-Security", "X-Content-Type-Options"];
    const [one, other] = [await get(page), await get(calendar)];
    for (const name of names) expect(one.headers.get(name)).toBe(other.headers.get(name));
  });

  test("the page takes one query besides the look-up of its calendar", async () => {
    const counts: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      const { page } = await newEvent();
      let queries = 0;
      const count = () => void queries++;
      server.db.read.on("query", count);
      await get(page);
      server.db.read.removeListener("query", count);
      counts.push(queries);
    }
    expect(Math.min(...counts)).toBe(1); // every few seconds the server writes which tokens were used
  });
});

describe("search engines and previews", () => {
  const hostile = '</script><script>alert(1)</script> & "x"\u2028';
  const dataOf = (text: string) => {
    const [, json] = /<script type="application\/ld\+json">([^<]*)<\/script>/.exec(text) ?? [];
    return json === undefined ? undefined : JSON.parse(json);
  };

  test("are kept out, and get no data, until the calendar is made public to search", async () => {
    const { page, calendar } = await newEvent({ title: hostile, location: "Hall", organizer: "Ada" });
    const hidden = await get(page);
    expect(hidden.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(hidden.text).toContain('<meta name="robots" content="noindex" />');
    expect(hidden.text).not.toContain("ld+json");
    const found = await server.db
      .read("calendars")
      .where({ uniquekey: calendar.slice(3) })
      .first();
    await server.db.transaction((trx) => setSearchable(trx, found.id, 1));
    const shown = await get(page);
    expect(shown.headers.get("X-Robots-Tag")).toBeNull();
    expect(shown.text).not.toContain("noindex");
    expect(dataOf(shown.text)).toEqual({
      "@context": "https://schema.org",
      "@type": "Event",
      name: hostile,
      startDate: "2026-07-04T19:30:00+02:00",
      endDate: "2026-07-04T22:00:00+02:00",
      eventStatus: "https://schema.org/EventScheduled",
      url: `https://calendars.example.com${page}`,
      image: expect.stringMatching(/^https:\/\/calendars\.example\.com\/assets\/share\.\w+\.png$/),
      location: { "@type": "Place", name: "Hall", address: "Hall" },
      organizer: { "@type": "Organization", name: "Ada" },
    });
  });

  test("learn that it is cancelled, and the dates of whole days", async () => {
    const days = { start_date: "2026-07-04", end_date: "2026-07-05", all_day_event: "true" };
    const { page, calendar } = await newEvent({ ...days, status: "cancelled" });
    await server.db.transaction((trx) =>
      trx("calendars")
        .where({ uniquekey: calendar.slice(3) })
        .update({ searchable: 1 }),
    );
    expect(dataOf((await get(page)).text)).toMatchObject({
      startDate: "2026-07-04",
      endDate: "2026-07-05",
      eventStatus: "https://schema.org/EventCancelled",
    });
  });

  test("a preview has title, time and place", async () => {
    const { page } = await newEvent({ title: 'Jazz & "Blues"', location: "Hall" });
    const { text } = await get(page);
    expect(text).toContain(`<link rel="canonical" href="https://calendars.example.com${page}" />`);
    expect(text).toContain('<meta property="og:title" content="Jazz &amp; &quot;Blues&quot;" />');
    expect(text).toContain('<meta property="og:site_name" content="Concerts" />');
    const said = /og:description" content="([^"]*)"/.exec(text)?.[1] ?? "";
    expect(plain(said)).toBe("Saturday 4 July 2026 · 19:30–22:00 · Hall");
  });

  test("a preview and the title of a cancelled event say so", async () => {
    const { page } = await newEvent({ status: "cancelled" });
    for (const [language, word] of [
      ["en-GB", "Cancelled:"],
      ["fr", "Annulé\u00a0:"],
    ] as const) {
      const { text } = await get(page, language);
      expect(text).toContain(`<title>${word} Opening night`);
      expect(text).toContain(`<meta property="og:title" content="${word} Opening night" />`);
      for (const name of ['name="description"', 'property="og:description"'])
        expect(text).toContain(`<meta ${name} content="${word} `);
    }
  });
});

test("events are one entry where they are at one time on the calendar's clock, whatever their zones", async () => {
  const { page, calendar } = await newEvent();
  const { body } = await owner.call("listCalendars", {});
  const calendar_id = body.calendars.find(({ uniquekey }: Fields) => calendar.endsWith(String(uniquekey))).id;
  const add = (start_date: string, timezone: string) =>
    owner.call("eventsCreate", { calendar_id, title: "Webinar", start_date, timezone });
  for (const day of ["2026-07-07", "2026-07-14"]) await add(`${day}T15:00`, "Europe/Berlin");
  for (const day of ["2026-07-08", "2026-07-15"]) await add(`${day}T15:00`, "America/New_York");
  await add("2026-07-16T09:00", "America/New_York"); // 15:00 in Berlin
  const { text } = await get(page.replace(/\/e\/.*/, ""));
  const also = [...text.matchAll(/class="also"\s*>([^<]*)/g)].map(([, dates = ""]) => plain(dates));
  expect(also).toEqual(["Also on: 14 Jul · 16 Jul", "Also on: 15 Jul"]);
});

test("the month that a page begins with is that of the next event on the calendar's clock", async () => {
  const { calendar } = (await owner.call("calendarsCreate", { title: "Night", timezone: "Europe/Berlin" }))
    .body;
  const start = { start_date: "2026-07-31T23:30", timezone: "UTC" };
  await owner.call("eventsCreate", { calendar_id: calendar.id, title: "Late", ...start });
  const { text } = await get(`/c/${calendar.unique_key ?? calendar.uniquekey}`);
  expect(plain(/<h2 id="month-name">([^]*?)<\/h2>/.exec(text)?.[1] ?? "")).toBe("August 2026");
});

test("an entry of next events names further dates with its times alone", async () => {
  const { page, calendar } = await newEvent();
  const { body } = await owner.call("listCalendars", {});
  const calendar_id = body.calendars.find(({ uniquekey }: Fields) => calendar.endsWith(String(uniquekey))).id;
  const later = (start_date: string, end_date: string) =>
    owner.call("eventsCreate", { calendar_id, title: "Opening night", start_date, end_date });
  await later("2026-07-05T19:30", "2026-07-05T22:00");
  await later("2026-07-06T20:30", "2026-07-06T23:00");
  const { text } = await get(page.replace(/\/e\/.*/, ""));
  const also = [...text.matchAll(/class="also"\s*>([^<]*)/g)].map(([, dates = ""]) => plain(dates));
  expect(also).toEqual(["Also on: 5 Jul"]);
  const french = await get(page.replace(/\/e\/.*/, ""), "fr");
  expect(french.text).toContain("Aussi le\u00a0: ");
});
