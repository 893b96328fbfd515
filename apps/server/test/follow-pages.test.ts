import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { CalendarRow } from "../src/db/rows.js";
import { hashFollowerKey, newFollowerKey } from "../src/followers/subscribe.js";
import { insertSubscriber } from "../src/followers/subscriber-queries.js";
import { exchange } from "./calls.js";
import { onPostgres } from "./databases.js";
import { type Answer, startTestServer, type TestAccount, testServer, type TestServer } from "./harness.js";

// The pages that people see (rulings R5.1).

const server = await testServer({ PUBLIC_URL: "https://calendars.example.com" });
const owner = await server.account();

async function newCalendar(
  fields: Readonly<Record<string, string>> = {},
  account: TestAccount = owner,
): Promise<{ readonly id: string; readonly page: string }> {
  const made = await account.call("createCalendar", {
    title: "Concerts",
    timezone: "Europe/Berlin",
    ...fields,
  });
  return { id: made.body.calendar.id, page: `/c/${made.body.calendar.uniquekey}` };
}

async function newEvent(calendar_id: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const { status } = await owner.call("createEvent", { calendar_id, title: "Opening night", ...fields });
  expect(status).toBe(200);
}

const change = (id: string, columns: Partial<CalendarRow>): Promise<unknown> =>
  server.db.transaction((trx) => trx("calendars").where({ id }).update(columns));

const android = "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36";

const inLanguage = (language: string): RequestInit => ({ headers: { "Accept-Language": language } });

