// Takes the pictures of docs/following.md, docs/console.md and docs/tutorial-console.md again, with Chromium, from a server of its own with a calendar made up here:
//
//   deep/node_modules/.bin/tsx --conditions @kalends/source deep/server/screenshots.ts [folder] [full]
//
// The letters are those of the machine's own fonts. With "full" each picture is the whole page.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCalendarClient } from "@kalends/client";
import { pino } from "pino";
import { prepareAccounts } from "../../apps/server/src/people/first-start.js";
import { readConfig } from "../../apps/server/src/settings/config.js";
import { startServer } from "../../apps/server/src/process/server.js";
import { launchBrowser, openBy } from "./browser.js";
import { signInLink, takeConsole } from "./screenshots-console.js";
import { tutorialScreen, typedIn, walkTutorial } from "./screenshots-tutorial.js";
import { concertEvents, concerts } from "./screenshot-data.js";

const images = fileURLToPath(new URL("../../docs/images", import.meta.url));
const [folder = images, full] = process.argv.slice(2);
const clock = (): number => Date.UTC(2026, 10, 21, 13, 0) / 1000;
const data = mkdtempSync(join(tmpdir(), "kalends-screenshots-"));
const config = readConfig({
  PORT: "0",
  DATABASE_URL: `sqlite:${join(data, "kalends.sqlite")}`,
  PUBLIC_URL: "https://calendars.example.com",
});
const server = await startServer({ config, log: pino({ level: "warn" }), clock });
const token = "screenshots-screenshots";
await prepareAccounts(server.db, { settingToken: token, makesDemo: false }, clock());
const browser = await launchBrowser();
const learner = await browser.newPage(tutorialScreen);
await learner.clock.setFixedTime(clock() * 1000);
await walkTutorial({
  page: learner,
  link: `${server.url}/console/join#${await signInLink(server, 1, clock())}`,
  rows: typedIn(readFileSync(new URL("../../docs/tutorial-console.md", import.meta.url), "utf8")),
  take: (name) => learner.screenshot({ path: join(folder, `tutorial-${name}.png`) }),
});
const client = createCalendarClient({ baseUrl: server.url, token });
const { id, uniquekey } = await client.calendars.create(concerts);
for (const event of concertEvents) await client.events.create({ calendar_id: id, ...event });
await server.db.transaction((trx) => trx("calendars").where({ id }).update({ followers_active: 1284 }));

const sizes = [
  ["phone", { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }],
  ["desktop", { viewport: { width: 1200, height: 840 }, deviceScaleFactor: 1 }],
] as const;

mkdirSync(folder, { recursive: true });
for (const [size, screen] of sizes) {
  for (const colorScheme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      ...screen,
      colorScheme,
      locale: "en-GB",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const take = async (name: string): Promise<void> => {
      const path = join(folder, `${name}-${size}-${colorScheme}.png`);
      if (folder === images && !existsSync(path)) return; // the documentation shows some of them
      await page.screenshot({ path, fullPage: full === "full" });
    };
    await page.goto(`${server.url}/c/${uniquekey}`);
    await take("follow");
    await page.goto(`${server.url}/c/${uniquekey}?month=2026-11`); // where the list is open on a phone too
    await page.evaluate(`document.getElementById("month").scrollIntoView()`);
    if (full !== "full") await take("month");
    await openBy(page, () => page.click(`a:text("Schubert")`));
    await take("event");
    await page.goto(`${server.url}/c/${uniquekey}`);
    await openBy(page, () => page.click("button[value=google]"));
    await take("follower");
    await page.goto(`${server.url}/c/${uniquekey}/embed`);
    await take("embed");
    await context.close();
  }
}
/** A page of another site with the list of events. */
const site = `<!doctype html><html lang="en"><style>
  body { max-width: 34rem; margin: 2rem; background: #fdf8ee; color: #33302a; font: 17px/1.5 Georgia, serif; }
  kalends-events { min-height: calc(4.25em * 4); --kalends-list-muted: #6b5f4a; --kalends-list-border: #d9cdb4; }
</style><h1>The Riverside Inn</h1><p>Two minutes from the concert hall. Tonight and after:</p>
<script type="module" src="${server.url}/assets/kalends-events.js"></script>
<kalends-events calendar="${server.url}/c/${uniquekey}" limit="4"></kalends-events>`;
const guest = await browser.newPage({
  viewport: { width: 640, height: 480 },
  locale: "en-GB",
  timezoneId: "Europe/Berlin",
});
await guest.clock.setFixedTime(clock() * 1000);
await guest.setContent(site);
await guest.locator("kalends-events li").first().waitFor();
await guest.screenshot({ path: join(folder, "list-on-a-site.png") });
await takeConsole(browser, server, folder, { id, now: clock(), token, account: 1 });
await browser.close();
await server.stop();
rmSync(data, { recursive: true });
