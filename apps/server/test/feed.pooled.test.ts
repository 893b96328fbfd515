import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { addFollower, exchange, type Exchange } from "./calls.js";
import { type TestAccount, testServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// The HTTP side of the feeds: who gets what, and when an app learns of a change.

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });

const owner = await server.account();

async function calendar(fields: Readonly<Record<string, string>> = {}) {
  const params = { title: "Été à la mer", timezone: "Europe/Paris", ...fields };
  const { id, uniquekey } = (await owner.call("createCalendar", params)).body.calendar;
  return { id: String(id), feed: `/c/${uniquekey}/ete-a-la-mer.ics` };
}

const event = (calendar_id: string, fields: Readonly<Record<string, string>> = {}) =>
  owner.call("createEvent", { calendar_id, title: "Swim", start_date: "07/04/2026 13:30", ...fields });

const get = (path: string, sent: Exchange["headers"] = {}, method = "GET") =>
  exchange(server, path, { method, headers: sent });

const summaries = (text: string): readonly unknown[] =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents("vevent")
    .map((component) => component.getFirstPropertyValue("summary"));

const fixdate = (ms: number): string => new Date(ms).toUTCString();

/** The obsolete forms of an HTTP date, which recipients accept (RFC 9110 5.6.7). */
function rfc850(ms: number): string {
  const [, day, month, year, time] = fixdate(ms).split(" ");
  const weekday = new Intl.DateTimeFormat("en", { weekday: "long", timeZone: "UTC" }).format(ms);
  return `${weekday}, ${day}-${month}-${year?.slice(2)} ${time} GMT`;
}

function asctime(ms: number): string {
  const [weekday, day, month, year, time] = fixdate(ms).split(" ");
  return `${weekday?.slice(0, 3)} ${month} ${day?.replace(/^0/, " ")} ${time} ${year}`;
}

async function followed(choice: Parameters<typeof addFollower>[3] = {}, account: TestAccount = owner) {
  const { id, feed } = await calendar();
  await event(id);
  const { key, id: subscriber } = await addFollower(server, account, id, choice);
  return { id, anonymous: feed, feed: `/f/${key}/ete-a-la-mer.ics`, key, subscriber };
}

