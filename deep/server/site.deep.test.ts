import { allOperations, isExtension, isWrite, type Operation } from "@kalends/spec";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sourceUrl, version } from "../../apps/server/src/about.js";
import { setSearchable } from "../../apps/server/src/calendars/queries.js";
import { launchBrowser, openPage, violations, withoutBrowser } from "./browser.js";
import { startTestServer } from "../../apps/server/test/harness.js";

// The page of the service itself, and the API reference.

const server = await startTestServer();
const owner = await server.account();
afterAll(() => server.stop());

const asBrowser = { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };

async function newCalendar(title: string): Promise<number> {
  const made = await owner.call("createCalendar", { title, timezone: "UTC" });
  return Number(made.body.calendar.id);
}

describe("the start page", () => {
  test("a browser gets a page with the version, the reference and the documents; each link works", async () => {
    const { status, headers, text } = await server.request("/", asBrowser);
    expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("Vary")).toContain("Accept,");
    expect(text).toContain(`Version ${version}`);
    const links = [...text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, path = ""]) => path);
    expect(links).toEqual([
      "/console",
      "/docs",
      "/docs/extensions",
      "/openapi-generators.json",
      "/openapi.json",
      "/openapi.yaml",
      "/openapi-3.1.json",
      "/openapi-kalends-generators.json",
      "/openapi-kalends.json",
      "/openapi-kalends.yaml",
      "/",
    ]);
    expect(text).toContain(`<a href="${sourceUrl}">Source code</a>`);
    expect(sourceUrl).toBe("https://github.com/kalends/kalends");
    for (const path of links)
      expect([path, (await server.request(path, asBrowser)).status]).toEqual([path, 200]);
  });

  test.each(["*/*", "text/plain, */*;q=0.1"])(
    "a client that accepts %s gets the page too",
    async (Accept) => {
      const { status, headers } = await server.request("/", { headers: { Accept } });
      expect([status, headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
    },
  );

  test.each(["application/json", "application/json, text/plain, */*", "application/json, text/html;q=0.5"])(
    "a client that accepts %s gets the error of every unknown path, as JSON",
    async (Accept) => {
      const { status, body } = await server.request("/", { headers: { Accept } });
      expect([status, body.meta.error_type]).toEqual([404, "path_unknown"]);
    },
  );

  test("it lists no calendar but those that are searchable, within a minute of the change", async () => {
    const [listed, deleted] = [await newCalendar("Listed"), await newCalendar("Gone")];
    await newCalendar("Hidden");
    for (const id of [listed, deleted]) await server.db.transaction((trx) => setSearchable(trx, id, 1));
    await owner.call("deleteCalendar", { calendar_id: String(deleted) });
    server.now += 60;
    const { text } = await server.request("/", asBrowser);
    expect([...text.matchAll(/href="\/c\/[^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual(["Listed"]);
    await server.db.transaction((trx) => setSearchable(trx, listed, 0));
    server.now += 60;
    expect((await server.request("/", asBrowser)).text).not.toContain('href="/c/');
  });

  test("it opens a calendar by its link, and says when a link is none", async () => {
    const id = await newCalendar("Concerts");
    const { uniquekey } = await server.db.read("calendars").where({ id }).first();
    const open = (link: string) =>
      server.request(`/?link=${encodeURIComponent(link)}`, { ...asBrowser, redirect: "manual" });
    const found = await open(`webcal://kalends.example/c/${uniquekey}/concerts.ics`);
    expect([found.status, found.headers.get("Location")]).toEqual([303, `/c/${uniquekey}`]);
    const wrong = await open('https://example.com/"><b>');
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('value="https://example.com/&quot;&gt;&lt;b&gt;"');
    expect(wrong.text).toContain('role="alert"');
  });

  test("other methods are refused as before", async () => {
    expect((await server.request("/", { ...asBrowser, method: "POST" })).status).toBe(404);
    for (const path of ["/docs", "/docs/extensions"])
      expect((await server.request(path, { ...asBrowser, method: "POST" })).status).toBe(405);
  });

  test("an error page leads to it where there is no other way back", async () => {
    const { status, text } = await server.request("/c/aaaaaaaaaaaa", asBrowser);
    expect(status).toBe(404);
    expect(text).toContain('<a class="button" href="/">Go to the start page</a>');
  });
});

const all: readonly Operation[] = Object.values(allOperations);
const extensions = all.filter(isExtension);

/** The two pages of the reference, each with an operation to send. */
const references = [
  { path: "/docs", shown: all.filter((op) => !isExtension(op)), list: allOperations.listCalendars.path },
  { path: "/docs/extensions", shown: extensions, list: "/api/kalends/v1/calendars/list/" },
] as const;
const schemes = ["light", "dark"] as const;
const pages = references.flatMap((one) => schemes.map((colorScheme) => ({ ...one, colorScheme })));

const reason = withoutBrowser;

describe.skipIf(reason !== "")(`the API reference${reason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  test.each(pages)(
    "$path, $colorScheme: with all other sites out of reach it loads, lists every operation and sends one with a token it does not keep",
    async ({ path: reference, shown, list: listPath, colorScheme }) => {
      const { page, faults, close } = await openPage(browser, server.url, {
        viewport: { width: 1280, height: 900 },
        colorScheme,
      });
      await page.context().route(
        (url) => url.origin !== server.url,
        (route) => route.abort(),
      );
      await page.goto(`${server.url}${reference}`);
      await page.waitForSelector(".opblock");
      expect(await page.textContent("h1")).toContain("Kalends");
      const paths = await page.locator(".opblock-summary-path").allInnerTexts();
      const methods = await page.locator(".opblock-summary-method").allInnerTexts();
      const all = paths.map((path, index) => `${methods[index]} ${path.replaceAll("\u200b", "")}`);
      const listed = all.filter((one) => one.includes(" /")); // the others are the messages to webhooks
      expect(all.includes("POST event.created")).toBe(reference === "/docs/extensions");
      expect(listed.toSorted()).toEqual(
        shown.map((op) => `${isWrite(op) ? "POST" : "GET"} ${op.path}`).toSorted(),
      );

      await page.click("button.authorize");
      await page.fill("#auth-bearer-value", owner.token);
      const bearer = page.locator(".auth-container", { has: page.locator("#auth-bearer-value") });
      await bearer.locator(".auth-btn-wrapper .authorize").click();
      await page.click(".btn-done");
      const list = page.locator(".opblock", { hasText: listPath }).first();
      await list.locator(".opblock-summary-control").click();
      const sent = page.waitForRequest((request) => request.url().includes(listPath));
      await list.locator("button.execute").click();
      const request = await sent;
      expect(request.headers().authorization).toBe(`Bearer ${owner.token}`);
      expect((await request.response())?.status()).toBe(200);
      await expect.poll(() => list.locator(".live-responses-table").innerText()).toContain('"calendars"');

      const stored = await page.evaluate<string>(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])",
      );
      expect(stored).toBe('[{},{},""]');
      const isDark = await page.evaluate<boolean>("document.documentElement.classList.contains('dark-mode')");
      expect(isDark).toBe(colorScheme === "dark");
      expect(faults).toEqual([]);
      await close();
    },
  );

  test.each(pages)(
    "$path, $colorScheme: axe-core finds no violation, on the page and in an open operation",
    async ({ path: reference, colorScheme }) => {
      const { page, close } = await openPage(browser, server.url, { colorScheme, bypassCSP: true });
      await page.goto(`${server.url}${reference}`);
      await page.waitForSelector(".opblock");
      expect(await violations(page)).toEqual([]);
      for (const method of ["get", "post"])
        await page.locator(`.opblock-${method} .opblock-summary-control`).first().click();
      await expect.poll(() => page.locator("button.execute").count()).toBe(2);
      expect(await violations(page)).toEqual([]);
      await close();
    },
  );

  test.each(references)(
    "$path: on a phone it is as wide as the screen, and so are the texts of its groups",
    async ({ path }) => {
      const { page, faults, close } = await openPage(browser, server.url, {
        viewport: { width: 360, height: 740 },
      });
      await page.goto(`${server.url}${path}`);
      await page.waitForSelector(".opblock");
      await page.locator(".opblock-post .opblock-summary-control").first().click();
      await page.waitForSelector("button.execute");
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
      const narrow = await page
        .locator(".opblock-tag > :not(span, button)")
        .evaluateAll((all) =>
          all
            .filter((one) => one.scrollWidth > one.clientWidth || one.clientWidth < 280)
            .map((one) => one.textContent),
        );
      expect(narrow).toEqual([]);
      expect(faults).toEqual([]);
      await close();
    },
  );

  test("its two pages link to each other, and each says which it is", async () => {
    for (const { path } of references) {
      const { text } = await server.request(path, asBrowser);
      expect(text.match(/<a [^>]*aria-current="page"/g)).toHaveLength(1);
      expect(text).toContain(`<a href="${path}" aria-current="page">`);
      for (const other of references) expect(text).toContain(`<a href="${other.path}"`);
    }
  });

  test("below a path of PUBLIC_URL it requests that path", async () => {
    const below = await startTestServer({ PUBLIC_URL: "https://calendars.example.com/kalends" });
    const { text } = await below.request("/docs", asBrowser);
    expect(text).toContain('data-root="/kalends" data-document="/kalends/openapi-generators.json"');
    expect(text.match(/(?:src|href)="(?!\/kalends\/)/g)).toBeNull();
    const other = await below.request("/docs/extensions", asBrowser);
    expect(other.text).toContain('data-document="/kalends/openapi-kalends.json"');
    await below.stop();
  });
});
