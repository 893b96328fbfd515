import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, withoutBrowser } from "../server/browser.js";
import { startTestServer, type TestAccount, type TestServer } from "../../apps/server/test/harness.js";
import { packClient, type PackedClient } from "../../packages/client/test/packed.js";
import { packageFolder } from "../../packages/client/test/program.js";

// docs/tutorial.md, from top to bottom, in a folder of its own with the packed client.
const tutorial = readFileSync(join(packageFolder, "../../docs/tutorial.md"), "utf8");
const files = [...tutorial.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```/gms)].map(([, name = "", code = ""]) => ({
  name,
  code,
}));
const commands = [...tutorial.matchAll(/^```console\n\$ (.*?)\n(.*?)^```/gms)].map(
  ([, command = "", output = ""]) => ({ command, output }),
);
const [, page = ""] = /^```html\n(.*?)^```/ms.exec(tutorial) ?? [];
let server: TestServer;
let account: TestAccount;
let packed: PackedClient;
/** The follow page's key. */
let key = "";

beforeAll(async () => {
  server = await startTestServer();
  account = await server.account();
  packed = packClient();
  for (const { name, code } of files) writeFileSync(join(packed.project, name), code);
});
afterAll(async () => {
  packed[Symbol.dispose]();
  await server.stop();
});

/** The addresses of the tutorial's own server become those of this one. */
function here(text: string): string {
  return text.replaceAll("http://127.0.0.1:8080", server.url).replaceAll("5j2c9mta7xkw", key);
}

async function shell(command: string): Promise<string> {
  const env = { PATH: process.env.PATH, TOKEN: account.token, KALENDS_URL: server.url };
  const { stdout } = await promisify(execFile)("bash", ["-c", here(command)], { cwd: packed.project, env });
  return stdout;
}

/** What a reader does on the follow page. */
async function follow(): Promise<void> {
  const fields = { app: "google", name: "Ada Lovelace", email: "ada@example.com" };
  const body = new URLSearchParams(fields);
  const answer = await server.request(`/c/${key}/follow`, { method: "POST", body, redirect: "manual" });
  expect(answer.status).toBe(303);
}

test("the tutorial has a program for each command, and a page", () => {
  const run = commands
    .map(({ command }) => command.replace(/^node /, ""))
    .filter((name) => name.endsWith(".mjs"));
  expect(["kalends.mjs", ...run]).toEqual(files.map(({ name }) => name));
  expect(page).toContain("<kalends-follow");
});

describe("the commands of the tutorial print what it shows", () => {
  for (const { command, output } of commands) {
    test(command, async () => {
      if (command.includes("followers")) await follow();
      const printed = await shell(command);
      key ||= /\/c\/(\w+)$/m.exec(printed)?.[1] ?? "";
      expect(printed).toBe(here(output));
      if (command.includes("delete")) expect((await server.request(`/c/${key}`)).status).toBe(410);
    });
  }
});

test.skipIf(withoutBrowser !== "")(
  `the button on the page of one's own leads to the follow page, where one follows${withoutBrowser}`,
  async () => {
    const { body } = await account.call("createCalendar", { title: "Town", timezone: "Europe/London" });
    key = body.calendar.uniquekey;
    const file = join(packed.project, "index.html");
    writeFileSync(file, here(page));
    const chrome = await launchBrowser();
    try {
      const tab = await chrome.newPage({ locale: "en-GB" });
      await tab.goto(pathToFileURL(file).href);
      const button = tab.locator("kalends-follow a", { hasText: "Follow calendar" });
      await button.waitFor(); // the component has replaced the link
      await button.click();
      await tab.waitForURL(`${server.url}/c/${key}`);
      await tab.click("summary:has-text('Name and e-mail')");
      await tab.fill("#name", "Ada Lovelace");
      await tab.fill("#email", "ada@example.com");
      await tab.click("button[value=google]");
      await tab.waitForURL(`${server.url}/f/**`);
    } finally {
      await chrome.close();
    }
    const list = await account.call("listSubscribers", { calendar_id: body.calendar.id });
    expect(list.body.subscribers).toMatchObject([{ name: "Ada Lovelace", calendar_type: "google" }]);
  },
);