describe("a feed", () => {
  test("has the same bytes for each subscriber and on the public address, with the headers of a calendar file", async () => {
    const { id, anonymous, feed } = await followed();
    const other = await addFollower(server, owner, id);
    const [one, two, publicFeed] = await Promise.all([
      get(feed),
      get(`/f/${other.key}/x.ics`),
      get(anonymous),
    ]);
    expect(one.status).toBe(200);
    expect(two.text).toBe(one.text);
    expect(publicFeed.text).toBe(one.text);
    expect(Object.fromEntries(one.headers)).toMatchObject({
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'inline; filename="ete-a-la-mer.ics"',
      "cache-control": "private, max-age=300, must-revalidate",
      vary: "Accept-Encoding",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag",
      "content-security-policy":
        "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "x-robots-tag": "noindex",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{32}$/),
      "content-length": String(Buffer.byteLength(one.text)),
    });
    expect(one.headers.get("set-cookie")).toBeNull();
    expect(publicFeed.headers.get("cache-control")).toBe("public, max-age=300");
    expect(one.text).toContain("BEGIN:VEVENT");
    expect(one.text).not.toContain("METHOD");
  });

  test("answers to any name at its end, and is a file to keep with download=1", async () => {
    const { feed, key } = await followed();
    const renamed = await get(`/f/${key}/another-name.ics?download=1`);
    expect(renamed.text).toBe((await get(feed)).text);
    expect(renamed.headers.get("content-disposition")).toBe('attachment; filename="another-name.ics"');
    const odd = await get(`/f/${key}/${encodeURIComponent('日本"\r\nX: y')}.ics`);
    expect(odd.headers.get("content-disposition")).toBe('inline; filename="calendar.ics"');
    expect((await get(`/f/${key}/.ics`)).status).toBe(200);
  });

  test("is compressed for clients that prefer gzip, and for no others", async () => {
    const { feed } = await followed();
    const plain = (await get(feed)).text;
    for (const accepted of [
      "gzip",
      "br, GZIP;q=0.5",
      "*",
      "deflate, gzip;q=1.0, *;q=0.5",
      "gzip ; q=0.001",
    ]) {
      const response = await fetch(`${server.url}${feed}`, { headers: { "Accept-Encoding": accepted } });
      expect([accepted, response.headers.get("content-encoding")]).toEqual([accepted, "gzip"]);
      expect(await response.text()).toBe(plain);
    }
    const refusals = ["", "identity", "br", "gzip;q=0", "*;q=0", "gzip; q=0.0, *", "gzip;Q=0", "gzip;q=zero"];
    for (const refused of [...refusals, "identity, gzip;q=0.5", ";;;,,q="]) {
      const answer = await get(feed, { "Accept-Encoding": refused });
      expect([refused, answer.headers.get("content-encoding"), answer.text]).toEqual([refused, null, plain]);
    }
  });

  test("is not put off by odd headers: no poll is ever refused for them", async () => {
    const { feed } = await followed();
    const plain = await get(feed);
    for (const headers of [
      { Accept: "application/json" },
      { Accept: "" },
      { Authorization: "Bearer whatever" },
      { Authorization: "Basic %%%" },
      { Range: "bytes=0-10" },
      { Cookie: "a=b" },
      { Origin: "https://elsewhere.example" },
      { "If-None-Match": "rubbish" },
      { "If-None-Match": '"unclosed' },
      { "If-Modified-Since": "yesterday" },
      { "If-Match": "nothing" },
      { "Accept-Encoding": ";;;,,q=" },
      { "User-Agent": "x".repeat(8000) },
      { "X-Forwarded-For": "1.2.3.4, rubbish" },
      { "Sec-Purpose": "prefetch" },
    ]) {
      const answer = await get(feed, headers);
      expect([headers, answer.status, answer.text === plain.text]).toEqual([headers, 200, true]);
    }
  });

  test("answers HEAD as GET without the body", async () => {
    const { feed } = await followed();
    const [head, whole] = [await get(feed, {}, "HEAD"), await get(feed)];
    const comparable = ({ headers }: typeof head) =>
      [...headers].filter(([name]) => !["x-request-id", "date"].includes(name));
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(comparable(head)).toEqual(comparable(whole));
  });

  test("can only be read: every other method gets 405, never 401 or 412", async () => {
    const { feed, anonymous } = await followed();
    for (const path of [feed, anonymous, "/f/unknown/x.ics"]) {
      for (const method of ["PUT", "PROPFIND", "DELETE", "POST", "PATCH", "REPORT", "LOCK", "MKCALENDAR"]) {
        const answer = await get(path, { "If-Match": "nothing" }, method);
        expect([method, answer.status, answer.headers.get("allow")]).toEqual([
          method,
          405,
          "GET, HEAD, OPTIONS",
        ]);
      }
      const options = await get(path, {}, "OPTIONS");
      expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    }
  });

  test("of an unknown key is a 404, of a deleted calendar a 410, in plain words", async () => {
    const { id, feed, anonymous } = await followed();
    for (const path of [
      "/f/AAAAAAAAAAAAAAAAAAAAAA/x.ics",
      "/f/short/x.ics",
      "/c/aaaaaaaaaaaa/x.ics",
      "/f/%00/x.ics",
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
        path,
        404,
        "text/plain; charset=utf-8",
      ]);
    }
    const before = await get(feed);
    await owner.call("deleteCalendar", { calendar_id: id });
    for (const path of [feed, anonymous]) {
      const answer = await get(path, { "If-None-Match": before.headers.get("etag") ?? "" });
      expect([answer.status, answer.text]).toEqual([410, "This calendar was deleted.\n"]);
    }
  });

  test("of a blocked or unfollowed follower is healthy and empty, and full again when let in", async () => {
    const blocked = await followed({ blocked: 1 });
    const left = await followed({ active: 0, unfollowed_at: server.now });
    for (const { feed, anonymous } of [blocked, left]) {
      const answer = await get(feed);
      expect(answer.status).toBe(200);
      const parsed = new ICAL.Component(ICAL.parse(answer.text));
      expect(parsed.getFirstPropertyValue("x-wr-calname")).toBe("Été à la mer");
      expect(parsed.getAllSubcomponents("vevent")).toEqual([]);
      expect(summaries((await get(anonymous)).text)).toEqual(["Swim"]);
    }
    const etag = (await get(blocked.feed)).headers.get("etag") ?? "";
    expect((await get(blocked.feed, { "If-None-Match": etag })).status).toBe(304);
    expect((await get(blocked.feed)).headers.get("last-modified")).toBeNull();
    await server.db.transaction((trx) =>
      trx("subscribers").where({ id: blocked.subscriber }).update({ blocked: 0 }),
    );
    const again = await get(blocked.feed, { "If-None-Match": etag });
    expect([again.status, summaries(again.text)]).toEqual([200, ["Swim"]]);
  });

  test("may be polled by scripts of any site with the ETag that they were given", async () => {
    const { feed } = await followed();
    const origin = { Origin: "https://elsewhere.example" };
    const asked = {
      ...origin,
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": "if-none-match",
    };
    const preflight = await get(feed, asked, "OPTIONS");
    expect(preflight.status).toBe(204);
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-allow-headers": "If-None-Match, If-Modified-Since, Cache-Control",
      "access-control-max-age": "86400",
    });
    const etag = (await get(feed, origin)).headers.get("etag") ?? "";
    const unchanged = await get(feed, { ...origin, "If-None-Match": etag });
    expect([unchanged.status, unchanged.headers.get("access-control-expose-headers")]).toEqual([304, "ETag"]);
  });

  test("is found under .ICS, with a slash at the end, and with letters percent-encoded", async () => {
    const { feed, key, anonymous } = await followed();
    const { text } = await get(feed);
    const encoded = (part: string): string =>
      part.replace(/[A-Za-z0-9.]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    for (const path of [
      feed.replace(".ics", ".ICS"),
      feed.replace(".ics", ".iCs?download=1"),
      `${feed}/`,
      `${feed}/?x=1`,
      `/f/${encoded(key)}/x.ics`,
      `/${encoded("f")}/${key}/x%2E%69CS/`,
      encoded(anonymous),
    ]) {
      const answer = await get(path);
      expect([path, answer.status, answer.text === text]).toEqual([path, 200, true]);
    }
    for (const path of [`${feed}//`, feed.slice(0, -1), `/f/${key}%2Fx.ics`])
      expect([path, (await get(path)).headers.get("content-type")]).not.toEqual([
        path,
        "text/calendar; charset=utf-8",
      ]);
  });

  test("has a name in the script of its calendar, in the address and as a file", async () => {
    for (const calendarname of ["日本の祝日", "تقويم", "Москва"]) {
      const { uniquekey } = (await owner.call("createCalendar", { title: calendarname, timezone: "UTC" }))
        .body.calendar;
      const page = (await get(`/c/${uniquekey}`)).text;
      const name = encodeURIComponent(calendarname.toLowerCase());
      expect(page).toContain(`/c/${uniquekey}/${name}.ics`);
      const answer = await get(`/c/${uniquekey}/${name}.ics?download=1`);
      expect([answer.status, answer.headers.get("content-disposition")]).toEqual([
        200,
        `attachment; filename="calendar.ics"; filename*=UTF-8''${name}.ics`,
      ]);
    }
    const { feed } = await followed();
    for (const odd of ["%E6%97", "%22%0D%0A", "a%20b", "%zz"])
      expect((await get(feed.replace(/[^/]*$/, `${odd}.ics`))).headers.get("content-disposition")).toBe(
        'inline; filename="calendar.ics"',
      );
  });

  test("leaves no key in the log", async () => {
    const { feed, key } = await followed();
    const before = server.logLines.length;
    await get(feed);
    const line = expect.objectContaining({ operation: "feed", status: 200, method: "GET" });
    await expect.poll(() => server.logLines.slice(before)).toContainEqual(line);
    expect(server.logText()).not.toContain(key);
  });
});

