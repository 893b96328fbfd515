// Measures what an organizer waits for in the console, with Chromium, on a server of its own with calendars made up here:
//
//   deep/node_modules/.bin/tsx --conditions @kalends/source deep/server/console-speed.ts [calendars] [events] [years] [rounds]
//
// It prints medians: how long the month takes to be visible on a slow phone, and what turning to another month costs the main thread.

import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGzip } from "node:zlib";
import { createExtensionsClient } from "@kalends/client/extensions";
import { pino } from "pino";
import type { Page } from "playwright-core";
import { prepareAccounts } from "../../apps/server/src/people/first-start.js";
import { readConfig } from "../../apps/server/src/settings/config.js";
import { type RunningServer, startServer } from "../../apps/server/src/process/server.js";
import { launchBrowser } from "./browser.js";
import { signInLink } from "./screenshots-console.js";

const [calendars = 20, events = 10_000, years = 10, rounds = 9] = process.argv.slice(2).map(Number);
const token = "console-speed-console-speed";
const firstYear = 2026;
const data = mkdtempSync(join(tmpdir(), "kalends-console-speed-"));

// What the proxies of docs/self-hosting.md do with JSON and pages.
const proxy = createServer((req, res) => {
  const { url: path = "", method = "", headers } = req;
  req.pipe(
    request(`${server.url}${path}`, { method, headers }, (answer) => {
      const { "content-length": length, ...rest } = answer.headers;
      const isPlain = rest["content-encoding"] === undefined && Number(length) > 1_000;
      res.writeHead(answer.statusCode ?? 502, {
        ...rest,
        ...(isPlain ? { "content-encoding": "gzip" } : {}),
      });
      if (isPlain) answer.pipe(createGzip({ level: 1 })).pipe(res);
      else answer.pipe(res);
    }),
  );
}).listen(0, "127.0.0.1");
await once(proxy, "listening");
const at = proxy.address();
const origin = `http://127.0.0.1:${typeof at === "object" ? at?.port : ""}`;
const config = readConfig({
  PORT: "0",
  PUBLIC_URL: origin,
  DATABASE_URL: `sqlite:${join(data, "kalends.sqlite")}`,
});
const clock = (): number => Math.floor(Date.now() / 1000);
const server = await startServer({ config, log: pino({ level: "error" }), clock });

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A file of events that are spread evenly over the years. */
function fileOf(calendar: number): string {
  const step = (years * 365 * 24) / events;
  const lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Kalends//Speed//EN"];
  for (let at = 0; at < events; at++) {
    const start = new Date(Date.UTC(firstYear, 0, 1) + Math.floor(at * step) * 3_600_000);
    const stamp = `${start.toISOString().slice(0, 13).replaceAll("-", "")}0000Z`;
    lines.push("BEGIN:VEVENT", `UID:${calendar}-${at}@speed`, `DTSTAMP:${stamp}`, `DTSTART:${stamp}`);
    lines.push("DURATION:PT1H", `SUMMARY:Rehearsal ${at} of group ${calendar}`, "LOCATION:Studio B");
    lines.push("DESCRIPTION:Bring your own music stand. The back door is open from a quarter to.");
    lines.push("END:VEVENT");
  }
  return [...lines, "END:VCALENDAR", ""].join("\r\n");
}

async function fill(running: RunningServer): Promise<readonly string[]> {
  await prepareAccounts(running.db, { settingToken: token, makesDemo: false }, clock());
  const client = createExtensionsClient({ baseUrl: running.url, token });
  const ids: string[] = [];
  for (let at = 0; at < calendars; at++) {
    const { id } = await client.calendars.add({ title: `Group ${at}`, timezone: "Europe/Berlin" });
    await client.calendars.import(id, fileOf(at));
    ids.push(id);
  }
  return ids;
}

