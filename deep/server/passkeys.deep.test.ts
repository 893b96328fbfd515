/// <reference lib="dom" />
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import { issueLink } from "../../apps/server/src/people/links.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { newPerson } from "../../apps/server/test/people.js";
import { launchBrowser, openPage, violations, type WatchedPage, withoutBrowser } from "./browser.js";

// Extensions X9.2: passkeys in a real browser, with its virtual authenticator, in the console and by its requests.

let server: TestServer;
let browser: Browser;
/** As people reach it: browsers make no passkeys for an address. */
let site = "";
const elsewhere = createServer((_req, res) => {
  res.setHeader("Content-Type", "text/html");
  res.end("<!doctype html><title>Elsewhere</title>");
});

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  server = await startTestServer();
  site = server.url.replace("127.0.0.1", "localhost");
  elsewhere.listen(0, "127.0.0.1");
  await once(elsewhere, "listening");
  browser = await launchBrowser(["--host-resolver-rules=MAP * 127.0.0.1"]);
});
afterAll(async () => {
  await browser?.close();
  elsewhere.close();
  await server?.stop();
});

/** A device of a person: a page, and what keeps passkeys. */
interface Device extends WatchedPage {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

async function openDevice(isSynced = false): Promise<Device> {
  const watched = await openPage(browser, site, { locale: "de-DE", bypassCSP: true });
  const cdp = await watched.page.context().newCDPSession(watched.page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      defaultBackupEligibility: isSynced,
      defaultBackupState: isSynced,
    },
  });
  return { ...watched, cdp, authenticatorId };
}

/** Sends what the console would, from its page. */
function send(
  page: Page,
  path: string,
  body?: object,
): Promise<{
  readonly status: number;
  readonly body: Record<string, string> & { meta?: { error_type?: string } };
}> {
  return page.evaluate(
    async ({ to, sent }) => {
      const headers = { "Kalends-Console": "1", "Content-Type": "application/json" };
      const init = sent === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(sent) };
      const response = await fetch(`/console/api/${to}`, init);
      return { status: response.status, body: await response.json() };
    },
    { to: path, sent: body },
  );
}

/** Has the passkey of a page sign a challenge. */
const sign = (page: Page, challenge: string): Promise<object> =>
  page.evaluate(async (signed) => {
    const bytes = Uint8Array.from(atob(signed.replaceAll("-", "+").replaceAll("_", "/")), (one) =>
      one.charCodeAt(0),
    );
    const publicKey = { challenge: bytes, rpId: "localhost", userVerification: "required" as const };
    const given = await navigator.credentials.get({ publicKey });
    if (!(given instanceof PublicKeyCredential)) throw new Error("no passkey");
    const printed: object = given.toJSON();
    return printed;
  }, challenge);

async function challengeOf(page: Page): Promise<string> {
  return (await send(page, "session/ways/")).body["challenge"] ?? "";
}

/** Signs in with what a passkey has signed. Returns the status and the type of the error. */
async function openBy(page: Page, passkey: object): Promise<readonly unknown[]> {
  const { status, body } = await send(page, "session/open/", { passkey });
  return [status, body.meta?.error_type];
}

const unknown = [401, "passkey_unknown"];

const button = ({ page }: Device, name: string) => page.getByRole("button", { name, exact: true });

/** Signs a person in by a link, on a device. */
async function join(device: Device, link: string): Promise<void> {
  await device.page.goto(`${site}/console/join#${link}`);
  await button(device, de.signIn.button).click();
  await device.page.getByText(de.calendars.empty).first().waitFor();
}

/** A new person, who adds a passkey on a device in the console. */
async function added(device: Device, accountId: number): Promise<{ readonly id: number }> {
  const person = await newPerson(server, accountId, undefined);
  await join(device, person.link);
  await addOn(device);
  return person;
}

async function addOn(device: Device): Promise<void> {
  await device.page.goto(`${site}/console/you`);
  await button(device, de.passkeys.add).click();
  await device.page.getByRole("status").getByText(de.passkeys.added).waitFor();
  await button(device, de.passkeys.remove).first().waitFor();
}

async function signOut(device: Device): Promise<void> {
  await device.page.getByText("Ada", { exact: true }).first().click();
  await button(device, de.you.signOut).click();
  await button(device, de.signIn.passkey).waitFor();
}

