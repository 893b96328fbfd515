import type { Page } from "playwright-core";
import { expect } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { newPerson } from "../../apps/server/test/people.js";
import { launchBrowser, openPage } from "./browser.js";

/**
 * Starts a server and a browser in which an owner of a new account is signed in to the console.
 * @param now the server's time, in Unix seconds
 */
export async function startConsole(environment: Readonly<Record<string, string>> = {}, now?: number) {
  const browser = await launchBrowser();
  const server = await startTestServer(environment);
  server.now = now ?? server.now;
  const owner = await server.account();
  const made = await openPage(browser, server.url, { locale: "de-DE", bypassCSP: true });
  await signIn(made.page, server, owner.id);
  const stop = async (): Promise<void> => {
    expect(made.faults).toEqual([]);
    await made.close();
    await browser.close();
    await server.stop();
  };
  return { browser, server, owner, made, stop };
}

/** Signs a new person of an account in. @param grants else those of an owner */
export async function signIn(
  page: Page,
  server: TestServer,
  accountId: number,
  grants?: Parameters<typeof newPerson>[2],
): Promise<void> {
  const { link } = await newPerson(server, accountId, grants);
  await page.goto(`${server.url}/console/join#${link}`);
  await page.getByRole("button", { name: de.signIn.button, exact: true }).click();
  await page.getByRole("banner").waitFor();
}
