import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import { disableEndpoint } from "../src/webhooks/queries.js";
import { runHere } from "./command.js";
import { createTestDatabase } from "./databases.js";
import { startTestServer } from "./harness.js";
import { type Receiver, startReceiver } from "./webhook-receiver.js";
import { addEndpoint, announceEvents, deliveriesOf, newOwner } from "./webhook-world.js";

let status = 204;
vi.stubEnv("WEBHOOK_ALLOW_PRIVATE", "on");
const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const receiver: Receiver = await startReceiver(() => status);
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  await receiver.close();
});

const webhook = (...args: readonly string[]) =>
  runHere(["webhook", ...args], { DATABASE_URL: server.databaseUrl, WEBHOOK_ALLOW_PRIVATE: "on" });

test("an operator creates a webhook, tries it, sees its messages, sends one again, replaces its secret and deletes it", async () => {
  const account = ["--account", String((await server.account()).id)];
  const types = ["--types", "calendar.created,event.saved"];
  const made = await webhook("create", ...account, "--url", receiver.url, ...types);
  expect(made.stdout).toMatch(
    /^Webhook \d+ is created\. Its secret is shown only this once:\n\n {2}whsec_\S{44}\n\n$/,
  );
  const [, id = ""] = /^Webhook (\d+)/.exec(made.stdout) ?? [];
  const answered = /^Delivery \d+: the receiver answered 204 in \d+ ms\.\n$/;
  expect((await webhook("test", id)).stdout).toMatch(answered);
  status = 500;
  const failed = await webhook("test", id);
  expect(failed.stdout).toMatch(/^Delivery \d+ failed: The response was 500\.\n$/);
  status = 204;
  server.now += 2; // the receiver has failed
  const [, delivery = ""] = /^Delivery (\d+)/.exec(failed.stdout) ?? [];
  expect((await webhook("redeliver", delivery)).stdout).toMatch(answered);
  await expect.poll(() => receiver.received.length).toBe(3);
  const rows = async () => (await webhook("deliveries", id)).stdout.trimEnd().split("\n");
  await expect.poll(async () => (await rows())[1]).toMatch(/webhook\.test .* sent +1 +204 /);
  expect(await rows()).toHaveLength(3);
  expect((await webhook("deliveries", id, "--limit", "1")).stdout.trimEnd().split("\n")).toHaveLength(2);

  const listed = await webhook("list", ...account);
  expect(listed.stdout).toMatch(/ all +enabled +calendar\.created,event\.saved +http:/);
  expect((await webhook("list", ...account, "--json")).stdout).not.toContain("whsec_");
  expect((await webhook("rotate", id)).stdout).toMatch(/new secret; the one before signs too.*whsec_/s);
  expect((await webhook("enable", id)).stdout).toBe(`Webhook ${id} is enabled.\n`);
  expect((await webhook("delete", id)).stdout).toBe(`Webhook ${id} is deleted.\n`);
  for (const command of ["test", "rotate", "enable", "delete", "deliveries"])
    expect(await webhook(command, id)).toMatchObject({
      code: 1,
      stderr: `There is no webhook ${id}; run "webhook list" to see all.\n`,
    });
  expect((await webhook("redeliver", "999999")).stderr).toContain("There is no delivery 999999;");
});

test("what the API refuses the command refuses too, and names it", async () => {
  const create = async (...args: readonly string[]) =>
    (await webhook("create", "--account", String((await server.account()).id), ...args)).stderr;
  expect(await create("--url", "https://user@hooks.example/")).toBe(
    "--url: must hold no user name and no password.\n",
  );
  expect(await create("--url", receiver.url, "--types", "event.exploded")).toMatch(
    /^--types: must be types, separated by commas: calendar\.created, /,
  );
});

