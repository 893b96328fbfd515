/// <reference lib="dom" />
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { de } from "../../apps/console/src/texts/de.js";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { callConsole, newPerson } from "../../apps/server/test/people.js";
import { launchBrowser, openPage, violations, withoutBrowser } from "./browser.js";

// Extensions X9.2: sign in with an identity provider, a real one, in a real browser.

let server: TestServer;
let browser: Browser;
const issuing = createServer();
let [site, issuer] = ["", ""];

beforeAll(async () => {
  if (withoutBrowser !== "") return;
  issuing.listen(0, "127.0.0.1");
  await once(issuing, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server has such an address
  issuer = `http://localhost:${(issuing.address() as AddressInfo).port}`;
  const client = { client_id: "kalends", client_secret: "secret-of-the-client" };
  server = await startTestServer({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: client.client_id,
    OIDC_CLIENT_SECRET: client.client_secret,
  });
  site = server.url.replace("127.0.0.1", "localhost");
  const provider = new Provider(issuer, {
    clients: [{ ...client, redirect_uris: [`${site}/console/oidc`] }],
    pkce: { required: () => true },
    cookies: { keys: ["of the test"] },
    ttl: { AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  });
  const answer = provider.callback();
  issuing.on("request", (req, res) => void answer(req, res));
  browser = await launchBrowser(["--host-resolver-rules=MAP * 127.0.0.1"]);
});
afterAll(async () => {
  await browser?.close();
  issuing.closeAllConnections();
  issuing.close();
  await server?.stop();
});

const openBrowser = () => openPage(browser, site, { locale: "de-DE", bypassCSP: true });
const provided = (page: Page) =>
  page.getByRole("button", { name: de.signIn.provider("localhost"), exact: true });
const home = (page: Page) => page.getByText(de.calendars.empty).first();

/** Signs in at the provider, which then asks whether this service may know it. */
async function logIn(page: Page, name: string): Promise<void> {
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** A person who has joined by the provider, under that name. */
async function joined(
  page: Page,
  name: string,
): Promise<{ readonly id: number; readonly accountId: number }> {
  const { id: accountId } = await server.account();
  const { id, link } = await newPerson(server, accountId);
  await page.goto(`${site}/console/join#${link}`);
  await provided(page).click();
  await logIn(page, name);
  await home(page).waitFor();
  return { id, accountId };
}

/** Sends what the console would, from its page. Returns the status and the type of the error. */
function send(
  page: Page,
  path: string,
  body: object,
): Promise<{ status: number; type?: string; url?: string }> {
  return page.evaluate(
    async ({ to, sent }) => {
      const headers = { "Kalends-Console": "1", "Content-Type": "application/json" };
      const response = await fetch(`/console/api/${to}`, {
        method: "POST",
        headers,
        body: JSON.stringify(sent),
      });
      const answer = await response.json();
      return { status: response.status, type: answer.meta?.error_type, url: answer.url };
    },
    { to: path, sent: body },
  );
}

/** Begins a sign-in of who is signed in at the provider. Returns what that sends back, which the console's request does not bring to the server. */
async function returned(page: Page, body: object = {}): Promise<string> {
  await page.goto(`${site}/healthz`);
  const { url = "" } = await send(page, "oidc/start/", body);
  const sent = new Promise<string>((resolve) => {
    void page.route("**/console/api/oidc/return/", async (route) => {
      const { query }: { query: string } = route.request().postDataJSON();
      await route.abort();
      resolve(query);
    });
  });
  await page.goto(url);
  // Asked again after a code that was used twice: the provider then forgets what it was for.
  if (page.url().startsWith(issuer)) await page.getByRole("button", { name: "Continue" }).click();
  const query = await sent;
  await page.unrouteAll();
  await page.goto(`${site}/healthz`);
  return query;
}

const finish = async (page: Page, query: string): Promise<readonly unknown[]> => {
  const { status, type } = await send(page, "oidc/return/", { query });
  return [status, type];
};
const refused = [401, "identity_refused"];
const notInvited = [401, "identity_unknown"];

/** Changes a part of the cookie that remembers a sign-in: its state, its nonce or the secret of PKCE. */
async function changeFlow(context: BrowserContext, part: number): Promise<void> {
  const cookie = (await context.cookies()).find(({ name }) => name === "kalends-oidc");
  if (cookie === undefined) throw new Error("no cookie");
  expect(cookie).toMatchObject({ httpOnly: true, path: "/console", sameSite: "Strict" });
  const parts = cookie.value.split(".").map((value, index) => (index === part ? "x".repeat(43) : value));
  await context.addCookies([{ ...cookie, value: parts.join(".") }]);
}

describe.skipIf(withoutBrowser !== "")(`an identity provider${withoutBrowser}`, () => {
  test("signs in who was invited, where she was, and after a sign-out again; no one else", async () => {
    const { page, close } = await openBrowser();
    await joined(page, "ada");
    expect(new URL(page.url()).search, "the code is not in the address").toBe("");
    await page.getByText("Ada", { exact: true }).first().click();
    await page.getByRole("button", { name: de.you.signOut, exact: true }).click();
    await provided(page).waitFor();
    expect(await violations(page)).toEqual([]);
    expect((await page.context().cookies(site)).filter(({ name }) => name.startsWith("kalends"))).toEqual([]);
    await page.goto(`${site}/console/trash`);
    await provided(page).click();
    await page.waitForURL(`${site}/console/trash`);
    await page.getByRole("heading", { name: de.trash.title, level: 1 }).waitFor();
    await close();

    const people = await server.db.read("people").count({ total: "*" });
    const stranger = await openBrowser();
    await stranger.page.goto(`${site}/console/`);
    await provided(stranger.page).click();
    await logIn(stranger.page, "eve");
    await stranger.page.getByText(de.signIn.providerRefused).waitFor();
    expect(await server.db.read("people").count({ total: "*" })).toEqual(people);
    expect((await send(stranger.page, "session/update/", { name: "x" })).status).toBe(401);
    await stranger.close();
  });

  test("is not believed with another state, nonce, secret of PKCE or issuer, nor twice", async () => {
    const { page, close } = await openBrowser();
    await joined(page, "grace");
    const context = page.context();
    for (const [part, name] of ["state", "nonce", "secret"].entries()) {
      const query = await returned(page);
      await changeFlow(context, part);
      expect(await finish(page, query), name).toEqual(refused);
    }
    const other = new URLSearchParams(await returned(page));
    expect(other.get("iss")).toBe(issuer);
    other.set("iss", "https://attacker.example");
    expect(await finish(page, other.toString()), "mix-up").toEqual(refused);
    other.delete("iss");
    expect(await finish(page, other.toString()), "without an issuer").toEqual(refused);

    const query = await returned(page);
    const cookies = await context.cookies();
    expect(await finish(page, query)).toEqual([200, undefined]);
    expect(await finish(page, query), "the cookie has ended").toEqual(refused);
    await context.addCookies(cookies);
    expect(await finish(page, query), "the code was used").toEqual(refused);
    expect(await finish(page, "error=access_denied")).toEqual(refused);
    await close();
  });

  test("is bound by a link, which that uses up: not of another person, not by a link that was used meanwhile", async () => {
    const { page, close } = await openBrowser();
    const { id, accountId } = await joined(page, "linus");
    expect(await server.db.read("identities").where({ person_id: id })).toMatchObject([
      { issuer, subject: "linus" },
    ]);
    expect(await server.db.read("sign_in_links").where({ person_id: id })).toEqual([]);

    const other = await newPerson(server, accountId);
    expect(await finish(page, await returned(page, { link: other.link }))).toEqual(notInvited);
    const query = await returned(page, { link: other.link });
    expect((await send(page, "session/open/", { link: other.link })).status, "the link is not used up").toBe(
      200,
    );
    expect(await finish(page, query)).toEqual([401, "link_unknown"]);
    expect(await send(page, "oidc/start/", { link: other.link })).toMatchObject({ type: "link_unknown" });

    await server.db.transaction((trx) => trx("people").where({ id }).update({ disabled_at: server.now }));
    expect(await finish(page, await returned(page)), "disabled").toEqual(notInvited);
    const flow = (await page.context().cookies()).find(({ name }) => name === "kalends-oidc");
    expect(flow?.value).toMatch(/^[\w-]{43}(\.[\w-]{43}){2}$/);
    for (const secret of [...(flow?.value.split(".") ?? []), other.link, query])
      expect(server.logText()).not.toContain(secret);
    await close();
  });
});

test("a provider that does not answer stops no start and no other sign-in", async () => {
  const settings = { OIDC_ISSUER: "http://localhost:1", OIDC_CLIENT_ID: "x", OIDC_CLIENT_SECRET: "y" };
  const own = await startTestServer(settings);
  const { id } = await own.account();
  const answer = await callConsole(own, "oidcStart");
  expect([answer.status, answer.body.meta.error_type]).toEqual([409, "oidc_unavailable"]);
  const { link } = await newPerson(own, id);
  const opened = await callConsole(own, "sessionOpen", { link });
  expect(opened.body.can).toMatchObject({ oidc: true });
  await own.stop();
});
