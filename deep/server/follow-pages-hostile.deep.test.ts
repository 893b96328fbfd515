import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CalendarRow, EventRow } from "../../apps/server/src/db/rows.js";
import { hashFollowerKey, newFollowerKey } from "../../apps/server/src/followers/subscribe.js";
import { insertSubscriber } from "../../apps/server/src/followers/subscriber-queries.js";
import { launchBrowser, openPage, withoutBrowser } from "./browser.js";
import { startTestServer } from "../../apps/server/test/harness.js";
import { hostileTexts } from "../../apps/server/test/hostile-texts.js";

// Stored text is inert: 300 hostile texts, each in every text field that a page shows, leave the document as harmless ones do.

/** Why there is no test, or "". What a browser does with a page does not depend on the database. */
const reason = withoutBrowser;

const server = await startTestServer();
let browser: Browser;
beforeAll(async () => {
  if (reason === "") browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await server.stop();
});

const key = newFollowerKey();
const owner = await server.account();
const made = await owner.call("createCalendar", { title: "x", timezone: "UTC" });
const calendar_id: string = made.body.calendar.id;
const address = `${server.url}/c/${made.body.calendar.uniquekey}`;
const created = await owner.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 19:30" });
await server.db.transaction(async (trx) => {
  const event = await trx<EventRow>("events").where({ id: created.body.event.id }).first();
  if (event === undefined) throw new Error("no event");
  const { id, ...copy } = event;
  for (let number = 1; number < 10; number++) await trx("events").insert({ ...copy, uid: `${id}-${number}` });
  const place = { postal: null, city: null, state: null, country: null };
  const person = { name: "", email: "", ip: "", calendar_type: "google", active: 1, blocked: 0, ...place };
  await insertSubscriber(trx, {
    ...person,
    account_id: owner.id,
    calendar_id: Number(calendar_id),
    subscribed_at: server.now,
    key_hash: hashFollowerKey(key),
  });
});

const groupSize = 30;

/** Puts the texts into every field: the calendar's have all of them, each of its ten events has three. */
async function write(texts: readonly string[]): Promise<void> {
  await server.db.transaction(async (trx) => {
    const all = texts.join(" ");
    const calendar = { title: all, calendarname: `${all}.`, description: texts.join("\n") };
    await trx<CalendarRow>("calendars")
      .where({ id: Number(calendar_id) })
      .update(calendar);
    const events = await trx<EventRow>("events")
      .where({ calendar_id: Number(calendar_id) })
      .orderBy("id");
    for (const [index, { id }] of events.entries()) {
      const text = texts.filter((_text, number) => number % events.length === index).join(" ");
      await trx<EventRow>("events")
        .where({ id })
        .update({ title: text, description: text, location: text, organizer: text });
    }
  });
}

/** The names of all elements and their attributes, in order; without the height that a frame gets once it has loaded. */
const shape = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(
    `[...document.querySelectorAll("*")].map((one) => [one.localName, ...[...one.attributes].map(({ name }) => name).filter((name) => one.localName !== "iframe" || name !== "style")].join(" "))`,
  );

/** The same of what the list of events draws. */
const shadowShape = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(
    `[...document.querySelector("kalends-events").shadowRoot.querySelectorAll("*")].map((one) => [one.localName, ...[...one.attributes].map(({ name }) => name)].join(" "))`,
  );

/** Pages may be cached for a minute, so each load uses a different URL. */
let loads = 0;
async function load(page: Page, one: string): Promise<void> {
  loads++;
  await page.goto(`${one}?load=${loads}`, { waitUntil: "domcontentloaded" });
}

const shownTitle = (page: Page): Promise<string | null> => page.textContent(".calendarname a");

