import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as commands from "../src/cli/webhooks.js";
import { startTestServer, type TestServer } from "./harness.js";
import { type Receiver, startReceiver } from "./webhook-receiver.js";

let server: TestServer;
let receiver: Receiver;
let status = 204;
beforeAll(async () => {
  vi.stubEnv("WEBHOOK_ALLOW_PRIVATE", "on");
  server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
  receiver = await startReceiver(() => status);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  await receiver.close();
});

test("an operator creates a webhook, tries it, sees its messages, sends one again, replaces its secret and deletes it", async () => {
  const { db, now } = server;
  const account = await server.account();
  const made = await commands.createWebhook(
    db,
    { account: account.id, url: receiver.url, types: "calendar.created,event.saved" },
    now,
  );
  expect(made.text).toMatch(
    /^Webhook \d+ is created\. Its secret is shown only this once:\n\n {2}whsec_\S{44}\n$/,
  );
  const { webhook }: { webhook?: { id: string } } = made.json;
  const id = Number(webhook?.id);
  expect((await commands.testWebhook(db, id, now)).text).toMatch(
    /^Delivery \d+: the receiver answered 204 in \d+ ms\.$/,
  );
  status = 500;
  const failed = await commands.testWebhook(db, id, now);
  expect(failed.text).toMatch(/^Delivery \d+ failed: The response was 500\.$/);
  status = 204;
  server.now += 2; // the receiver has failed
  const { delivery }: { delivery?: { id: string } } = failed.json;
  expect((await commands.redeliver(db, Number(delivery?.id), now)).text).toMatch(/is sent again/);
  await expect.poll(() => receiver.received.length).toBe(3);
  const rows = async () => (await commands.listDeliveries(db, id, 20, now)).text.split("\n");
  await expect.poll(async () => (await rows())[1]).toMatch(/webhook\.test .* sent +1 +204 /);
  expect(await rows()).toHaveLength(3);

  const listed = await commands.listWebhooks(db, account.id);
  expect(listed.text).toMatch(/ all +enabled +calendar\.created,event\.saved +http:/);
  expect(JSON.stringify(listed)).not.toContain("whsec_");
  expect((await commands.rotateWebhook(db, id, now)).text).toMatch(
    /new secret; the one before signs too.*whsec_/s,
  );
  expect((await commands.enableWebhook(db, id, now)).text).toBe(`Webhook ${id} is enabled.`);
  expect((await commands.deleteWebhook(db, id, now)).text).toBe(`Webhook ${id} is deleted.`);
  for (const command of [
    commands.testWebhook,
    commands.rotateWebhook,
    commands.enableWebhook,
    commands.deleteWebhook,
  ])
    await expect(command(db, id, now)).rejects.toThrow(
      `There is no webhook ${id}; run "webhook list" to see all.`,
    );
  await expect(commands.redeliver(db, 999_999, now)).rejects.toThrow("There is no delivery 999999;");
});

test("what the API refuses the command refuses too, and names it", async () => {
  const account = await server.account();
  const url = "https://user@hooks.example/";
  await expect(commands.createWebhook(server.db, { account: account.id, url }, server.now)).rejects.toThrow(
    "url: must hold no user name and no password.",
  );
  const types = "event.exploded";
  await expect(
    commands.createWebhook(server.db, { account: account.id, url: receiver.url, types }, server.now),
  ).rejects.toThrow("types: must be types, separated by commas: calendar.created, ");
});
