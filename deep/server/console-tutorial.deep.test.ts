import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCalendarClient } from "@kalends/client";
import { afterAll, expect, test } from "vitest";
import { en } from "../../apps/console/src/texts/en.js";
import { startTestServer } from "../../apps/server/test/harness.js";
import { launchBrowser, openPage, withoutBrowser } from "./browser.js";
import { concertEvents, concerts } from "./screenshot-data.js";
import { signInLink, takeConsole } from "./screenshots-console.js";
import { tutorialScreen, typedIn, walkTutorial } from "./screenshots-tutorial.js";

// The pages about the console use its names: docs/tutorial-console.md, which is done step by step, and docs/console.md.

const readPage = (name: string): string =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const namedIn = (page: string): readonly string[] =>
  [...page.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name);
const picturesOf = (page: string): readonly string[] =>
  [...page.matchAll(/images\/([\w-]+\.png)/g)].map(([, name = ""]) => name);
const tutorial = readPage("tutorial-console");
const server = await startTestServer();
afterAll(() => server.stop());

test.skipIf(withoutBrowser !== "")(
  `the tutorial of the console names what its steps use, in that order, and shows the pictures that they take${withoutBrowser}`,
  async () => {
    const owner = await server.account();
    const link = `${server.url}/console/join#${await signInLink(server, owner.id, server.now)}`;
    const browser = await launchBrowser();
    const { page, faults } = await openPage(browser, server.url, tutorialScreen);
    const taken: string[] = [];
    const take = async (name: string): Promise<void> => void taken.push(name);
    const used = await walkTutorial({ page, link, rows: typedIn(tutorial), take });
    await browser.close();
    const ofDeleted = /^console: Failed to load resource: .* 404 \(Not Found\) \/console\/api\//;
    expect(faults.filter((fault) => !ofDeleted.test(fault))).toEqual([]);
    const named = namedIn(tutorial);
    expect(named.length).toBeGreaterThan(10);
    let next = 0;
    const isUsedNext = (name: string): boolean => (next = used.indexOf(name, next) + 1) > 0;
    expect(named.filter((name) => !isUsedNext(name))).toEqual([]);
    expect(picturesOf(tutorial)).toEqual(taken.map((name) => `tutorial-${name}.png`));
  },
);

test.skipIf(withoutBrowser !== "")(
  `the pictures of docs/console.md can be taken${withoutBrowser}`,
  async () => {
    const { id: account, token } = await server.account();
    const client = createCalendarClient({ baseUrl: server.url, token });
    const { id } = await client.calendars.create(concerts);
    for (const event of concertEvents) await client.events.create({ calendar_id: id, ...event });
    const folder = mkdtempSync(join(tmpdir(), "kalends-pictures-"));
    const browser = await launchBrowser();
    server.now = Date.UTC(2026, 10, 21, 13) / 1000;
    await takeConsole(browser, server, folder, { id, now: server.now, token, account });
    await browser.close();
    expect(readdirSync(folder).toSorted()).toEqual(picturesOf(readPage("console")).toSorted());
    rmSync(folder, { recursive: true });
  },
);

test("docs/console.md names what the console has", () => {
  const textsOf = (part: unknown): readonly string[] =>
    typeof part === "string" ? [part] : Object.values(part ?? {}).flatMap(textsOf);
  const texts = textsOf(en);
  const named = namedIn(readPage("console"));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !texts.includes(name) && !texts.includes(name.replace(/ …$/, "")))).toEqual(
    [],
  );
});