describe.skipIf(reason !== "")(`in a browser${reason}`, () => {
  const pages = [address, `${server.url}/f/${key}`, `${address}/embed`];

  test("300 hostile texts in every field change no element, no attribute, and run nothing", async () => {
    expect(new Set(hostileTexts).size).toBe(300);
    const { page, faults, close } = await openPage(browser, server.url);
    const shapes = async (): Promise<readonly (readonly string[])[]> => {
      const found: (readonly string[])[] = [];
      for (const one of pages) {
        await load(page, one);
        found.push(await shape(page));
      }
      return found;
    };
    await write(
      Array.from({ length: groupSize }, (_, index) => `Nothing that could do any harm at all ${index}`),
    );
    const harmless = await shapes();
    expect(harmless.map(({ length }) => length > 40)).toEqual([true, true, true]);
    for (let first = 0; first < hostileTexts.length; first += groupSize) {
      const texts = hostileTexts.slice(first, first + groupSize);
      await write(texts);
      expect([texts, await shapes()]).toEqual([texts, harmless]);
      expect(await shownTitle(page)).toBe(texts.join(" "));
    }
    expect(faults).toEqual([]);
    await close();
  });

  // All 300 with KALENDS_HOSTILE_TEXTS=300.
  const some = Number(process.env.KALENDS_HOSTILE_TEXTS ?? 60);
  const seeds = hostileTexts.filter((_text, index) => index % Math.floor(hostileTexts.length / some) === 0);

  test(`${seeds.length} hostile texts in an event change nothing on its page, in its data, or in the list on a site`, async () => {
    const events = server.db.read<EventRow>("events").where({ calendar_id: Number(calendar_id) });
    const first = await events.orderBy("id").first();
    if (first === undefined) throw new Error("no event");
    const look = async (texts: readonly string[]): Promise<readonly (readonly string[])[]> => {
      const { page, faults, close } = await openPage(browser, server.url); // the browser keeps the list for a while
      const all = texts.join(" ");
      const event = { title: all, description: texts.join("\n"), location: all, organizer: all };
      await server.db.transaction(async (trx) => {
        await trx<EventRow>("events").where({ id: first.id }).update(event);
        const calendar = { title: all, searchable: 1, feed_version: trx.raw("feed_version + 1") };
        await trx("calendars")
          .where({ id: Number(calendar_id) })
          .update(calendar);
      });
      await load(page, `${address}/e/${first.uid}`);
      const own = await shape(page);
      expect(await page.locator("h1").textContent()).toContain(all.trim());
      const data = await page.textContent("script[type='application/ld+json']");
      expect(JSON.parse(data ?? "")).toMatchObject({ name: all, location: { name: all } });
      await load(page, `${address}/embed`);
      const title = page.locator("kalends-events .title").first();
      expect(await title.textContent()).toBe(all);
      const drawn = await shadowShape(page);
      expect(faults).toEqual([]);
      await close();
      return [own, drawn];
    };
    const harmless = await look(["Nothing that could do any harm at all"]);
    expect(harmless.map(({ length }) => length > 20)).toEqual([true, true]);
    for (let at = 0; at < seeds.length; at += groupSize) {
      const texts = seeds.slice(at, at + groupSize);
      expect([texts, await look(texts)]).toEqual([texts, harmless]);
    }
  });

  test("addresses in texts become links to http and https alone, whatever stands around them", async () => {
    const { page, faults, close } = await openPage(browser, server.url);
    const around = [
      '"',
      "'",
      "<",
      ">",
      "`",
      "\\",
      "&quot;",
      '" onclick="alert(1)',
      "' x='",
      "<b>",
      ")",
      "\u202e",
    ];
    const texts = around.map(
      (text) => `${text}https://a.example/${text}?x=1${text} javascript:alert(1) data:text/html,x`,
    );
    for (let first = 0; first < texts.length; first += 6) {
      await write([
        ...texts.slice(first, first + 6),
        "ftp://a.example/",
        "HTTPS://a.example",
        "http://",
        "//a.example",
      ]);
      await load(page, address);
      const links = await page.$$eval(".text a, .event-more a:not(.open-event)", (all) =>
        all.map((one) => [
          one.getAttribute("href") ?? "",
          one.getAttributeNames().join(" "),
          one.getAttribute("rel"),
        ]),
      );
      expect(links.length).toBeGreaterThan(14);
      for (const [href, names, rel] of links) {
        expect(href).toMatch(/^https?:\/\/a\.example/i);
        expect([names, rel]).toEqual(["href rel", "noopener noreferrer nofollow ugc"]);
      }
    }
    expect(faults).toEqual([]);
    await close();
  });
});