test("a test that was not sent says why, and its exit code is 1", async () => {
  const database = await createTestDatabase("migrated"); // no server runs on it
  const db = await openDatabase(database.url);
  await migrate(db, server.now);
  const { accountId } = await newOwner(db);
  const endpoint = await addEndpoint(db, accountId, { url: receiver.url });
  const settings = {
    DATABASE_URL: database.url,
    WEBHOOK_ALLOW_PRIVATE: "on",
    WEBHOOK_TIMEOUT_MS: "100",
  };
  const webhook = (...args: readonly string[]) => runHere(["webhook", ...args], settings);
  const id = String(endpoint.id);
  expect(await webhook("test", id)).toMatchObject({
    code: 1,
    stdout: `Delivery 1 waits: no server on this database has sent it yet. Start one, then run "webhook deliveries ${id}".\n`,
  });
  await db.transaction((trx) => disableEndpoint(trx, endpoint, "The receiver answered 410 Gone.", 1));
  const waits = `waits: webhook ${id} is disabled. Run "webhook enable ${id}" to have it sent.\n`;
  expect(await webhook("test", id)).toMatchObject({ code: 1, stdout: `Delivery 2 ${waits}` });
  expect(await webhook("redeliver", "2")).toMatchObject({ code: 0, stdout: `Delivery 2 ${waits}` });
  const none = "no server on this database has sent it yet. Start one, then run";
  expect(await webhook("enable", id)).toMatchObject({
    code: 0,
    stdout: `Webhook ${id} is enabled. Delivery 1 waits: ${none} "webhook deliveries ${id}".\n`,
  });
  expect(await webhook("redeliver", "2")).toMatchObject({
    code: 0,
    stdout: `Delivery 2 waits: ${none} "webhook deliveries ${id}".\n`,
  });
  await db.close();
  await database.remove();

  status = 500;
  const failing = await addEndpoint(server.db, (await server.account()).id, { url: receiver.url });
  const failed = await runHere(["webhook", "test", String(failing.id)], {
    ...settings,
    DATABASE_URL: server.databaseUrl,
  });
  expect(failed).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/ failed: The response was 500\.\n$/),
  });
});

/** A webhook of a running server with a message whose first attempt has failed; the second one is seconds away. */
async function failedOnce() {
  status = 500;
  const owner = await newOwner(server.db);
  const endpoint = await addEndpoint(server.db, owner.accountId, { url: receiver.url });
  await announceEvents(server.db, owner, ["x"]);
  const row = async () => (await deliveriesOf(server.db, endpoint.id))[0];
  await expect.poll(row).toMatchObject({ attempts: 1, sender: "" });
  server.now += 2; // the receiver has failed
  expect((await row())?.next_at).toBeGreaterThan(server.now);
  return { endpoint, row, before: receiver.received.length };
}

test("a message that waits for its next attempt is sent at once, and the attempts that are left stay those", async () => {
  const { row, before } = await failedOnce();
  const id = String((await row())?.id);
  const failed = new RegExp(
    `^Delivery ${id} failed: The response was 500\\. Its next attempt is at 2026-\\S+Z\\.\n$`,
  );
  expect(await webhook("redeliver", id)).toMatchObject({ code: 0, stdout: expect.stringMatching(failed) });
  expect(await row()).toMatchObject({ attempts: 2, state: "pending" });
  status = 204;
  server.now += 4;
  const sent = await webhook("redeliver", id);
  expect(sent.stdout).toMatch(new RegExp(`^Delivery ${id}: the receiver answered 204 in`));
  expect(await row()).toMatchObject({ attempts: 3, state: "sent" });
  expect(receiver.received).toHaveLength(before + 2);
});

test("what waits for a webhook that is enabled is sent at once, whatever its next attempt was", async () => {
  const { endpoint, row, before } = await failedOnce();
  await server.db.transaction((trx) => disableEndpoint(trx, endpoint, "The receiver answered 410 Gone.", 1));
  status = 204;
  const { code, stdout } = await webhook("enable", String(endpoint.id));
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(
        `^Webhook ${endpoint.id} is enabled\\. Delivery \\d+: the receiver answered 204 in \\d+ ms\\.\n$`,
      ),
    ),
  ]);
  expect(await row()).toMatchObject({ attempts: 2, state: "sent" });
  expect(receiver.received).toHaveLength(before + 1);
});
