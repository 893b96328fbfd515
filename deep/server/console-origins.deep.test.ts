/// <reference lib="dom" />
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { en } from "../../apps/console/src/texts/en.js";
import { de } from "../../apps/console/src/texts/de.js";
import { issueLink } from "../../apps/server/src/people/links.js";
import { newPerson } from "../../apps/server/test/people.js";
import { launchBrowser, withoutBrowser } from "./browser.js";

// Extensions X9.3 in a real browser: what pages of other sites, other ports and sibling hosts send to a server whose cookie the browser has
// (docs/decisions/0021-people.md has the table). A session is used by the console's own page alone.

let server: TestServer;
let browser: Browser;
const pages = createServer((_req, res) => {
  res.setHeader("Content-Type", "text/html");
  res.end("<!doctype html><title>Elsewhere</title>");
});
let [port, other] = [0, 0];

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  server = await startTestServer({ CONSOLE_INSECURE: "on" });
  pages.listen(0, "127.0.0.1");
  await once(pages, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
  [port, other] = [Number(new URL(server.url).port), (pages.address() as AddressInfo).port];
  browser = await launchBrowser(["--host-resolver-rules=MAP * 127.0.0.1"]);
});
afterAll(async () => {
  await browser?.close();
  pages.close();
  await server?.stop();
});

/** The console's own request, from a page of the service. */
function ownRequest(page: Page, path: string, body?: object): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ({ to, sent }) => {
      const headers = { "Kalends-Console": "1", "Content-Type": "application/json" };
      const init = sent === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(sent) };
      const response = await fetch(`/console/api/${to}`, init);
      return { status: response.status, text: await response.text() };
    },
    { to: path, sent: body },
  );
}

/** Everything that a page can send to a URL with the cookies of the browser. Returns what it could read. */
async function attack(page: Page, origin: string, calendarId: string): Promise<readonly string[]> {
  return page.evaluate(
    async ({ to, id }) => {
      const read: string[] = [];
      const console = `${to}/console/api`;
      const body = JSON.stringify({ title: "Planted", calendar_id: id });
      const send = async (url: string, init: RequestInit) => {
        try {
          const text = await (await fetch(url, { credentials: "include", ...init })).text();
          if (text !== "") read.push(text);
        } catch {
          // refused by the browser
        }
      };
      const paths = ["calendars/create/", "calendars/delete/", "calendars/update/", "session/end/"];
      for (const path of paths)
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"]) {
          const post = { method: "POST", headers: { "Content-Type": type }, body };
          await send(`${console}/${path}`, post);
          await send(`${console}/${path}`, { ...post, mode: "no-cors" });
          await send(`${console}/${path}`, { ...post, headers: { ...post.headers, "Kalends-Console": "1" } });
        }
      await send(`${console}/calendars/list/`, {});
      await send(`${console}/calendars/list/`, { mode: "no-cors" });
      await send(`${console}/calendars/list/`, { headers: { "Kalends-Console": "1" } });
      await send(`${to}/api/v1/calendars/delete/?calendar_id=${id}`, { mode: "no-cors" });
      const image = new Image();
      const loaded = new Promise((resolve) => {
        image.addEventListener("error", resolve);
        image.addEventListener("load", resolve);
      });
      image.src = `${to}/api/v1/calendars/delete/?calendar_id=${id}&x=${to.length}`;
      await loaded;
      return read;
    },
    { to: origin, id: calendarId },
  );
}

