import type { Browser, Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { launchBrowser, openBy, withoutBrowser } from "./browser.js";
import { exchange, type RequestHeaders } from "../../apps/server/test/calls.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";

// A form is taken from this service's own pages, in every browser, and from no other site's.

const server = await startTestServer({ TRUST_PROXY: "1" });
const published = await startTestServer({
  TRUST_PROXY: "1",
  PUBLIC_URL: "https://calendars.example:8443/base",
});
afterAll(() => Promise.all([server.stop(), published.stop()]));

async function newCalendar(on: TestServer): Promise<string> {
  const made = await (await on.account()).call("createCalendar", { title: "Concerts" });
  return made.body.calendar.uniquekey;
}

const calendars = new Map([
  [server, await newCalendar(server)],
  [published, await newCalendar(published)],
]);
const sent = { forms: 0 };

async function statusOf(on: TestServer, headers: RequestHeaders): Promise<number> {
  sent.forms++;
  const { status } = await exchange(on, `/c/${calendars.get(on)}/follow`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": `10.2.0.${sent.forms}`,
      ...headers,
    },
    body: "app=apple",
  });
  return status;
}

const own = server.url;
const site = "Sec-Fetch-Site";

describe("who sends a form", () => {
  const senders: readonly (readonly [who: string, headers: RequestHeaders, status: number])[] = [
    ["our page in a browser of today", { [site]: "same-origin", Origin: own }, 303],
    ["our page, by a browser that hides its Origin", { [site]: "same-origin", Origin: "null" }, 303],
    ["our page in an older browser, or without TLS", { Origin: own }, 303],
    ["a person who loads the answer again", { [site]: "none" }, 303],
    ["a program", {}, 303],
    ["another site's page", { [site]: "cross-site", Origin: "https://evil.example" }, 403],
    ["a page of a sibling host", { [site]: "same-site", Origin: "https://evil.calendars.example" }, 403],
    ["another site's page that calls itself ours", { [site]: "cross-site", Origin: own }, 403],
    ["another site's page that hides where it is", { [site]: "cross-site", Origin: "null" }, 403],
    ["the same in an older browser", { Origin: "null" }, 403],
    ["another site's page in an older browser", { Origin: "https://evil.example" }, 403],
    ["a page of another port", { Origin: "http://127.0.0.1:1" }, 403],
    ["a page of the same host by https", { Origin: own.replace("http:", "https:") }, 403],
    ["an unknown value of Sec-Fetch-Site", { [site]: "cross-origin" }, 403],
    ["two Sec-Fetch-Site headers", { [site]: ["same-origin", "cross-site"] }, 403],
    ["two Origin headers", { Origin: [own, "https://evil.example"] }, 403],
  ];
  for (const [who, headers, status] of senders) {
    test(`${who} gets ${status}`, async () => {
      expect(await statusOf(server, headers)).toBe(status);
    });
  }

  test("a refusal is a page, and nothing was changed", async () => {
    const before = await server.db.read("subscribers").count({ count: "*" });
    const answer = await exchange(server, `/c/${calendars.get(server)}/follow`, {
      method: "POST",
      headers: { "X-Forwarded-For": "10.3.0.1", Origin: "https://evil.example" },
      body: "app=apple",
    });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(await server.db.read("subscribers").count({ count: "*" })).toEqual(before);
  });

  test("with PUBLIC_URL its origin counts, not the host that the server sees", async () => {
    expect(await statusOf(published, { Origin: "https://calendars.example:8443" })).toBe(303);
    expect(await statusOf(published, { Origin: published.url })).toBe(403);
    expect(await statusOf(published, { [site]: "same-origin", Origin: published.url })).toBe(303);
  });

  test("behind a trusted proxy the host counts that the proxy names", async () => {
    const proxied = { "X-Forwarded-Host": "calendars.example", "X-Forwarded-Proto": "https" };
    expect(await statusOf(server, { ...proxied, Origin: "https://calendars.example" })).toBe(303);
    expect(await statusOf(server, { ...proxied, Origin: own })).toBe(403);
  });
});

const without = withoutBrowser;

// Chromium sends Sec-Fetch-Site to 127.0.0.1, as to every https address, and not to a plain http host: both must work.
describe.skipIf(without !== "")(`in Chromium${without}`, () => {
  const opened: Browser[] = [];
  afterAll(() => Promise.all(opened.map((browser) => browser.close())));

  async function newPage() {
    const [known] = opened;
    const browser = known ?? (await launchBrowser(["--host-resolver-rules=MAP *.test 127.0.0.1"]));
    if (known === undefined) opened.push(browser);
    return browser.newPage();
  }

  /** Clicks a button that leads to another page. It may be in a closed part of the page, which is opened first. */
  async function click(page: Page, selector: string): Promise<void> {
    const closed = page.locator(`details:not([open]):has(${selector}) > summary`);
    if ((await closed.count()) > 0) await closed.first().click();
    await openBy(page, () => page.click(selector));
  }

  for (const host of ["127.0.0.1", "calendars.test"]) {
    const base = server.url.replace("127.0.0.1", host);

    test(`at ${host} a person follows, unfollows and deletes by the pages' own forms`, async () => {
      const page = await newPage();
      await page.goto(`${base}/c/${calendars.get(server)}`);
      await click(page, "button[value=google]");
      expect(page.url()).toMatch(/\/f\/[A-Za-z0-9_-]{22}$/);
      await click(page, "form[action$=unfollow] button");
      expect(page.url()).toMatch(/\/f\/[A-Za-z0-9_-]{22}$/);
      expect(await page.locator("form[action$=unfollow]").count()).toBe(0);
      await click(page, "form[action$=delete] button");
      expect(new URL(page.url()).pathname).toBe(`/c/${calendars.get(server)}`);
      await page.close();
    });

    test(`a page of another site cannot send a form to ${host}, however it hides`, async () => {
      const before = await server.db.read("subscribers").count({ count: "*" });
      for (const referrer of ["no-referrer", "same-origin", "unsafe-url"]) {
        const page = await newPage();
        const form = `<meta name="referrer" content="${referrer}"><form method="post" action="${base}/c/${calendars.get(server)}/follow"><button name="app" value="apple">Win</button></form>`;
        await page.route("http://evil.test/**", (route) =>
          route.fulfill({ contentType: "text/html", body: form }),
        );
        await page.goto("http://evil.test/");
        const [answer] = await Promise.all([page.waitForResponse(/follow$/), page.click("button")]);
        expect([referrer, answer.status()]).toEqual([referrer, 403]);
        await page.close();
      }
      expect(await server.db.read("subscribers").count({ count: "*" })).toEqual(before);
    });
  }
});
