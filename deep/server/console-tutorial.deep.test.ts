import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "../../apps/server/test/harness.js";
import { launchBrowser, openPage, withoutBrowser } from "./browser.js";
import { signInLink } from "./screenshots-console.js";
import { tutorialScreen, typedIn, walkTutorial } from "./screenshots-tutorial.js";

// docs/tutorial-console.md: the console does what the page says, under the names that the page uses.

const tutorial = readFileSync(new URL("../../docs/tutorial-console.md", import.meta.url), "utf8");
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
    const ofDeleted =
      "console: Failed to load resource: the server responded with a status of 404 (Not Found)";
    expect(faults.filter((fault) => fault !== ofDeleted)).toEqual([]);
    const named = [...tutorial.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(10);
    let next = 0;
    const isUsedNext = (name = ""): boolean => (next = used.indexOf(name, next) + 1) > 0;
    expect(named.filter((name) => !isUsedNext(name))).toEqual([]);
    expect([...tutorial.matchAll(/images\/tutorial-(\w+)\.png/g)].map(([, name]) => name)).toEqual(taken);
  },
);