describe("an app learns of every change", () => {
  test("by the ETag, on the request after the commit; without a change it stays", async () => {
    const { id, feed } = await followed();
    const etag = async () => (await get(feed)).headers.get("etag") ?? "";
    const seen = [await etag()];
    const { id: made } = (await event(id, { title: "Sail" })).body.event;
    seen.push(await etag());
    await owner.call("saveEvent", { event_id: String(made), title: "Row", start_date: "07/05/2026 10:00" });
    seen.push(await etag());
    await owner.call("saveCalendar", { calendar_id: id, title: "Sea", timezone: "Europe/Paris" });
    seen.push(await etag());
    await owner.call("deleteEvent", { event_id: String(made) });
    seen.push(await etag());
    expect(new Set(seen).size).toBe(5);
    for (const tag of seen) expect(tag).toMatch(/^W\/"[^"]+"$/);
    expect(await etag()).toBe(seen[4]);
    server.now += 86_400 * 40;
    expect(await etag()).toBe(seen[4]);
    const [changed] = [await get(feed, { "If-None-Match": seen[3] ?? "" })];
    expect([changed.status, summaries(changed.text)]).toEqual([200, ["Swim"]]);
  });

  test("If-None-Match is compared weakly, in lists, and before If-Modified-Since", async () => {
    const { feed } = await followed();
    server.now += 10;
    const { headers } = await get(feed);
    const tag = headers.get("etag") ?? "";
    const opaque = tag.slice(2);
    const date = headers.get("last-modified") ?? "";
    const table: readonly [Record<string, string>, number][] = [
      [{ "If-None-Match": tag }, 304],
      [{ "If-None-Match": opaque }, 304],
      [{ "If-None-Match": `"other", W/"more", ${tag}` }, 304],
      [{ "If-None-Match": `"a,b",${opaque}` }, 304],
      [{ "If-None-Match": "*" }, 304],
      [{ "If-None-Match": '"other"' }, 200],
      [{ "If-None-Match": opaque.slice(1, -1) }, 200],
      [{ "If-None-Match": `${tag} ,"other"` }, 304],
      [{ "If-None-Match": "", "If-Modified-Since": date }, 200],
      [{ "If-None-Match": '"other"', "If-Modified-Since": date }, 200],
      [{ "If-Modified-Since": date }, 304],
      [{ "If-Modified-Since": new Date((server.now + 99) * 1000).toUTCString() }, 200], // not a date that was sent
      [{ "If-Modified-Since": new Date(Date.parse(date) - 1000).toUTCString() }, 200],
      [{ "If-Modified-Since": "0" }, 200],
    ];
    for (const [sent, status] of table) {
      const answer = await get(feed, sent);
      expect([sent, answer.status]).toEqual([sent, status]);
      expect(answer.headers.get("etag")).toBe(tag);
      if (status === 304) expect([answer.text, answer.headers.get("content-length")]).toEqual(["", null]);
    }
  });

  test("a reload gets a 304 too: no-cache asks for a validated response, and a 304 is one (RFC 9111 5.2.1.4)", async () => {
    const { feed } = await followed();
    server.now += 10;
    const { headers } = await get(feed);
    const reload = { "Cache-Control": "no-cache", Pragma: "no-cache" };
    const tag = { "If-None-Match": headers.get("etag") ?? "" };
    const date = { "If-Modified-Since": headers.get("last-modified") ?? "" };
    for (const known of [tag, date]) expect((await get(feed, { ...known, ...reload })).status).toBe(304);
    expect((await get(feed, reload)).status).toBe(200);
  });

  test("If-Modified-Since is read in each form of an HTTP date, all in UTC; anything else is ignored", async () => {
    const { feed } = await followed();
    server.now += 10;
    const last = Date.parse((await get(feed)).headers.get("last-modified") ?? "");
    const earlier = last - 1000;
    const table = [
      [fixdate(last), 304],
      [rfc850(last), 304],
      [asctime(last), 304],
      [fixdate(earlier), 200],
      [rfc850(earlier), 200],
      [asctime(earlier), 200],
      ["Sun Nov  6 08:49:37 2994", 200],
      [`${asctime(last)} +0000`, 200],
      [new Date(last).toISOString(), 200],
      [fixdate(last).replace("GMT", "UTC"), 200],
      [fixdate(last).replace("GMT", "+0000"), 200],
      ["Tue, 99 Jan 2999 00:00:00 GMT", 200],
      ["Tue, 01 Foo 2999 00:00:00 GMT", 200],
    ] as const;
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Tokyo"; // asctime names no zone: a server's own must not be taken
    try {
      for (const [since, status] of table)
        expect([since, (await get(feed, { "If-Modified-Since": since })).status]).toEqual([since, status]);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  test("a feed without Last-Modified never answers 304 to a date", async () => {
    const { feed } = await followed({ blocked: 1 });
    const headers = { "If-Modified-Since": "Fri, 01 Jan 2999 00:00:00 GMT" };
    expect((await get(feed, headers)).status).toBe(200);
  });

  test("by the date alone too: it never goes back, and two changes in one second are told apart", async () => {
    const { id, feed } = await followed();
    let last = 0;
    const poll = async () => {
      const { headers, status } = await get(feed, {
        "If-Modified-Since": new Date(last * 1000).toUTCString(),
      });
      const date = Date.parse(headers.get("last-modified") ?? "") / 1000;
      expect(date).toBeGreaterThanOrEqual(last);
      last = date;
      return status;
    };
    server.now += 1; // the calendar and its event are two changes of one second
    expect(await poll()).toBe(200);
    expect(await poll()).toBe(304);
    const { id: made } = (await event(id)).body.event; // in the same second as that poll
    server.now += 1;
    expect(await poll()).toBe(200);
    server.now += 1;
    await owner.call("deleteEvent", { event_id: String(made) });
    expect(await poll()).toBe(200);
    server.now += 5;
    expect(await poll()).toBe(304);
  });

  test("by the date alone, also of a write that waited while the feed was polled, and of one after the clock was set back", async () => {
    const { id, feed } = await followed();
    const start = server.now;
    const dates: string[] = [];
    // Each write takes its time when its request begins. The second has that of the first: it waited, or the clock was set back.
    for (const writtenAt of [start, start, start - 1, start - 100, start + 5, start + 5]) {
      server.now = writtenAt;
      await event(id);
      server.now = start + 20;
      const [since] = dates.slice(-1);
      const answer = await get(feed, since === undefined ? {} : { "If-Modified-Since": since });
      expect([writtenAt - start, answer.status]).toEqual([writtenAt - start, 200]);
      dates.push(answer.headers.get("last-modified") ?? "");
      const repeated = await get(feed, { "If-Modified-Since": dates.at(-1) ?? "" });
      expect(repeated.status).toBe(304);
    }
    expect(new Set(dates).size).toBe(6);
  });

  test("by the date alone, when the clock was far ahead: no Last-Modified is in the future, and every change is a 200", async () => {
    const { id, feed } = await followed();
    server.now += 1e8;
    await event(id);
    const ahead = (await get(feed)).headers.get("last-modified") ?? "";
    expect((await get(feed, { "If-Modified-Since": ahead })).status).toBe(304);
    server.now -= 1e8;
    expect((await get(feed)).headers.get("last-modified")).toBeNull();
    for (let change = 0; change < 3; change++) {
      await event(id);
      const answer = await get(feed, { "If-Modified-Since": ahead });
      expect([answer.status, answer.headers.get("last-modified")]).toEqual([200, null]);
      const etag = answer.headers.get("etag") ?? "";
      expect((await get(feed, { "If-None-Match": etag })).status).toBe(304);
    }
  });
});

describe("a feed's request names one host, as every request", () => {
  const hosts = [
    ["none", "", 400],
    ["two", "Host: a.example\r\nHost: b.example\r\n", 400],
    ["the same twice", "Host: a.example\r\nhost: a.example\r\n", 400],
    ["an empty one", "Host: \r\n", 400],
    ["something else", "Host: a.example/x?y\r\n", 400],
    ["a port above 65535", "Host: a.example:99999\r\n", 400],
    ["no address", "Host: 1.2.3.999\r\n", 400],
    ["one", "Host: a.example\r\n", 200],
  ] as const;
  for (const [name, head, status] of hosts) {
    test(`${name}: ${status}`, async () => {
      const { feed } = await calendar();
      const answer = await sendBytes(server, `GET ${feed} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`);
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
    });
  }

  test("HTTP/1.0 needs none", async () => {
    const { feed } = await calendar();
    expect((await sendBytes(server, `GET ${feed} HTTP/1.0\r\n\r\n`)).status).toBe(200);
  });
});

test("the ETag shows neither the calendar's id nor how often it was changed", async () => {
  const { id, feed } = await calendar();
  const tags: string[] = [];
  for (let change = 0; change < 5; change++) {
    await owner.call("createEvent", { calendar_id: id, title: "One", start_date: "07/03/2026 10:00" });
    tags.push((await get(feed)).headers.get("etag") ?? "");
  }
  expect(new Set(tags).size).toBe(5);
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
});