/** The texts of the elements that the pattern opens, without markup. */
function texts(page: string, opening: RegExp): readonly string[] {
  const found = page.matchAll(new RegExp(`<(${opening.source})[^>]*>([\\s\\S]*?)</\\1>`, "g"));
  return [...found].map(({ 2: inner = "" }) =>
    inner
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
}

const isPage = ({ headers, text }: Pick<Answer, "headers" | "text">): boolean =>
  headers.get("Content-Type") === "text/html; charset=utf-8" && text.startsWith("<!doctype html>");

const follower = async (calendar: { readonly id: string }, columns: object = {}): Promise<string> => {
  const key = newFollowerKey();
  const location = { postal: null, city: null, state: null, country: null };
  const person = { name: "", email: "", ip: "", calendar_type: "google", active: 1, blocked: 0, ...location };
  await server.db.transaction((trx) =>
    insertSubscriber(trx, {
      ...person,
      account_id: owner.id,
      calendar_id: Number(calendar.id),
      subscribed_at: server.now,
      key_hash: hashFollowerKey(key),
      ...columns,
    }),
  );
  return key;
};

describe("headers", () => {
  const secure = {
    "Content-Security-Policy":
      "default-src 'none';style-src 'self';script-src 'self';img-src 'self';form-action 'self';base-uri 'none';object-src 'none';frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    // Not no-referrer: then browsers send "Origin: null" with our own forms (public/form.ts).
    "Referrer-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "X-Robots-Tag": "noindex",
    "Access-Control-Allow-Origin": null,
    "X-Powered-By": null,
    "Set-Cookie": null,
  };
  const headersOf = ({ headers }: Pick<Answer, "headers">): object =>
    Object.fromEntries(Object.keys(secure).map((name) => [name, headers.get(name)]));

  test("every page and every error under the public paths is protected, and none of them is JSON", async () => {
    const { id, page } = await newCalendar();
    const gone = await newCalendar();
    await owner.call("deleteCalendar", { calendar_id: gone.id });
    const key = await follower({ id });
    const cases: readonly (readonly [status: number, path: string, init?: RequestInit])[] = [
      [200, page],
      [200, `${page}/`],
      [200, `${page}/embed`],
      [200, `/f/${key}`],
      [400, `${page}?month=2026-13`],
      [400, "/c/%zz"],
      [400, "/f/%FF"],
      [404, "/c/aaaaaaaaaaaa"],
      [404, "/c/AAAA"],
      [404, "/c/a%00b"],
      [404, "/c/"],
      [404, "/c"],
      [404, "/f/short"],
      [404, `/f/${newFollowerKey()}`],
      [404, `${page}/embed/more`],
      [404, "/assets/none.css"],
      [405, page, { method: "PUT" }],
      [405, `/f/${key}`, { method: "DELETE" }],
      [410, gone.page],
      [410, `${gone.page}/embed`],
    ];
    for (const [status, path, init] of cases) {
      const answer = await server.request(path, init);
      const policy = secure["Content-Security-Policy"];
      const expected =
        path === `${page}/embed` // its list reads the events
          ? { ...secure, "Content-Security-Policy": `${policy};connect-src 'self';frame-src 'self'` }
          : secure;
      expect([path, answer.status, isPage(answer), headersOf(answer)]).toEqual([
        path,
        status,
        true,
        expected,
      ]);
    }
  });

  test("without an https PUBLIC_URL there is no Strict-Transport-Security", async () => {
    const plain = await startTestServer();
    const answer = await plain.request("/c/aaaaaaaaaaaa");
    expect(answer.headers.get("Strict-Transport-Security")).toBeNull();
    await plain.stop();
  });

  test("a follow page may be kept for a minute in each language; a visitor who has it gets 304", async () => {
    const { page } = await newCalendar();
    const first = await server.request(page);
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=60");
    expect(first.headers.get("Vary")).toBe("User-Agent, Accept-Language, Accept-Encoding");
    const known = { "If-None-Match": first.headers.get("ETag") ?? "" };
    const again = await exchange(server, page, { headers: known });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(headersOf(again)).toEqual(secure);
    expect((await exchange(server, page, { headers: { ...known, "Accept-Language": "de" } })).status).toBe(
      200,
    );
  });

  test("a page, its stylesheets and its script are compressed for who says that it reads gzip: 30 kB at the first visit", async () => {
    const { id, page } = await newCalendar({ description: "x ".repeat(300) });
    const weekly = { start_date: "2026-07-06T17:00", rrule: "FREQ=WEEKLY;COUNT=40" };
    await owner.call("eventsSeriesCreate", { calendar_id: id, title: "Training", ...weekly });
    const { text } = await server.request(page);
    let sum = 0;
    for (const path of [page, ...(text.match(/\/assets\/[\w.-]+\.(?:css|js)/g) ?? [])]) {
      const [plain, zipped] = await Promise.all(
        ["identity", "gzip"].map((encoding) =>
          exchange(server, path, { headers: { "Accept-Encoding": encoding } }),
        ),
      );
      expect([path, plain?.headers.get("Content-Encoding"), zipped?.headers.get("Content-Encoding")]).toEqual(
        [path, null, "gzip"],
      );
      expect(zipped?.headers.get("ETag")).not.toBe(plain?.headers.get("ETag"));
      expect(zipped?.headers.get("Vary")).toContain("Accept-Encoding");
      const known = { "Accept-Encoding": "gzip", "If-None-Match": zipped?.headers.get("ETag") ?? "" };
      expect((await exchange(server, path, { headers: known })).status).toBe(304);
      sum += Number(zipped?.headers.get("Content-Length"));
    }
    expect(sum).toBeGreaterThan(5_000);
    expect(sum).toBeLessThan(16_000);
  });

  test("HEAD returns the headers of GET; other methods get 405 with Allow", async () => {
    const { page } = await newCalendar();
    const [get, head] = [await server.request(page), await server.request(page, { method: "HEAD" })];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["Content-Length", "Content-Type", "ETag", "Vary"])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const refused = await server.request(page, { method });
      expect([method, refused.status, refused.headers.get("Allow")]).toEqual([method, 405, "GET, HEAD"]);
    }
  });
});

