import { once } from "node:events";
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openBy, openPage, violations, withoutBrowser } from "./browser.js";
import { startTestServer } from "../../apps/server/test/harness.js";

// The portal, what is printed, and the frame, in a real browser. The clock stands at 2026-07-02T12:00:00Z.

const server = await startTestServer();
let browser: Browser;
let calendar = "";
let full = "";
const owner = await server.account();

const longWord = "Kreisfeuerwehrverbandskapellenprobenwochenende";

beforeAll(async () => {
  if (withoutBrowser === "") browser = await launchBrowser();
  await owner.call("accountUpdate", { name: "Musikverein Bergholz", key: "bergholz", accent: "#f7e27a" });
  for (const title of ["Auftritte", `Proben des ${longWord}s`]) {
    const made = await owner.call("calendarsCreate", { title, timezone: "Europe/Berlin", listed: "true" });
    const { id, unique_key, uniquekey } = made.body.calendar;
    calendar ||= `${server.url}/c/${unique_key ?? uniquekey}`;
    for (let day = 3; day < 28; day++) {
      const start_date = `2026-07-${String(day).padStart(2, "0")}T19:30`;
      const event = {
        title: `${longWord} ${day}`,
        start_date,
        location: `${longWord}halle`,
        categories: `T${day % 9}`,
      };
      await owner.call("eventsCreate", { calendar_id: id, ...event });
    }
    const camp = { start_date: "2026-07-10", end_date: "2026-07-14", all_day_event: "true" };
    await owner.call("eventsCreate", { calendar_id: id, title: "Zeltlager", ...camp });
    const fair = { start_date: "2027-07-30T16:00", end_date: "2027-08-02T11:00" };
    await owner.call("eventsCreate", { calendar_id: id, title: "Musikfest", ...fair });
  }
  // A month with more events than a sheet has.
  const { id: calendar_id, uniquekey } = (await owner.call("createCalendar", { title: "Kurse" })).body
    .calendar;
  full = `${server.url}/c/${uniquekey}`;
  const daily = { start_date: "2026-07-01T10:00", rrule: "FREQ=DAILY;COUNT=31" };
  for (let course = 0; course < 17; course++)
    await owner.call("eventsSeriesCreate", { calendar_id, title: `Kurs ${course}`, ...daily });
});

afterAll(async () => {
  await browser?.close();
  await server.stop();
});

const phone = { viewport: { width: 360, height: 640 }, locale: "de-DE" };
const desktop = { viewport: { width: 1280, height: 900 }, locale: "fr-FR" };