describe.skipIf(withoutBrowser !== "")(`a passkey${withoutBrowser}`, () => {
  test("is added in the console, signs in, on a second device too, and no more once it is removed", async () => {
    const account = await server.account();
    const [phone, laptop] = [await openDevice(), await openDevice()];
    const { id } = await added(phone, account.id);
    await phone.page.waitForFunction(() => document.querySelectorAll(".row").length === 2);
    expect(await violations(phone.page)).toEqual([]);
    await signOut(phone);
    expect(await violations(phone.page)).toEqual([]);
    await button(phone, de.signIn.passkey).click();
    await phone.page.getByText(de.calendars.empty).first().waitFor();

    const { link } = await relink(id);
    await join(laptop, link);
    await addOn(laptop);
    await signOut(laptop);
    await button(laptop, de.signIn.passkey).click();
    await laptop.page.getByText(de.calendars.empty).first().waitFor();
    await laptop.page.goto(`${site}/console/you`);
    const { body } = await send(laptop.page, "passkeys/list/");
    expect(body["passkeys"]).toHaveLength(2);

    // The same device makes no second one for the same person.
    await button(laptop, de.passkeys.add).click();
    await laptop.page.getByText(de.passkeys.failed).waitFor();

    await laptop.page.getByRole("button", { name: de.passkeys.remove }).first().click();
    await laptop.page.getByRole("status").getByText(de.passkeys.removed).waitFor();
    await signOut(phone);
    await button(phone, de.signIn.passkey).click();
    await phone.page.getByText(de.signIn.passkeyRefused).waitFor();
    const faults = [...phone.faults, ...laptop.faults];
    const printed = /Cleared data types|status of 401/; // by Chromium, of each sign-out and refusal
    expect(faults.filter((fault) => !printed.test(fault))).toEqual([]);
    await Promise.all([phone.close(), laptop.close()]);
  });

  test("signs in over a page whose session has ended, and is refused where a person has 20", async () => {
    const account = await server.account();
    const device = await openDevice();
    const { id } = await added(device, account.id);
    await server.db.transaction((trx) => trx("sessions").where({ account_id: account.id }).delete());
    await button(device, de.passkeys.remove).click();
    await button(device, de.signIn.passkey).click();
    await device.page.getByRole("status").getByText(de.passkeys.removed).waitFor();
    const passkey = {
      person_id: id,
      created_at: 0,
      used_at: 0,
      counter: 0,
      synced: 0,
      public_key: "",
      device: "",
    };
    const many = Array.from({ length: 20 }, (_, index) => ({ ...passkey, credential_id: `${id} ${index}` }));
    await server.db.transaction((trx) => trx("passkeys").insert(many));
    const refused = device.page.waitForResponse(/passkeys\/create/);
    await button(device, de.passkeys.add).click();
    expect((await (await refused).json()).meta.error_type).toBe("passkey_limit_reached");
    await device.close();
  });
});

describe.skipIf(withoutBrowser !== "")(`what a passkey has signed${withoutBrowser}`, () => {
  test("counts once, for five minutes, for the challenge of a sign-in, on the own origin", async () => {
    const account = await server.account();
    const device = await openDevice();
    await added(device, account.id);
    const { page } = device;
    const signed = await sign(page, await challengeOf(page));
    expect(await openBy(page, signed)).toEqual([200, undefined]);
    expect(await openBy(page, signed), "again").toEqual(unknown);

    const late = await sign(page, await challengeOf(page));
    server.now += 300;
    expect(await openBy(page, late), "late").toEqual(unknown);
    server.now -= 300;

    const forNew = (await send(page, "passkeys/options/")).body["challenge"] ?? "";
    expect(await openBy(page, await sign(page, forNew)), "for a new passkey").toEqual(unknown);
    expect(await openBy(page, await sign(page, "x".repeat(72))), "made up").toEqual(unknown);

    const challenge = await challengeOf(page);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/`);
    const foreign = await sign(page, challenge);
    await page.goto(`${site}/console/you`);
    expect(await openBy(page, foreign), "on another origin").toEqual(unknown);
    await device.close();
  });

  test("is refused of a copy, by its counter; that of a synced one is not looked at", async () => {
    const account = await server.account();
    for (const isSynced of [false, true]) {
      const device = await openDevice(isSynced);
      const { page, cdp, authenticatorId } = device;
      await added(device, account.id);
      expect(await openBy(page, await sign(page, await challengeOf(page)))).toEqual([200, undefined]);
      const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
      const [credential] = credentials;
      if (credential === undefined) throw new Error("no passkey");
      expect(credential.signCount).toBeGreaterThan(0);
      // Its next signature has the number of the last one.
      await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
      const copy = { ...credential, signCount: credential.signCount - 1 };
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: copy });
      const outcome = await openBy(page, await sign(page, await challengeOf(page)));
      expect(outcome).toEqual(isSynced ? [200, undefined] : unknown);
      await device.close();
    }
  });
});

test.skipIf(withoutBrowser !== "")(
  "an address has no passkeys, and its sign-in does not offer them",
  async () => {
    const { link } = await newPerson(server, (await server.account()).id);
    const { page, close } = await openPage(browser, server.url, { locale: "de-DE" });
    await page.goto(`${server.url}/console/join#${link}`);
    await page.getByRole("button", { name: de.signIn.button, exact: true }).click();
    await page.getByText(de.calendars.empty).first().waitFor();
    expect((await send(page, "session/")).body["can"]).toEqual({ mail: false, passkeys: false, oidc: false });
    await page.goto(`${server.url}/console/you`);
    await page.getByText(de.passkeys.none).waitFor();
    await close();
  },
);

/** A new link of a person. */
async function relink(id: number): Promise<{ readonly link: string }> {
  return { link: (await server.db.transaction((trx) => issueLink(trx, id, "signIn", server.now))).secret };
}