describe("the look of an account", () => {
  const logo = "0123456789abcdef0123456789abcdef";
  const themedPaths = async (account: TestAccount) => {
    const { id, page } = await newCalendar({}, account);
    const { event } = (
      await account.call("createEvent", { calendar_id: id, title: "Gone", start_date: "07/03/2027 10:00" })
    ).body;
    await account.call("deleteEvent", { event_id: event.id });
    const made = await account.call("createEvent", {
      calendar_id: id,
      title: "Kept",
      start_date: "07/04/2027 10:00",
    });
    const key = await follower({ id }, { account_id: account.id });
    return [
      page,
      `${page}/embed`,
      `${page}/e/${made.body.event.uid}`,
      `/f/${key}`,
      `${page}/e/${event.uid}`,
      `${page}?month=1`,
    ];
  };

  test("is on each of its pages, errors too: name, logo, accent, imprint, privacy, and no other colour across them", async () => {
    const account = await server.account();
    await server.db.transaction((trx) =>
      trx("accounts").where({ id: account.id }).update({
        name: "Sängerbund <1861>",
        accent: "#f2e6a0",
        website: "https://club.example/",
        imprint_url: "https://club.example/imprint",
        privacy_url: "https://club.example/privacy",
        logo_id: logo,
        logo_alt: "A lyre",
      }),
    );
    for (const path of await themedPaths(account)) {
      const { text } = await server.request(path, inLanguage("de"));
      expect.soft(text, path).toContain('<span dir="auto">Sängerbund &lt;1861&gt;</span>');
      expect.soft(text, path).toContain('href="/assets/accent-f2e6a0.css"');
      expect
        .soft(text, path)
        .toMatch(new RegExp(`src="/p/${logo}-640.webp"[^>]* srcset="[^"]* 1280w"[^>]* alt="A lyre"`));
      expect
        .soft(text, path)
        .toContain('<a href="https://club.example/imprint" rel="noopener">Impressum</a>');
      expect
        .soft(text, path)
        .toContain('<a href="https://club.example/privacy" rel="noopener">Datenschutz</a>');
      expect.soft(text, path).not.toContain('class="band"');
    }
  });

  test("is that of the console where none was chosen, and on pages of no account", async () => {
    const account = await server.account();
    const [page = ""] = await themedPaths(account);
    for (const path of [page, "/c/aaaaaaaaaaaa"])
      expect((await server.request(path)).text).toContain('href="/assets/accent-17594f.css"');
    expect((await server.request(page)).text).not.toContain("Imprint");
    expect((await server.request("/c/aaaaaaaaaaaa")).text).not.toContain('class="masthead"');
  });
});

