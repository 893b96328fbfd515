import { once } from "node:events";
import { createServer } from "node:http";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apps } from "../../apps/server/src/followers/agents.js";
import { launchBrowser, openBy, openPage, violations, withoutBrowser } from "./browser.js";
import { startTestServer } from "../../apps/server/test/harness.js";

// The pages in a real browser.

/** Why there is no test, or "". What a browser does with a page does not depend on the database. */
const reason = withoutBrowser;

const server = await startTestServer({ TRUST_PROXY: "1" });
let browser: Browser;
let calendar: { readonly id: string; readonly page: string };
/** The calendar of a club with events of all kinds; paths of their pages. */
let club: { readonly page: string; readonly events: readonly string[] };
const owner = await server.account();

beforeAll(async () => {
  if (reason === "") browser = await launchBrowser();
  const made = await owner.call("createCalendar", {
    title: "Concerts by the river",
    calendarname: "Season",
    description: "Doors open at seven.\nTickets: https://tickets.example/",
    timezone: "Europe/Berlin",
    palette_id: "6",
  });
  calendar = { id: made.body.calendar.id, page: `${server.url}/c/${made.body.calendar.uniquekey}` };
  for (const [index, start_date] of ["07/02/2026 20:00", "07/02/2026 22:00", "07/09/2026 20:00"].entries()) {
    const description = index === 1 ? "" : "With a talk before.";
    const color_id = String(index + 5);
    const categories = index === 2 ? "" : `Music,${"Ensemble ".repeat(index + 3).trim()}`;
    const event = { title: `Evening ${index}`, location: "Main hall", description, color_id, start_date };
    await owner.call("eventsCreate", { calendar_id: calendar.id, ...event, categories });
  }
  club = await newClub();
});

const clubEvents = [
  {
    title: "Opening night",
    start_date: "2026-07-04T19:30",
    location: "Main hall",
    description: "At the door.",
  },
  { title: "مهرجان الموسيقى العربية على ضفاف النهر", start_date: "2026-07-05", all_day_event: "true" },
  { title: "Called off", start_date: "2026-07-06T20:00", status: "cancelled" },
  { title: `A very long title ${"that goes on and on ".repeat(11)}`, start_date: "2026-07-07T20:00" },
  { title: "Perhaps", start_date: "2026-07-08T23:00", end_date: "2026-07-09T01:00", status: "tentative" },
];

async function newClub(): Promise<typeof club> {
  const made = await owner.call("createCalendar", { title: "The club", timezone: "Europe/Berlin" });
  const { id: calendar_id, uniquekey } = made.body.calendar;
  const page = `${server.url}/c/${uniquekey}`;
  const events: string[] = [];
  for (const event of clubEvents) {
    const { body } = await owner.call("eventsCreate", { calendar_id, ...event });
    events.push(`${page}/e/${body.event.uid}`);
  }
  return { page, events };
}

/** Holds requests back until they are released. `requested` resolves with the first. */
async function holdBack(
  page: Page,
  url: string,
): Promise<{ readonly requested: Promise<void>; release(): void }> {
  let release = (): void => undefined;
  let request = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const requested = new Promise<void>((resolve) => {
    request = resolve;
  });
  await page.route(url, async (route) => {
    request();
    await released;
    await route.continue();
  });
  return { requested, release };
}