async function open(page: Page): Promise<void> {
  await page.goto(`${origin}/console/join#${await signInLink(server, 1, clock())}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Group 0", { exact: true }).waitFor();
}

const ids = await fill(server);
const browser = await launchBrowser();
const whole = await browser.newBrowserCDPSession();
const context = await browser.newContext({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
await context.addInitScript(`{
  const look = new MutationObserver(() => {
    if (document.querySelector(".chip, .event-row") === null) return;
    globalThis.visibleAt = performance.now();
    look.disconnect();
  });
  look.observe(document, { childList: true, subtree: true });
}`);
const signedIn = await context.newPage();
await open(signedIn);

/** A month that is opened for the first time: 1.6 Mbit/s, 150 ms, a quarter of the CPU. */
async function firstLook(path: string): Promise<number> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
  const bytes = 1_600_000 / 8;
  const slow = { offline: false, latency: 150, downloadThroughput: bytes, uploadThroughput: bytes };
  await cdp.send("Network.emulateNetworkConditions", slow);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.goto(`${origin}/console${path}`);
  await page.locator(".chip, .event-row").first().waitFor({ state: "attached", timeout: 60_000 });
  const visibleAt = await page.evaluate<number>("visibleAt");
  await page.close();
  return visibleAt;
}

/** The CPU time of the main threads of all pages so far, in ms: what else runs on the machine does not count. Linux alone has it. */
async function worked(): Promise<number> {
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const nanoseconds = pages.map(({ id }) =>
    Number(readFileSync(`/proc/${id}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Turns to the next month, and waits until it is drawn. */
const turn = `new Promise((resolve) => {
  const isBusy = () => document.querySelector("[aria-busy=true]") !== null;
  let wasBusy = false;
  const look = new MutationObserver(() => {
    wasBusy ||= isBusy();
    if (!wasBusy || isBusy()) return;
    look.disconnect();
    setTimeout(resolve, 300);
  });
  look.observe(document, { attributes: true, childList: true, subtree: true });
  document.querySelector(".turn button:last-of-type").click();
})`;

/** What each turn to the next month costs, in ms of the main thread, and the longest task of all. */
async function turns(path: string): Promise<readonly [costs: readonly number[], longest: number]> {
  const page = await context.newPage();
  await page.goto(`${origin}/console${path}`);
  await page
    .locator(".month-and-day[aria-busy=false] .chip, .agenda .event-row")
    .first()
    .waitFor({ state: "attached" });
  await page.waitForTimeout(2_000); // the parts that are loaded later
  await page.evaluate(`globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask" })`);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await worked();
    await page.evaluate(turn);
    costs.push((await worked()) - before);
  }
  const longest = await page.evaluate<number>("longest");
  await page.close();
  return [costs, longest];
}

/** The longest time between two frames while a list is scrolled to its end, in ms. */
async function scroll(path: string): Promise<readonly [rows: number, longest: number]> {
  const page = await context.newPage();
  await page.goto(`${origin}/console${path}`);
  await page.locator(".agenda .event-row").first().waitFor();
  const longest = await page.evaluate<number>(`new Promise((resolve) => {
    let last = performance.now(), longest = 0;
    const step = (now) => {
      longest = Math.max(longest, now - last);
      last = now;
      scrollBy(0, 400);
      if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) resolve(longest);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame((now) => { last = now; requestAnimationFrame(step); });
  })`);
  const rows = await page.locator(".agenda .event-row").count();
  await page.close();
  return [rows, longest];
}

const day = `day=${firstYear + 1}-03-15`;
const ms = (value: number): string => `${value.toFixed(0)} ms`;
const places = { "one calendar": `/calendars/${ids[0]}`, "all calendars": "/month" };
for (const [name, path] of Object.entries(places)) {
  const looks: number[] = [];
  for (let round = 0; round < rounds; round++) looks.push(await firstLook(`${path}?${day}&view=month`));
  const [costs, longest] = await turns(`${path}?${day}&view=month`);
  const [listed] = await turns(`${path}?${day}&view=agenda`);
  const [rows, frame] = await scroll(`${path}?${day}&view=agenda`);
  process.stdout
    .write(`${name}: month visible after ${ms(median(looks))} (1.6 Mbit/s, 150 ms, a quarter of the CPU)
  turning a month: ${ms(median(costs))} of the main thread, the longest task ${ms(longest)}; a list ${ms(median(listed))}
  scrolling ${rows} rows: the longest frame ${ms(frame)}\n`);
}
await browser.close();
await server.stop();
proxy.close();
rmSync(data, { recursive: true });
