import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

/** Where Debian and CI have it. */
export const browserPath = "/usr/bin/chromium";

/** For test.skipIf and for the title: why there is no browser, or "" when there is one. */
export const withoutBrowser = existsSync(browserPath) ? "" : ` (skipped: there is no ${browserPath})`;

export function launchBrowser(): Promise<Browser> {
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
    ],
  });
}

export interface WatchedPage {
  readonly page: Page;
  /** What must not happen: messages on the console, violations of the policy, dialogs, requests to other sites. */
  readonly faults: readonly string[];
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
  page.on("console", (message) => faults.push(`console: ${message.text()}`)); // violations of the policy too
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