describe.skipIf(withoutBrowser !== "")(`in a browser${withoutBrowser}`, () => {
  test.each([
    ["a phone, light", { ...phone, colorScheme: "light" as const }],
    ["a phone, dark", { ...phone, colorScheme: "dark" as const }],
    ["a desktop, light", { ...desktop, colorScheme: "light" as const }],
    ["a desktop, dark", { ...desktop, colorScheme: "dark" as const }],
  ])(
    "on %s axe-core finds no violation, each page fits, and requests no other site",
    async (_name, options) => {
      const { page, faults, close } = await openPage(browser, server.url, { ...options, bypassCSP: true });
      const portal = `${server.url}/o/bergholz`;
      await page.goto(portal);
      for (const box of await page.locator("input[name=calendar]").all()) await box.check();
      await openBy(page, () => page.locator("button[name=app]").first().click());
      const own = page.url();
      expect(own).toMatch(/\/f\/[\w-]{22}$/);
      const sheets = ["/print?month=2026-07", "/season", "/poster"].map((path) => calendar + path);
      const printed = [...sheets, `${full}/print?month=2026-07`];
      const frames = ["/frame", "/frame?view=month&month=2026-07"].map((path) => calendar + path);
      const found = `${portal}?q=${longWord.toLowerCase()}&category=T3`;
      // The list of a month that is not in this year, with an event that ends in the next month.
      const months = [`${portal}?`, `${calendar}?`, `${calendar}/frame?view=month&`].map(
        (path) => `${path}month=2027-07`,
      );
      const searches = [found, `${portal}?q=nothing`];
      for (const address of [portal, ...searches, own, ...printed, ...frames, ...months]) {
        await page.goto(address);
        await page.evaluate(`document.querySelectorAll("details").forEach((one) => { one.open = true; })`);
        expect([address, await violations(page)]).toEqual([address, []]);
        const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
        expect([address, wide]).toEqual([address, 0]);
      }
      expect(faults).toEqual([]);
      await close();
    },
  );

  test("a month and a poster are one page of paper each, and no text of a day is beside its day", async () => {
    const { page, close } = await openPage(browser, server.url, phone);
    for (const path of ["/print?month=2026-07", "/poster"]) {
      await page.goto(calendar + path);
      const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
      expect([path, pdf.match(/\/Type\s*\/Page\b/g)?.length]).toEqual([path, 1]);
    }
    await page.emulateMedia({ media: "print" });
    await page.setViewportSize({ width: 1054, height: 725 }); // A4 less its margins, at 96 dpi
    await page.goto(`${calendar}/print?month=2026-07`);
    const beside = await page.evaluate<
      readonly string[]
    >(`[...document.querySelectorAll(".month-sheet li")].flatMap((item) => {
      const range = document.createRange();
      range.selectNodeContents(item);
      const [text, day] = [range.getBoundingClientRect(), item.closest("td").getBoundingClientRect()];
      return text.right > day.right || text.left < day.left ? item.textContent : [];
    })`);
    expect(beside).toEqual([]);
    await close();
  });

  test("a frame on another site has the height of its content where that site takes the script", async () => {
    const frame = `<iframe src="${calendar}/frame?view=month" title="Termine" width="100%" height="100" style="border:0"></iframe>`;
    const script = `<script type="module" src="${server.url}/assets/kalends-frame.js"></script>`;
    const told = `<script>addEventListener("message", () => { document.title = "Told"; });</script>`;
    const bodies = new Map([
      ["/with", frame + script],
      ["/late", told + frame.replace("?view=month", "")],
      ["/without", frame],
    ]);
    const site = createServer(({ url = "" }, response) => {
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      response.end(
        `<!doctype html><title>Site</title><link rel="icon" href="data:,">${bodies.get(url) ?? ""}`,
      );
    });
    await once(site.listen(0, "127.0.0.1"), "listening");
    const address = site.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const { page, close } = await openPage(browser, server.url, { ...desktop, timezoneId: "Asia/Tokyo" });
    const height = async () => (await page.locator("iframe").boundingBox())?.height ?? 0;
    await page.goto(`http://127.0.0.1:${port}/with`);
    await expect.poll(height).toBeGreaterThan(500);
    const inner = page.frameLocator("iframe");
    expect(await inner.locator("body").evaluate((body) => body.scrollHeight <= window.innerHeight)).toBe(
      true,
    );
    // A month is turned in the frame, an event leaves it.
    await inner.locator("a.arrow").last().click();
    await inner.locator("#month-name", { hasText: "août 2026" }).waitFor();
    // A script that starts when the frame has told its height asks for it.
    await page.goto(`http://127.0.0.1:${port}/late`);
    await expect.poll(() => page.title()).toBe("Told");
    expect(await height()).toBe(100);
    await page.addScriptTag({ url: `${server.url}/assets/kalends-frame.js`, type: "module" });
    await expect.poll(height).toBeGreaterThan(500);
    // Nothing of the list is outside of the height that it told, such as the note on its zone above it.
    await inner.locator("[data-zone]").first().waitFor();
    const isWhole = () => inner.locator("html").evaluate((html) => html.scrollHeight <= window.innerHeight);
    await expect.poll(isWhole).toBe(true);
    await page.goto(`http://127.0.0.1:${port}/without`);
    await inner.locator("#month-name").waitFor();
    expect(await height()).toBe(100);
    await close();
    site.closeAllConnections();
    site.close();
  });
});
