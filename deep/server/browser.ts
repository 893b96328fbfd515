import { existsSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** The one without windows of its own needs a third of the CPU, so it comes first. */
const known = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const browserPath = known.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path));
if (browserPath === undefined && process.env.CI)
  throw new Error(`In CI all tests run, in a browser too: install one of ${known.join(", ")}.`);

/** For test.skipIf and for the title: why there is no browser, or "" when there is one. */
export const withoutBrowser = browserPath === undefined ? " (skipped: there is no Chromium in /usr/bin)" : "";

/** @param more command-line switches besides those that keep Chromium from the network */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  if (browserPath === undefined) throw new Error("There is no Chromium in /usr/bin.");
  return chromium.launch({
    executablePath: browserPath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...more,
    ],
  });
}

export interface WatchedPage {
  readonly page: Page;
  /** What must not happen: messages on the console, violations of the policy, dialogs, requests to other sites. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Opens a page that records every error. `site` is the only origin that it may request. */
export async function openPage(
  browser: Browser,
  site: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ locale: "en-GB", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) =>
    faults.push(`console: ${message.text()} ${pathOf(message.location().url)}`.trim()),
  ); // violations of the policy too
  page.on("pageerror", (error) => faults.push(`script: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${site}/`)) faults.push(`request: ${request.url()}`);
  });
  return { page, faults, close: () => context.close() };
}

/** The path of what a message of the browser's own is about. */
function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : "";
}

/** Does what opens another page in the same window, such as a click, and waits until that page is loaded. */
export async function openBy(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForEvent("load"), act()]);
}

/** Returns what axe-core finds on a page that lets scripts of the test run (`bypassCSP`). @param rules else every rule */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const runOnly = rules === undefined ? undefined : { type: "rule", values: rules };
  const options = JSON.stringify({ resultTypes: ["violations"], runOnly });
  const found = await page.evaluate<axe.AxeResults>(`axe.run(${options})`);
  if (rules === undefined && found.passes.length < 5) throw new Error("axe-core checked almost nothing");
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