describe("search engines", () => {
  test("a calendar's page is kept out until it is made public to search", async () => {
    const { id, page } = await newCalendar();
    const hidden = await server.request(page);
    expect(hidden.headers.get("X-Robots-Tag")).toBe("noindex");
    expect(hidden.text).toContain('<meta name="robots" content="noindex" />');
    await change(id, { searchable: 1 });
    const shown = await server.request(page);
    expect(shown.headers.get("X-Robots-Tag")).toBeNull();
    expect(shown.text).not.toContain("noindex");
    expect((await server.request(`${page}/embed`)).headers.get("X-Robots-Tag")).toBe("noindex");
  });

  test("a page has its canonical URL and the data for link previews", async () => {
    const { page } = await newCalendar({ title: 'Jazz & "Blues"', description: "Every\r\nFriday" });
    const { text } = await server.request(`${page}?utm_source=mail`);
    const address = `https://calendars.example.com${page}`;
    expect(text).toContain(`<link rel="canonical" href="${address}" />`);
    expect(text).toContain('<meta property="og:title" content="Jazz &amp; &quot;Blues&quot;" />');
    expect(text).toContain('<meta property="og:description" content="Every Friday" />');
    expect(text).toContain(`<meta property="og:url" content="${address}" />`);
    expect(text).toContain('<meta property="og:type" content="website" />');
    const image = /og:image" content="https:\/\/calendars\.example\.com([^"]+)"/.exec(text)?.[1] ?? "";
    expect((await server.request(image)).headers.get("Content-Type")).toBe("image/png");
  });

  test("robots.txt allows all robots: calendar apps obey it too", async () => {
    const { status, text } = await server.request("/robots.txt");
    expect([status, text]).toEqual([200, "User-agent: *\nDisallow:\n"]);
  });
});

describe("the contents of the follow page", () => {
  test("the number of followers, with separate texts for none and one", async () => {
    const { id, page } = await newCalendar();
    const countText = async (followers_active: number, language: string): Promise<string | undefined> => {
      await change(id, { followers_active });
      const { text } = await server.request(page, inLanguage(language));
      return /<p class="followers">([^<]*)</.exec(text)?.[1];
    };
    expect(await countText(0, "en")).toBe("No followers yet. Be the first.");
    expect(await countText(1, "en")).toBe("1 person follows");
    expect(await countText(2, "en")).toBe("2 people follow");
    expect(await countText(12_345, "en")).toBe("12,345 people follow");
    expect(await countText(1, "de")).toBe("1 Person folgt");
    expect(await countText(12_345, "de")).toBe("12.345 Personen folgen");
    expect(await countText(0, "fr")).toMatch(/^Personne/);
    expect(await countText(2, "es")).toBe("2 personas lo siguen");
  });

  test("the name only when it differs from the title, and a description only when there is one", async () => {
    const plain = await server.request((await newCalendar()).page);
    expect(plain.text).not.toContain('class="calendarname"');
    expect(plain.text).not.toContain('class="text"');
    const { page } = await newCalendar({
      calendarname: "Season",
      description: "One\nTwo http://a.example/x?y=1&z.",
    });
    const { text } = await server.request(page);
    expect(text).toContain('<p class="calendarname" dir="auto">Season</p>');
    expect(text).toContain(
      'One\nTwo <a href="http://a.example/x?y=1&amp;z" rel="noopener noreferrer nofollow ugc">http://a.example/x?y=1&amp;z</a>.',
    );
  });

  test("that nothing is planned, when nothing is", async () => {
    const { text } = await server.request((await newCalendar()).page);
    expect(text).toContain("Nothing is planned at present.");
  });

  test("one button for the visitor's platform, and the other apps folded, its second one first", async () => {
    const { page } = await newCalendar();
    const agents = [
      ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15", ["apple", "google"]],
      ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36", ["apple", "google"]],
      ["Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36", ["google", "outlookcom"]],
      ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36", ["outlookcom", "google"]],
      ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36", ["google", "apple"]],
    ] as const;
    for (const [agent, first] of agents) {
      const { text } = await server.request(page, { headers: { "User-Agent": agent } });
      const [shown = "", folded = ""] = text.split('<details class="more-apps">');
      const appsOf = (part: string) => [...part.matchAll(/name="app" value="(\w+)"/g)].map(([, app]) => app);
      const [others = "", later = ""] = folded.split('<details class="about-you">');
      expect([agent, ...appsOf(shown), appsOf(others)[0]]).toEqual([agent, ...first]);
      expect([appsOf(others).length, appsOf(later)]).toEqual([6, appsOf(shown)]);
    }
  });

  test("on Android that Google needs a computer, in four languages; elsewhere that it opens a browser", async () => {
    const { page } = await newCalendar();
    const about = async (agent: string, language: string): Promise<string | undefined> => {
      const headers = { "User-Agent": agent, "Accept-Language": language };
      return /id="about-google">([^<]+)</.exec((await server.request(page, { headers })).text)?.[1];
    };
    expect(await about(android, "en")).toMatch(/^Needs a computer once: on Android, .* Updates every/);
    expect(await about(android, "de")).toMatch(/^Braucht einmal einen Computer: Auf Android /);
    expect(await about(android, "fr")).toMatch(/^Un ordinateur est nécessaire une fois\u00a0: sur Android, /);
    expect(await about(android, "es")).toMatch(/^Hace falta un ordenador una vez: en Android, /);
    expect(await about("Mozilla/5.0 (X11; Linux x86_64)", "en")).toMatch(/^Opens Google in the browser/);
    const { text } = await server.request(page, { headers: { "User-Agent": android } });
    expect(text).toMatch(/Without a computer: .*ICSx⁵.* <a href="#next-title">See the events<\/a>/);
  });

  test("every app with what happens next and how often it updates, in one form", async () => {
    const { page } = await newCalendar();
    const { text } = await server.request(page);
    expect(text).toContain(`<form method="post" action="${page}/follow">`);
    const apps = [...text.matchAll(/name="app" value="(\w+)"/g)].map(([, app]) => app);
    expect(apps).toEqual([
      "google",
      "apple",
      "outlookcom",
      "office365",
      "outlook",
      "yahoo",
      "ical",
      "google",
    ]);
    const about = [...text.matchAll(/id="about-\w+">([^<]+)</g)].map(([, words]) => words);
    expect(about.length).toBe(7);
    for (const words of about) expect(words).toMatch(/^(Opens|You copy) .*\. .*(Updates|how often)/);
  });

  test("what is next at the top, with its date and place; one that is cancelled does not count", async () => {
    const { id, page } = await newCalendar();
    const off = { title: "Off", start_date: "2026-07-03T10:00", status: "cancelled" };
    await owner.call("eventsCreate", { calendar_id: id, ...off });
    await newEvent(id, { title: "On", start_date: "07/04/2026 19:30", location: "Main hall" });
    const [next = ""] = /<a class="up-next"[^]*?<\/a/.exec((await server.request(page)).text) ?? [];
    expect(next.replace(/<[^>]*>|\s+/g, " ")).toMatch(/4 .*Next .*On .*Sat.* 7:30.* Main hall/);
    expect(next).not.toContain("Off");
  });

  test("every date of a series of a year: four in its line, with how many more, and all of them as links", async () => {
    const { id, page } = await newCalendar();
    const weekly = { start_date: "2026-07-06T17:00", rrule: "FREQ=WEEKLY;COUNT=40" };
    await owner.call("eventsSeriesCreate", { calendar_id: id, title: "Training", ...weekly });
    const { text } = await server.request(page, inLanguage("en-GB"));
    expect(text).toMatch(/class="also"\s*>Also on: 13.Jul · 20.Jul · 27.Jul · 3.Aug and 35 more</);
    const [dates = ""] = /<ul class="dates">[^]*?<\/ul>/.exec(text) ?? [];
    expect(dates.match(/<a href="/g)).toHaveLength(39);
    expect(Buffer.byteLength(text)).toBeLessThan(30_000);
    await owner.call("eventsSeriesCreate", { calendar_id: id, title: "Choir", ...weekly });
    const more = (await server.request(page, inLanguage("de"))).text;
    expect(more).toMatch(/3\..Aug\.? und weitere/); // no one has counted them
    expect(more).toContain("Weitere Termine, ab");
  });

  test("an event of several days is one bar of the month: begun once, ended once, on one line", async () => {
    const { id, page } = await newCalendar();
    await newEvent(id, { title: "Camp", start_date: "2026-07-10T18:00", end_date: "2026-07-12T14:00" });
    await newEvent(id, {
      title: "Tour",
      start_date: "2026-07-11",
      end_date: "2026-07-14",
      all_day_event: "true",
    });
    await newEvent(id, { title: "Talk", start_date: "2026-07-11T20:00" });
    const { text } = await server.request(`${page}?month=2026-07`);
    const days = [
      ...text.matchAll(
        /<a class="day"[^>]*>(\d+)(?:<span class="bars">(.*?)<\/span>)?<span class="dots">(.*?)<\/span>/g,
      ),
    ];
    const lines = days.map(([, day, bars = "", dots = ""]) => {
      const drawn = [...bars.matchAll(/class="bar([^"]*)"/g)].map(([, names = ""]) =>
        names.replace(" plain", "-").trim(),
      );
      return [day, drawn.join("|"), dots.match(/<i/g)?.length ?? 0];
    });
    expect(lines).toEqual([
      ["10", "- from", 0],
      ["11", "-|- from", 1],
      ["12", "- to|-", 0],
      ["13", "|-", 0],
      ["14", "|- to", 0],
    ]);
  });

  test("a download with the note that it does not update, and an address that creates no subscriber", async () => {
    const { id, page } = await newCalendar({ calendarname: "Été" });
    expect((await server.request(page)).text).not.toContain("Download"); // there is nothing yet
    await newEvent(id, { title: "One", start_date: "07/03/2026 10:00" });
    const { text } = await server.request(page);
    expect(text).toContain(`href="${page}/ete.ics?download=1"`);
    expect(text).toContain("A copy that will not update.");
    expect(text).toContain(`value="https://calendars.example.com${page}/ete.ics"`);
    const feed = await server.request(`${page}/ete.ics?download=1`);
    expect([feed.status, feed.headers.get("Content-Type")]).toEqual([200, "text/calendar; charset=utf-8"]);
  });

  test("that one's data is deleted, after deleting it", async () => {
    const { page } = await newCalendar();
    expect((await server.request(`${page}?left=1`)).text).toContain("Your data is deleted.");
    expect((await server.request(page)).text).not.toContain("Your data is deleted.");
  });

  test("a month of events, each with a link to its page, stays below 30 kB and takes three queries beside the prepared ones", async () => {
    const { id, page } = await newCalendar({ description: "x ".repeat(300) });
    for (let day = 3; day < 28; day++) {
      const start_date = `07/${String(day).padStart(2, "0")}/2026 19:30`;
      await newEvent(id, { start_date, title: "An evening of music", location: "Main hall", color_id: "3" });
    }
    const counts: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      let queries = 0;
      const count = () => void queries++;
      server.db.read.on("query", count);
      const { text } = await server.request(page);
      server.db.read.removeListener("query", count);
      expect(Buffer.byteLength(text)).toBeLessThan(30_000);
      counts.push(queries);
    }
    expect(Math.min(...counts)).toBe(3); // every few seconds the server writes which tokens were used
  });
});

test("with FOLLOWER_COUNT=off no page says how many follow, nor that none does", async () => {
  const quiet = await startTestServer({ FOLLOWER_COUNT: "off" });
  const account = await quiet.account();
  const made = await account.call("createCalendar", { title: "Quiet", timezone: "UTC" });
  const { text } = await quiet.request(`/c/${made.body.calendar.uniquekey}`);
  expect(text).toContain("Follow this calendar");
  expect(text).not.toMatch(/class="followers"|No followers yet/);
  await quiet.stop();
});

describe("a follower's own page", () => {
  const address = (text: string): string => /id="feed"\s+type="text"\s+value="([^"]+)"/.exec(text)?.[1] ?? "";

  test("shows the feed's address and the links of the chosen app first, and is never kept", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar);
    const { text, headers } = await server.request(`/f/${key}`);
    expect(headers.get("Cache-Control")).toBe("no-store");
    const feed = `https://calendars.example.com/f/${key}/concerts.ics`;
    expect(address(text)).toBe(feed);
    const links = [...text.matchAll(/<a class="button[^"]*" href="([^"]+)"/g)].map(([, href = ""]) =>
      href.replaceAll("&amp;", "&"),
    );
    const webcal = feed.replace("https:", "webcal:");
    expect(links).toEqual([
      `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcal)}`,
      "https://calendar.google.com/calendar/u/0/r/settings/addbyurl",
      webcal,
      `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(feed)}&name=Concerts`,
      `https://outlook.office.com/calendar/0/addfromweb?url=${encodeURIComponent(feed)}&name=Concerts`,
      webcal,
      "https://calendar.yahoo.com/",
      webcal,
    ]);
    expect(text).toContain(`<form method="post" action="/f/${key}/unfollow">`);
    expect(text).toContain(`<form method="post" action="/f/${key}/delete">`);
    expect(server.logText()).not.toContain(key);
  });

  test("on Android does not offer Google's link, which fails there, but a computer, another app, and single events", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar);
    for (const [language, heading] of [
      ["en", "Google on Android needs a computer once"],
      ["de", "Google auf Android braucht einmal einen Computer"],
      ["fr", "Google sur Android : un ordinateur est nécessaire une fois"],
      ["es", "Google en Android necesita un ordenador una vez"],
    ] as const) {
      const headers = { "User-Agent": android, "Accept-Language": language };
      const { text } = await server.request(`/f/${key}`, { headers });
      const [card = ""] = /<section class="card"[^]*?<\/section>/.exec(text) ?? [];
      expect(texts(card, /h3/)).toContain(heading);
      expect(card).toContain("calendar.google.com");
      expect(text).not.toContain('href="https://calendar.google.com');
      const links = [...card.matchAll(/<a class="button quiet" href="([^"]+)"/g)].map(([, href]) => href);
      expect(links).toEqual([
        `webcal://calendars.example.com/f/${key}/concerts.ics`,
        `${calendar.page}#next-title`,
      ]);
      expect(card).toMatch(/id="feed"[^]*<ol class="steps">/);
    }
  });

  test("after unfollowing it offers to follow again and shows no feed", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar, { active: 0, unfollowed_at: server.now });
    const { status, text } = await server.request(`/f/${key}`);
    expect([status, address(text)]).toEqual([200, ""]);
    expect(text).toContain(`<a class="button" href="${calendar.page}">Follow again</a>`);
    expect(text).not.toContain("/unfollow");
    expect(text).toContain("/delete");
  });

  test("a blocked follower reads only that the feed is empty at present", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar, { blocked: 1 });
    const { text } = await server.request(`/f/${key}`);
    expect(text).toContain("Your feed has no events at present.");
    expect(text).not.toMatch(/block/i);
  });

  test("ends with its calendar", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar);
    await owner.call("deleteCalendar", { calendar_id: calendar.id });
    const { status, text } = await server.request(`/f/${key}`);
    expect([status, text.includes(`action="/f/${key}/delete"`)]).toEqual([410, true]);
  });

  test("of a deleted calendar deletes the person's data at once, so that it does not come back with the calendar", async () => {
    const calendar = await newCalendar();
    const [key, kept] = [await follower(calendar, { name: "Ada" }), await follower(calendar)];
    await owner.call("deleteCalendar", { calendar_id: calendar.id });
    const deleted = await server.request(`/f/${key}/delete`, { method: "POST" });
    expect(deleted.text).toContain("Your data is deleted.");
    const names = () => server.db.read("subscribers").where({ calendar_id: calendar.id }).pluck("name");
    expect(await names()).toHaveLength(1);
    expect((await server.request(`/f/${key}`)).status).toBe(404);
    const restored = await owner.call("calendarsRestore", { calendar_id: calendar.id });
    expect(restored.body.calendar.followers_total).toBe(1);
    expect((await server.request(`/f/${kept}`)).status).toBe(200);
  });
});