/** Starts another site, whose pages hold what is given. Its policy allows our scripts and data, and its own stylesheet. */
async function otherSite(body: string, css = ""): Promise<{ readonly url: string; close(): void }> {
  const site = createServer((request, response) => {
    const isStyle = request.url === "/site.css";
    response.writeHead(200, {
      "Content-Type": isStyle ? "text/css" : "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; script-src ${server.url}; connect-src ${server.url}; style-src 'self'`,
    });
    response.end(isStyle ? css : body);
  });
  await once(site.listen(0, "127.0.0.1"), "listening");
  const address = site.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const close = (): void => {
    site.closeAllConnections();
    site.close();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

/** Follows with an app from an address of its own, and returns the address of the follower's page. */
let followers = 0;
async function follow(page: Page, app: string): Promise<string> {
  followers++;
  await page.setExtraHTTPHeaders({ "X-Forwarded-For": `10.2.0.${followers}` });
  await page.goto(calendar.page);
  const button = page.locator(`button[value=${app}]`).first();
  if (!(await button.isVisible())) await page.click(".more-apps > summary");
  await openBy(page, () => button.click());
  expect(page.url()).toMatch(/\/f\/[\w-]{22}$/);
  return page.url();
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const desktop = { viewport: { width: 1280, height: 900 } };

describe.skipIf(reason !== "")(`in a browser${reason}`, () => {
  const everyRule = undefined;
  const contrast = ["color-contrast"]; // all that colours change
  describe.each([
    ["a phone, light", { ...phone, colorScheme: "light" as const }, everyRule],
    ["a phone, dark", { ...phone, colorScheme: "dark" as const }, contrast],
    ["a desktop, light", { ...desktop, colorScheme: "light" as const }, contrast],
    ["a desktop, dark", { ...desktop, colorScheme: "dark" as const }, everyRule],
  ])("on %s", (_name, options, runOnly) => {
    test("axe-core finds no violation on any page, each fits, and requests no other site", async () => {
      // axe is a script of the test: it alone passes by the policy.
      const { page, faults, close } = await openPage(browser, server.url, { ...options, bypassCSP: true });
      const own = await follow(page, "google");
      const stopped = await follow(page, "yahoo");
      await openBy(page, () => page.click("form[action$=unfollow] button"));
      const start = `${server.url}/`;
      const pages = [
        calendar.page,
        own,
        stopped,
        `${calendar.page}/embed`,
        start,
        `${server.url}/c/aaaaaaaaaaaa`,
        club.events[0] ?? "",
        club.events[2] ?? "", // the cancelled one
      ];
      for (const address of pages) {
        await page.goto(address);
        await page.evaluate(`document.querySelectorAll("details").forEach((one) => { one.open = true; })`);
        expect([address, await violations(page, runOnly)]).toEqual([address, []]);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([address, wide]).toEqual([address, 0]);
      }
      expect(faults).toEqual([
        expect.stringMatching(/^console: Failed to load resource: .* 404 \(Not Found\) /),
      ]);
      await close();
    });
  });

  test("the button of every app makes a follower whose page has a feed that works", async () => {
    const { page, faults, close } = await openPage(browser, server.url, phone);
    for (const app of apps) {
      await follow(page, app);
      const feed = await page.inputValue("#feed");
      expect(feed.startsWith(`${page.url()}/`)).toBe(true);
      const { status, text } = await server.request(feed.slice(server.url.length));
      expect([app, status, text.match(/^BEGIN:VEVENT/gm)?.length]).toEqual([app, 200, 3]);
      const [newest] = (await owner.call("listSubscribers", { calendar_id: calendar.id })).body.subscribers;
      expect(newest).toMatchObject({ calendar_type: app, name: "", email: "", active: "true" });
    }
    expect(faults).toEqual([]);
    await close();
  });

  test("without JavaScript everything works: follow with a name, pick categories, stop, delete; only copying is left to the hand", async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      ...phone,
      javaScriptEnabled: false,
    });
    await page.setExtraHTTPHeaders({ "X-Forwarded-For": "10.3.0.1" });
    await page.goto(calendar.page);
    expect(await page.locator("button[data-copy]").first().isVisible()).toBe(false);
    await page.click("summary:has-text('Only some events')");
    await page.click("summary:has-text('Name and e-mail')");
    await page.fill("#name", "Ada Byron");
    await page.fill("#email", "ada@example.com");
    await page.press("#email", "Enter"); // must not choose an app
    expect(page.url()).toBe(calendar.page);
    await page.uncheck("text=Music");
    await page.click("summary:has-text('Other apps')");
    await openBy(page, () => page.click("button[value=apple]"));
    const feed = async () => (await server.request(`${new URL(page.url()).pathname}/x.ics`)).text;
    expect(await page.isChecked("text=Music")).toBe(false);
    expect((await feed()).match(/^SUMMARY/gm)).toHaveLength(3);
    for (const box of await page.locator("input[type=checkbox]").all()) await box.uncheck();
    await openBy(page, () => page.click("form[action$=categories] button"));
    expect(await page.textContent("[role=status]")).toContain("Saved.");
    expect((await feed()).match(/^SUMMARY.*\r$/gm)).toEqual(["SUMMARY:Evening 2\r"]);
    const [newest] = (await owner.call("listSubscribers", { calendar_id: calendar.id })).body.subscribers;
    expect(newest).toMatchObject({ name: "Ada Byron", email: "ada@example.com", calendar_type: "apple" });
    await openBy(page, () => page.click("form[action$=unfollow] button"));
    expect(await page.textContent("main")).toContain("You no longer follow this calendar");
    expect(await page.locator("form[action$=delete] button").isVisible()).toBe(false);
    await page.click("summary:has-text('Delete my data')");
    expect(await page.textContent("details[open]")).toContain("This cannot be undone.");
    await openBy(page, () => page.click("form[action$=delete] button"));
    expect(await page.textContent("[role=status]")).toContain("Your data is deleted.");
    expect(faults).toEqual([]);
    await close();
  });

  test("with JavaScript an address is copied, and the page confirms it", async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      ...desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.clock.install(); // the confirmation goes after two seconds
    await page.goto(calendar.page);
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.click("summary:has-text('Without following')");
    const button = page.locator("button[data-copy=anonymous-feed]");
    await button.click();
    await expect.poll(() => button.textContent()).toBe("Copied");
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe(await page.inputValue("#anonymous-feed"));
    await page.clock.runFor(2_000);
    await expect.poll(() => button.innerText()).toBe("Copy");
    expect(faults).toEqual([]);
    await close();
  });

  test("with forced colours no border of a button cuts through the text of its row", async () => {
    const { page, close } = await openPage(browser, server.url, { ...phone, forcedColors: "active" });
    await page.goto(calendar.page);
    const width = await page.evaluate<string>(
      `getComputedStyle(document.querySelector("button.app")).borderTopWidth`,
    );
    expect(width).toBe("0px");
    await close();
  });

  test("with forced colours today looks different from the other days", async () => {
    const { page, close } = await openPage(browser, server.url, { ...phone, forcedColors: "active" });
    await page.goto(`${calendar.page}?month=2026-07`);
    const background = (selector: string): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}")).backgroundColor`);
    expect(await background("td[aria-current] .day")).not.toBe(await background("a[href='#day-9']"));
    await close();
  });

  test("the lines of a right-to-left title and description begin at the same edge", async () => {
    const made = await owner.call("createCalendar", {
      title: "مهرجان الموسيقى العربية على ضفاف النهر",
      description: "تفتح الأبواب في الساعة السابعة.\nأهلا وسهلا بكم جميعا.",
      timezone: "UTC",
    });
    const { page, close } = await openPage(browser, server.url, phone);
    await page.goto(`${server.url}/c/${made.body.calendar.uniquekey}`);
    for (const selector of ["h1", ".text"]) {
      const edges = await page.evaluate<number[]>(`{
        const range = document.createRange();
        range.selectNodeContents(document.querySelector("${selector}"));
        [...range.getClientRects()].filter(({ width }) => width > 0).map(({ right }) => Math.round(right));
      }`);
      expect([selector, edges.length > 1, new Set(edges).size]).toEqual([selector, true, 1]);
    }
    await close();
  });

  test("on paper the page has the events and its address, and nothing to press", async () => {
    const { page, close } = await openPage(browser, server.url, desktop);
    await page.goto(`${calendar.page}?month=2026-07`);
    await page.emulateMedia({ media: "print" });
    const visible = (selector: string): Promise<boolean> => page.locator(selector).first().isVisible();
    expect(await visible("text=Evening 2")).toBe(true);
    expect(await page.locator(".printed").innerText()).toBe(calendar.page);
    for (const pressed of ["button", ".month-bar nav", ".ways"]) expect(await visible(pressed)).toBe(false);
    await close();
  });

  test("the deletion of one's data is opened and closed again by the keyboard", async () => {
    const { page, close } = await openPage(browser, server.url, phone);
    await follow(page, "google");
    const summary = page.locator("summary", { hasText: "Delete my data" });
    const button = page.locator("form[action$=delete] button");
    await summary.focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => button.isVisible()).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => button.isVisible()).toBe(false);
    await close();
  });

  test("with a title of 255 characters the first app is on a phone's first screen", async () => {
    const title = "The friends of chamber music and old instruments ".repeat(6).slice(0, 255);
    const made = await owner.call("createCalendar", { title, timezone: "UTC" });
    const { page, close } = await openPage(browser, server.url, phone);
    await page.goto(`${server.url}/c/${made.body.calendar.uniquekey}`);
    const box = await page.locator("button.add-now").first().boundingBox();
    expect(box?.y).toBeLessThan(phone.viewport.height);
    await close();
  });

  test("the first button is whole on the first screen of 360 × 640, in four languages, below logo, picture and a long name", async () => {
    const account = await server.account();
    const name = "Kammerorchester Neuwied-Ehrenbreitstein";
    const picture = { picture_id: "0".repeat(32), picture_alt: "Stage" };
    const look = { name, logo_id: "0".repeat(32), logo_alt: name, accent: "#f3e08a", ...picture };
    await server.db.transaction((trx) => trx("accounts").where({ id: account.id }).update(look));
    const title = "Konzerte und Proben 2026/27";
    const { id, uniquekey } = (await account.call("createCalendar", { title, timezone: "Europe/Berlin" }))
      .body.calendar;
    const event = {
      title: "Adventskonzert: Bach, Weihnachtsoratorium I–III",
      start_date: "2026-11-29T17:00",
    };
    const location = "Stadtkirche St. Matthias, Kirchplatz 1, 56564 Neuwied";
    await account.call("eventsCreate", { calendar_id: id, ...event, location, categories: "Konzert" });
    for (const locale of ["en", "de", "fr", "es"]) {
      const viewport = { width: 360, height: 640 };
      const { page, close } = await openPage(browser, server.url, { ...phone, viewport, locale });
      await page.goto(`${server.url}/c/${uniquekey}`);
      const { y = 0, height = 0 } = (await page.locator(".add-now").first().boundingBox()) ?? {};
      expect([locale, y > 0, y + height <= 640]).toEqual([locale, true, true]);
      await close();
    }
  });

  test("the zone stands there for readers whose clock differs, and where no script runs", async () => {
    const shown = async (options: BrowserContextOptions): Promise<readonly boolean[]> => {
      const { page, close } = await openPage(browser, server.url, { ...phone, ...options });
      const found: boolean[] = [];
      for (const address of [club.page, club.events[0] ?? ""]) {
        await page.goto(address);
        found.push(await page.locator("text=Time zone: Europe/Berlin (UTC+02:00)").isVisible());
      }
      await close();
      return found;
    };
    expect(await shown({ timezoneId: "Europe/Vienna" })).toEqual([false, false]);
    expect(await shown({ timezoneId: "Asia/Tokyo" })).toEqual([true, true]);
    expect(await shown({ timezoneId: "Europe/Vienna", javaScriptEnabled: false })).toEqual([true, true]);
  });

  test("the phone's own sheet shares the page, where the browser has one", async () => {
    const { page, faults, close } = await openPage(browser, server.url, phone);
    await page.goto(calendar.page);
    expect(await page.locator("[data-share]").isVisible()).toBe(false);
    await page.addInitScript(
      `navigator.share = (data) => { window.shared = data; return Promise.reject(); };`,
    );
    await page.goto(calendar.page);
    await page.click("[data-share]");
    const title = await page.title();
    expect(await page.evaluate("window.shared")).toEqual({ title, url: calendar.page });
    expect(faults).toEqual([]);
    await close();
  });

  test("on a phone the page is short: the month's list and what few need are folded, on a desktop only the latter", async () => {
    const visible = async (page: Page) => {
      const parts = { list: ".agenda-day", code: ".qr", ways: ".ways h3" };
      const found = Object.entries(parts).map(async ([name, selector]) => {
        return [name, await page.locator(selector).first().isVisible()] as const;
      });
      return Object.fromEntries(await Promise.all(found));
    };
    const small = { ...phone, viewport: { width: 360, height: 740 }, javaScriptEnabled: false };
    const narrow = await openPage(browser, server.url, small);
    await narrow.page.goto(calendar.page);
    expect(await visible(narrow.page)).toEqual({ list: false, code: false, ways: false });
    for (const summary of await narrow.page.locator(".fold > summary").all()) await summary.click();
    expect(await visible(narrow.page)).toEqual({ list: true, code: true, ways: true });
    await narrow.page.goto(`${calendar.page}?month=2026-07`);
    expect(await visible(narrow.page)).toEqual({ list: true, code: false, ways: false });
    await narrow.close();
    const wide = await openPage(browser, server.url, desktop);
    await wide.page.goto(calendar.page);
    expect(await visible(wide.page)).toEqual({ list: true, code: true, ways: false });
    await wide.close();
  });

  test("a day of the month leads to its events, and the arrows to other months, by the keyboard", async () => {
    const { page, close } = await openPage(browser, server.url, phone);
    await page.goto(calendar.page);
    await page.focus("td a[href$='#day-9']");
    await openBy(page, () => page.keyboard.press("Enter")); // the list of the month is folded before
    expect(await page.textContent(":target")).toContain("Evening 2");
    await page.focus("nav a[aria-label^='Next month']");
    await page.keyboard.press("Enter");
    await page.waitForURL("**?month=2026-08#month");
    expect(await page.textContent("#month-name")).toBe("August 2026");
    await close();
  });

  test("without JavaScript an event's page is reached from the month, adds the event by links, and is a file", async () => {
    const { page, faults, close } = await openPage(browser, server.url, {
      ...phone,
      javaScriptEnabled: false,
    });
    await page.goto(`${club.page}?month=2026-07`);
    await openBy(page, () => page.click(".agenda-title:has-text('Opening night')"));
    expect(page.url()).toBe(club.events[0]);
    const hosts = await page.$$eval("a.add", (links: HTMLAnchorElement[]) =>
      links.map((link) => new URL(link.href).host),
    );
    const own = new URL(server.url).host;
    const others = ["calendar.google.com", "outlook.live.com", "outlook.office.com", "calendar.yahoo.com"];
    expect(hosts).toEqual([own, ...others]);
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("a.add >> nth=0")]);
    expect(file.suggestedFilename()).toBe("opening-night.ics");
    await page.goto(`${club.page}/embed`);
    expect(await page.textContent("kalends-events")).toBe("The club");
    expect(faults).toEqual([]);
    await close();
  });

  test("next events are one entry for each series, which leads to all its dates; a cancelled one offers no app", async () => {
    const made = await owner.call("createCalendar", { title: "House", timezone: "Europe/Berlin" });
    const { id: calendar_id, uniquekey } = made.body.calendar;
    const add = (event: Readonly<Record<string, string>>) =>
      owner.call("eventsCreate", { calendar_id, ...event });
    for (let week = 0; week < 12; week++) {
      const day = new Date(Date.UTC(2026, 6, 6 + week * 7)).toISOString().slice(0, 10);
      await add({ title: "Rehearsal", start_date: `${day}T18:00`, location: "Stage" });
    }
    await add({ title: "Festival", start_date: "2026-07-29", end_date: "2026-08-03", all_day_event: "true" });
    await add({ title: "Open air", start_date: "2026-09-01T20:00", status: "cancelled" });
    const { page, close } = await openPage(browser, server.url, { ...phone, javaScriptEnabled: false });
    const address = `${server.url}/c/${uniquekey}`;
    await page.goto(address);
    const titles = await page.locator(".events .event-title").allInnerTexts();
    expect(titles.map((title) => title.replace(/\s+/g, " "))).toEqual([
      "Rehearsal",
      "Festival",
      "Cancelled Open air",
    ]);
    expect(await page.locator(".also").innerText()).toMatch(
      /^Also on: 13.Jul · 20.Jul · 27.Jul · 3.Aug and 7 more$/,
    );
    await page.locator(".event-head").first().click();
    expect(await page.locator(".dates a").count()).toBe(11);
    expect(await page.locator(".dates a").last().innerText()).toMatch(/^Mon,? 21 Sept?$/);
    await page.locator(".event-head").last().click();
    expect(await page.locator(".open-event").last().innerText()).toBe("Page of this event");
    expect(await page.locator(".next .more-events").count()).toBe(0); // there are no more
    for (const month of ["2026-07", "2026-08"]) {
      await page.goto(`${address}?month=${month}`);
      const times = await page.locator(".agenda-day li", { hasText: "Festival" }).allInnerTexts();
      expect(times.length).toBeGreaterThan(0);
      for (const text of times)
        expect(text.replace(/[\s,]+/g, " ")).toMatch(/Festival Wed 29 Jul ?– ?Mon 3 Aug$/);
    }
    await close();
  });

  test("in a language without texts the page of an event fits a phone, with a right-to-left title, and one of 230 letters", async () => {
    for (const locale of ["ja-JP", "ar-EG", "fi-FI"]) {
      const { page, faults, close } = await openPage(browser, server.url, { ...phone, locale });
      for (const address of club.events) {
        await page.goto(address);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([locale, address, wide]).toEqual([locale, address, 0]);
        expect(await page.locator(".facts time [lang]").getAttribute("lang")).toBe(locale);
      }
      expect(faults).toEqual([]);
      await close();
    }
  });

  describe("the list of events on another site with a strict policy", () => {
    const list = (attributes = 'limit="3"'): string =>
      `<script type="module" src="${server.url}/assets/kalends-events.js"></script>
       <kalends-events calendar="${club.page}" ${attributes}><a href="${club.page}">The club</a></kalends-events>
       <p id="below">Below</p>`;
    const document = (body: string, attributes = 'lang="fr"'): string =>
      `<!doctype html><html ${attributes}><title>Site</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/site.css">${body}`;
    const css = `kalends-events { display: block; min-height: calc(4.25em * 3); --kalends-list-muted: rgb(80, 80, 80); }`;

    test("leads to the events, in the language of the page, in the colours of the site, and nothing moves", async () => {
      const site = await otherSite(document(list()), css);
      const { page, close } = await openPage(browser, server.url, {
        ...desktop,
        timezoneId: "Europe/Berlin",
      });
      const top = (): Promise<number> =>
        page.evaluate<number>(`document.getElementById("below").getBoundingClientRect().top`);
      // First the site without our script, then without our data, then all of it.
      const script = await holdBack(page, "**/kalends-events.js");
      const data = await holdBack(page, "**/upcoming.json*");
      await page.goto(site.url, { waitUntil: "commit" });
      const display = `getComputedStyle(document.querySelector("kalends-events") ?? document.body).minHeight`;
      await expect.poll(() => page.evaluate(display)).toBe("204px"); // 3 * 4.25 * 16
      await page.locator("#below").waitFor();
      const tops = [await top()];
      script.release();
      await data.requested;
      tops.push(await top());
      data.release();
      const links = page.locator("kalends-events li a");
      await expect.poll(() => links.count()).toBe(3);
      const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
      expect(hrefs).toEqual(club.events.slice(0, 3));
      const texts = await links.allInnerTexts();
      const lines = texts.map((text) => text.replace(/\s+/g, " ").replace(/ ?– ?/g, "–"));
      expect(lines[0]).toMatch(/^Opening night sam\. 4 juil\. · 19:30–20:30 · Main hall$/);
      expect(lines[1]).toMatch(/ dim\. 5 juil\. · Toute la journée$/);
      expect(lines[2]).toMatch(/^Annulé : Called off lun\. 6 juil\. · 20:00–21:00$/);
      expect(await page.locator("kalends-events ol").getAttribute("aria-label")).toBe("Prochains événements");
      const color = `getComputedStyle(document.querySelector("kalends-events").shadowRoot.querySelector(".when")).color`;
      expect(await page.evaluate(color)).toBe("rgb(80, 80, 80)");
      tops.push(await top());
      expect(new Set(tops).size).toBe(1);
      await close();
      site.close();
    });

    test("has weekly rehearsals once, with their next dates, so that they do not hide the concert, and loads once", async () => {
      const made = await owner.call("createCalendar", { title: "The choir", timezone: "Europe/Berlin" });
      const { id: calendar_id, uniquekey } = made.body.calendar;
      for (const [title, start_date] of [
        ["Rehearsal", "2026-07-06T19:00"],
        ["Rehearsal", "2026-07-13T19:00"],
        ["Rehearsal", "2026-07-20T19:00"],
        ["Concert", "2026-07-25T19:00"],
      ] as const)
        await owner.call("eventsCreate", { calendar_id, title, start_date });
      const choir = list('limit="2"').replaceAll(club.page, `${server.url}/c/${uniquekey}`);
      const site = await otherSite(document(choir, 'lang="de"'), css);
      const { page, close } = await openPage(browser, server.url, { ...phone, locale: "de-DE" });
      let loads = 0;
      page.on("request", (request) => void (loads += request.url().includes("/upcoming.json") ? 1 : 0));
      await page.goto(site.url);
      const lines = page.locator("kalends-events li");
      await expect.poll(() => lines.count()).toBe(2);
      expect(loads).toBe(1);
      expect(await lines.nth(0).innerText()).toMatch(/^Rehearsal\n.*\nAuch am: 13\. Juli · 20\. Juli$/);
      expect(await lines.nth(1).innerText()).toMatch(/^Concert\n[^\n]*$/);
      await close();
      site.close();
    });

    test("cuts no text on a phone, however long", async () => {
      const viewport = '<meta name="viewport" content="width=device-width">';
      const site = await otherSite(document(viewport + list('limit="5"')), css);
      const { page, close } = await openPage(browser, server.url, phone);
      await page.goto(site.url);
      const texts = page.locator("kalends-events li span");
      await expect.poll(() => texts.count()).toBe(10);
      const cut = await texts.evaluateAll((all) =>
        all
          .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
          .map((one) => one.textContent),
      );
      expect(cut).toEqual([]);
      const height = async (index: number) =>
        (await page.locator("kalends-events li").nth(index).boundingBox())?.height ?? 0;
      expect(await height(0)).toBeCloseTo(68); // 4.25 * 16
      expect(await height(3)).toBeGreaterThan(150);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await close();
      site.close();
    });

    test("names the zone to visitors elsewhere, and takes a language that has no words and a direction", async () => {
      const site = await otherSite(document(list('limit="1"'), 'lang="ar" dir="rtl"'));
      const { page, close } = await openPage(browser, server.url, {
        ...phone,
        timezoneId: "Asia/Tokyo",
        locale: "ar-EG",
      });
      await page.goto(site.url);
      const when = page.locator("kalends-events .when");
      await expect.poll(() => when.count()).toBe(1);
      expect(await when.innerText()).toMatch(/(?:يوليو|٤).* \(Berlin\) · Main hall$/s);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await close();
      site.close();
    });

    test("keeps the link inside it when there is no such calendar, and says so when nothing is planned", async () => {
      const made = await owner.call("createCalendar", { title: "Empty", timezone: "UTC" });
      const empty = `${server.url}/c/${made.body.calendar.uniquekey}`;
      const site = await otherSite(
        document(`${list()}<kalends-events id="none" calendar="${server.url}/c/aaaaaaaaaaaa"><a href="/x">All</a></kalends-events>
          <kalends-events id="empty" calendar="${empty}/" limit="0"></kalends-events>`),
      );
      const { page, close } = await openPage(browser, server.url, desktop);
      const missing = page.waitForResponse(/\/c\/aaaaaaaaaaaa\/upcoming\.json/);
      await page.goto(site.url);
      expect((await missing).status()).toBe(404);
      await expect.poll(() => page.locator("#empty p").count()).toBe(1);
      expect(await page.locator("#empty p").innerText()).toBe("Rien n’est prévu pour le moment.");
      expect(await page.locator("#none a").isVisible()).toBe(true);
      await page.evaluate(`document.querySelector("kalends-events").setAttribute("limit", "1")`);
      await expect.poll(() => page.locator("kalends-events li").count()).toBe(1);
      await close();
      site.close();
    });

    test.each(["light", "dark"] as const)("axe-core finds no violation, %s", async (colorScheme) => {
      const dark = "@media (prefers-color-scheme: dark) { html { background: #111; color: #eee; } }";
      const site = await otherSite(
        document(`<main><h1>Site</h1>${list()}</main>`),
        css.replace(/--.*;/, "") + dark,
      );
      const { page, close } = await openPage(browser, server.url, {
        ...phone,
        colorScheme,
        bypassCSP: true,
      });
      await page.goto(site.url);
      await expect.poll(() => page.locator("kalends-events li a").count()).toBe(3);
      expect(await violations(page)).toEqual([]);
      await close();
      site.close();
    });
  });

  test("the code of the embed page makes a button on another site, with a strict policy there too", async () => {
    const { page, close } = await openPage(browser, server.url, desktop);
    await page.goto(`${calendar.page}/embed`);
    expect(await page.textContent("kalends-follow")).toContain("Concerts by the river");
    const code = await page.textContent("#component-code");
    await close();
    const site = await otherSite(
      `<!doctype html><html lang="fr"><title>Site</title><link rel="icon" href="data:,">${code}`,
    );
    const other = await openPage(browser, server.url, desktop);
    await other.page.goto(site.url);
    const link = other.page.locator("kalends-follow a", { hasText: "Suivre le calendrier" });
    expect(await link.getAttribute("href")).toBe(calendar.page);
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await other.close();
    site.close();
  });

  test.each([
    ["light", "rgb(23, 89, 79)"],
    ["dark", "rgb(143, 214, 196)"],
  ] as const)(
    "the button on a %s site has its colours, by axe-core no violation, and opens the page by the keyboard",
    async (colorScheme, background) => {
      const buttons = `<main><h1>Site</h1>
      <kalends-follow id="plain" calendar="${calendar.page}"><a href="${calendar.page}">Follow</a></kalends-follow>
      <kalends-follow id="own" calendar="${calendar.page}" label="Concerts &amp; more"></kalends-follow>
      <kalends-follow id="none" calendar="javascript:alert(1)"><a href="/all">All</a></kalends-follow></main>
      <script type="module" src="${server.url}/assets/kalends-follow.js"></script>`;
      const css = `html { color-scheme: ${colorScheme}; } #none a { color: inherit; } #own { --kalends-background: rgb(0, 0, 90); --kalends-color: rgb(255, 255, 0); }`;
      const site = await otherSite(
        `<!doctype html><html lang="de-AT"><title>Site</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/site.css">${buttons}`,
        css,
      );
      // The visitor prefers the other scheme: that of the site decides.
      const visitor = colorScheme === "light" ? "dark" : "light";
      const { page, close } = await openPage(browser, server.url, {
        ...desktop,
        colorScheme: visitor,
        bypassCSP: true,
      });
      await page.goto(site.url);
      const link = (id: string) => page.locator(`#${id} a[rel=noopener]`);
      await expect.poll(() => link("own").innerText()).toBe("Concerts & more");
      expect(await link("plain").innerText()).toBe("Kalender folgen");
      const colours = (id: string): Promise<readonly string[]> =>
        page.evaluate(`{
          const { backgroundColor, color } = getComputedStyle(document.querySelector("#${id}").shadowRoot.querySelector("a"));
          [backgroundColor, color];
        }`);
      expect((await colours("plain"))[0]).toBe(background);
      expect(await colours("own")).toEqual(["rgb(0, 0, 90)", "rgb(255, 255, 0)"]);
      expect(await page.locator("#none a").getAttribute("href")).toBe("/all");
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Tab");
      await openBy(page, () => page.keyboard.press("Enter"));
      expect(page.url()).toBe(calendar.page);
      await close();
      site.close();
    },
  );
});