/** A form that a page submits, and a link that is followed: the page is left. */
async function leave(
  page: Page,
  from: string,
  to: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data"]) {
    await page.goto(from);
    const submitted = page.waitForURL(`${to}/**`);
    await page.evaluate(
      ({ action, enctype, values }) => {
        const form = document.createElement("form");
        Object.assign(form, { method: "post", action, enctype });
        for (const [name, value] of Object.entries(values)) {
          const input = document.createElement("input");
          Object.assign(input, { name, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      },
      { action: `${to}/console/api/calendars/create/`, enctype: type, values: fields },
    );
    await submitted;
  }
  await page.goto(from);
  const followed = page.waitForURL(`${to}/**`);
  await page.evaluate((href) => {
    const link = document.createElement("a");
    link.href = href;
    document.body.append(link);
    link.click();
  }, `${to}/api/v1/calendars/delete/?calendar_id=${fields.calendar_id}`);
  await followed;
}

describe.each([
  { title: "http://localhost, which browsers treat as https", host: "localhost", sibling: "other.localhost" },
  { title: "a plain http host", host: "kalends.lan", sibling: "lan" },
  { title: "a plain http host with a sibling", host: "calendars.club.lan", sibling: "wiki.club.lan" },
])(`$title${withoutBrowser}`, ({ host, sibling }) => {
  test.skipIf(withoutBrowser !== "").each(["another site", "another port", "a sibling host"])(
    "%s uses no session",
    async (who) => {
      const account = await server.account();
      const { link } = await newPerson(server, account.id);
      const origin = `http://${host}:${port}`;
      const context = await browser.newContext({ bypassCSP: true });
      const page = await context.newPage();
      await page.goto(`${origin}/healthz`);
      expect((await ownRequest(page, "session/open/", { link })).status).toBe(200);
      const made = await ownRequest(page, "calendars/create/", { title: "Own" });
      const { calendar }: { calendar: { id: string } } = JSON.parse(made.text);

      const hosts = { "another site": "elsewhere.example", "another port": host, "a sibling host": sibling };
      const from = `http://${Object.entries(hosts).find(([name]) => name === who)?.[1]}:${other}/`;
      const logged = server.logLines.length;
      const foreign = await context.newPage();
      await foreign.goto(from);
      const read = await attack(foreign, origin, calendar.id);
      // What may be read is the API's refusal of a request without a token: it allows any origin, without cookies.
      expect(read.filter((text) => !text.includes("token_missing"))).toEqual([]);
      await leave(foreign, from, origin, { title: "Planted", calendar_id: calendar.id });

      const sent = server.logLines.slice(logged);
      expect(sent.length).toBeGreaterThan(15);
      expect(sent.filter(({ status }) => Number(status) < 400)).toEqual([]);
      expect((await account.call("calendarsList")).body.calendars).toMatchObject([{ title: "Own" }]);
      const still = await ownRequest(page, "session/");
      expect(still.status, "the session is still open").toBe(200);
      await context.close();
    },
  );
});

test.skipIf(withoutBrowser !== "")("the cookie is not for scripts", async () => {
  const { link } = await newPerson(server, (await server.account()).id);
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/healthz`);
  await ownRequest(page, "session/open/", { link });
  expect(await page.evaluate(() => document.cookie)).toBe("");
  expect(await context.cookies()).toMatchObject([{ name: "kalends", httpOnly: true, sameSite: "Strict" }]);
  await context.close();
});

test.skipIf(withoutBrowser !== "")(
  "on a plain http host the console works, says what it lacks, and copies by hand",
  async () => {
    const { link } = await newPerson(server, (await server.account()).id);
    const context = await browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    await page.goto(`http://kalends.lan:${port}/console/join#${link}`);
    await page.getByRole("button", { name: en.signIn.button }).click(); // German from here on: the language of the person
    await page.getByRole("button", { name: de.calendars.add }).click();
    await page.getByLabel(de.calendars.name, { exact: true }).fill("Vereinsfeste");
    await page.getByRole("button", { name: de.calendars.create }).click();
    await page.getByText(de.insecure).waitFor();
    await page.getByRole("link", { name: de.calendar.tabs.share, exact: true }).click();
    await page.getByRole("button", { name: de.copy }).first().click();
    await page.getByText(de.copyByHand).waitFor();
    await context.close();
  },
);

describe.skipIf(withoutBrowser !== "")(`a link and a cookie${withoutBrowser}`, () => {
  /** A browser of its own, at the sign-in page of a link. Notes what it names as where it came from. */
  async function openAt(link: string) {
    const context = await browser.newContext({ locale: "de-DE" });
    const page = await context.newPage();
    const sources: string[] = [];
    page.on("request", (request) => void sources.push(request.headers()["referer"] ?? ""));
    await page.goto(`http://localhost:${port}/console/join#${link}`);
    const signIn = () => page.getByRole("button", { name: de.signIn.button, exact: true }).click();
    const isIn = () => page.getByText(de.calendars.empty).first().waitFor();
    const isRefused = () => page.getByText(de.signIn.refused).waitFor();
    return { context, page, sources, signIn, isIn, isRefused };
  }

  test("work once, in time, for one person, and not after a sign-out; no address, log or referrer has a secret", async () => {
    const { id: accountId } = await server.account();
    const { id, link } = await newPerson(server, accountId);
    // A program that looks at the links of a mail.
    for (const method of ["GET", "HEAD"])
      expect((await server.request(`/console/join`, { method })).status).toBe(200);
    const ada = await openAt(link);
    await ada.signIn();
    await ada.isIn();
    const thief = await openAt(link);
    await thief.signIn();
    await thief.isRefused();

    await thief.context.addCookies(await ada.context.cookies()); // stolen
    expect((await ownRequest(thief.page, "session/")).status).toBe(200);
    expect((await ownRequest(ada.page, "session/end/", {})).status).toBe(200);
    expect((await ownRequest(thief.page, "session/")).status).toBe(401);

    const { secret } = await server.db.transaction((trx) => issueLink(trx, id, "signIn", server.now));
    server.now += 15 * 60;
    const late = await openAt(secret);
    await late.signIn();
    await late.isRefused();
    server.now -= 15 * 60;

    const secrets = [link, secret, ...(await thief.context.cookies()).map(({ value }) => value)];
    const seen = [...ada.sources, ...thief.sources, ...late.sources, server.logText()].join();
    for (const hidden of secrets) expect(seen).not.toContain(hidden);
    await Promise.all([ada, thief, late].map(({ context }) => context.close()));
  });

  test("a browser with another session gets a new one: that of another person, or one that was planted, is over", async () => {
    const { id: accountId } = await server.account();
    const [bob, ada] = [await newPerson(server, accountId), await newPerson(server, accountId)];
    const attacker = await openAt(bob.link);
    await attacker.signIn();
    await attacker.isIn();
    const planted = await attacker.context.cookies();
    const victim = await openAt(ada.link);
    await victim.context.addCookies(planted);
    await victim.signIn();
    await victim.isIn();
    const [given] = await victim.context.cookies();
    expect(given?.value).not.toBe(planted[0]?.value);
    expect(JSON.parse((await ownRequest(victim.page, "session/")).text).person.id).toBe(String(ada.id));
    expect((await ownRequest(attacker.page, "session/")).status).toBe(401);
    await Promise.all([attacker, victim].map(({ context }) => context.close()));
  });
});