test("the embed page shows code that leads to the calendar's page, as text", async () => {
  const { page } = await newCalendar({ title: "Rock & <Roll>" });
  const { text } = await server.request(`${page}/embed`);
  const codes = texts(text, /code/).map((code) =>
    code
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&")
      .replaceAll(" >", ">"),
  );
  const address = `https://calendars.example.com${page}`;
  const script = (name: string) =>
    `<script type="module" src="https://calendars.example.com/assets/kalends-${name}.js"></script>`;
  const title = "Rock &amp; &lt;Roll&gt;";
  const frame = (query: string, height: number) =>
    `<iframe src="${address}/frame${query}" title="${title}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`;
  expect(codes).toEqual([
    frame("", 560),
    frame("?view=month", 760),
    script("frame"),
    `${script("follow")} <kalends-follow calendar="${address}"><a href="${address}">Follow “${title}”</a></kalends-follow>`,
    expect.stringMatching(new RegExp(`^<a href="${address}" style="[^"<]+">Follow “${title}”</a>$`)),
    `${script("events")} <kalends-events calendar="${address}" limit="5"><a href="${address}">${title}</a></kalends-events>`,
    "kalends-events { display: block; min-height: calc(4.25em * 5); }",
  ]);
});

describe("files", () => {
  test("files with a version in their name are cached for ever; others are revalidated", async () => {
    const { text } = await server.request((await newCalendar()).page);
    const versioned = new Set(text.match(/\/assets\/[\w.-]+/g));
    expect(versioned.size).toBe(6);
    for (const path of versioned) {
      const file = await server.request(path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
      expect(file.headers.get("Access-Control-Allow-Origin")).toBeNull();
      const known = { headers: { "If-None-Match": file.headers.get("ETag") ?? "" } };
      expect((await exchange(server, path, known)).status).toBe(304);
    }
    const icon = await server.request("/favicon.ico");
    expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/x-icon"]);
  });

  test("pages of other sites may load the follow button and the list, each within 4 kB, and nothing else", async () => {
    for (const file of ["kalends-follow.js", "kalends-events.js"]) {
      const { status, headers, text } = await server.request(`/assets/${file}`);
      expect([file, status]).toEqual([file, 200]);
      expect(gzipSync(text).length).toBeLessThanOrEqual(4_000);
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Cross-Origin-Resource-Policy")).toBe("cross-origin");
      expect(headers.get("Cache-Control")).toBe("public, max-age=3600");
    }
  });
});

const onSqlite = onPostgres ? " (skipped: on SQLite only)" : "";

test.skipIf(onPostgres)(
  `a failing database is a page with 503 and Retry-After, and the log has the cause without the address${onSqlite}`,
  async () => {
    const broken: TestServer = await startTestServer();
    const made = await (await broken.account()).call("createCalendar", { title: "x" });
    const page = `/c/${made.body.calendar.uniquekey}`;
    await broken.db.transaction(async (trx) => {
      await trx.raw("PRAGMA writable_schema = ON");
      await trx.raw("update sqlite_master set rootpage = 99999 where name = 'events'");
      await trx.raw("PRAGMA schema_version = 4242"); // readers look at the schema again
    });
    const answer = await broken.request(page);
    expect([answer.status, isPage(answer), answer.headers.get("Retry-After")]).toEqual([503, true, "5"]);
    expect(answer.text).toContain(answer.headers.get("X-Request-Id"));
    const line = { operation: "followPage", status: 503, error_type: "storage_unavailable" };
    await expect.poll(() => broken.logLines).toContainEqual(expect.objectContaining(line));
    expect(broken.logText()).not.toContain(page);
    await broken.stop().catch(() => undefined);
  },
);

test("a Host that is none is refused with a page", async () => {
  const answer = await exchange(server, "/c/aaaaaaaaaaaa", { headers: { Host: "evil.example/<script>" } });
  expect([answer.status, isPage(answer)]).toEqual([400, true]);
});

describe("an error page leads on", () => {
  const linkOf = (text: string) => /<a class="button" href="([^"]+)">([^<]+)</.exec(text)?.slice(1);

  test("to the page of the calendar or of the follower, or where that is missing to the start page", async () => {
    const calendar = await newCalendar();
    const key = await follower(calendar);
    const cases = [
      [`${calendar.page}?month=never`, 400, [calendar.page, "Back to the calendar"]],
      [`${calendar.page}/typo`, 404, [calendar.page, "Back to the calendar"]],
      [`/f/${key}/unfollow`, 405, [`/f/${key}`, "Back to your page"]],
      ["/c/aaaaaaaaaaaa", 404, ["/", "Go to the start page"]],
      [`/f/${"A".repeat(22)}`, 404, ["/", "Go to the start page"]],
    ] as const;
    for (const [path, status, link] of cases) {
      const answer = await server.request(path);
      expect([path, answer.status, linkOf(answer.text)]).toEqual([path, status, link]);
    }
  });
});

test("the page of a follower with another app names it in a sentence, and has the link where the steps need it", async () => {
  const calendar = await newCalendar();
  const { text } = await server.request(`/f/${await follower(calendar, { calendar_type: "ical" })}`);
  expect(text).not.toMatch(/to Another app|Open Another app/);
  expect(text).toContain("Add it to your calendar app");
  const [card = ""] = /<section class="card"[^]*?<\/section>/.exec(text) ?? [];
  expect(card).toMatch(/id="feed"[^]*Copy the link to your feed\./);
});
