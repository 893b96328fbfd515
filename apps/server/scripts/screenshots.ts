// Takes the pictures of docs/following.md again, with Chromium, from a server of its own with a calendar made up here:
//
//   pnpm --filter @kalends/server exec tsx --conditions @kalends/source scripts/screenshots.ts [folder] [full]
//
// The letters are those of the machine's own fonts. With "full" each picture is the whole page.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createCalendarClient } from "@kalends/client";
import { pino } from "pino";
import { prepareAccounts } from "../src/accounts/first-start.js";
import { readConfig } from "../src/config.js";
import { startServer } from "../src/server.js";
import { launchBrowser } from "../test/browser.js";
import { concertEvents, concerts } from "./screenshot-data.js";

const [folder = fileURLToPath(new URL("../../../docs/images", import.meta.url)), full] =
  process.argv.slice(2);
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
const client = createCalendarClient({ baseUrl: server.url, token });
const { id, uniquekey } = await client.calendars.create(concerts);
for (const event of concertEvents) await client.events.create({ calendar_id: id, ...event });
await server.db.transaction((trx) => trx("calendars").where({ id }).update({ followers_active: 1284 }));

const sizes = [
  ["phone", { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5 }],
  ["desktop", { viewport: { width: 1200, height: 840 }, deviceScaleFactor: 1 }],
] as const;

const browser = await launchBrowser();
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
      await page.screenshot({ path, fullPage: full === "full" });
    };
    await page.goto(`${server.url}/c/${uniquekey}`);
    await take("follow");
    await page.evaluate(`document.getElementById("month").scrollIntoView()`);
    if (full !== "full") await take("month");
    await page.click("button[value=google]");
    await take("follower");
    await page.goto(`${server.url}/c/${uniquekey}/embed`);
    await take("embed");
    await context.close();
  }
}
await browser.close();
await server.stop();
rmSync(data, { recursive: true });
