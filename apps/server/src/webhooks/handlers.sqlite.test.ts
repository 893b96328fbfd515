import { afterAll, expect, test } from "vitest";
import { startTestServer, type TestAccount } from "../../test/harness.js";
import { type Receiver, startReceiver, verifyWithPython } from "../../test/webhook-receiver.js";
import { formatInstant } from "../time/instants.js";

let status = 204;
const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOKS_PER_ACCOUNT: "3" });
const receiver: Receiver = await startReceiver(() => status);
afterAll(async () => {
  await server.stop();
  await receiver.close();
});

const call = (account: TestAccount, operation: string, body: object) =>
  server.request(`/api/kalends/v1/webhooks/${operation}/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${account.token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
const read = (account: TestAccount, operation: string, query = "") =>
  server.request(`/api/kalends/v1/webhooks/${operation}/?token=${account.token}${query}`);

test("an owner adds a webhook, tries it, reads what became of its messages, sends one again, replaces its secret and deletes it", async () => {
  const account = await server.account();
  const made = await call(account, "create", {
    url: receiver.url,
    types: ["calendar.created", "event.saved"],
  });
  expect(made.body).toMatchObject({
    webhook: {
      url: receiver.url,
      types: ["calendar.created", "event.saved"],
      calendar_id: "",
      with_person: false,
      status: "enabled",
      disabled_reason: "",
      date_create: "2026-07-02T12:00:00Z",
    },
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  });
  const { webhook, secret } = made.body;
  const webhook_id: string = webhook.id;
  expect((await read(account, "list")).body.webhooks).toStrictEqual([webhook]);
  expect((await read(account, "list")).text).not.toContain("whsec_");

  const tested = await call(account, "test", { webhook_id });
  expect(tested.body.delivery).toMatchObject({ type: "webhook.test", status: "pending", attempts: 0 });
  await expect.poll(() => receiver.received.length).toBe(1);
  expect(receiver.received[0]?.payload).toStrictEqual({
    type: "webhook.test",
    timestamp: "2026-07-02T12:00:00Z",
    data: { webhook },
  });
  status = 500;
  await account.call("createCalendar", { title: "x", timezone: "UTC" });
  await expect.poll(() => receiver.received.length).toBe(2);
  const newest = async () => (await read(account, "deliveries", `&webhook_id=${webhook_id}`)).body.deliveries;
  await expect.poll(newest).toMatchObject([
    {
      webhook_id,
      message_id: receiver.received[1]?.id,
      type: "calendar.created",
      status: "pending",
      attempts: 1,
      response_status: 500,
      error: "The response was 500.",
      date_attempted: "2026-07-02T12:00:00Z",
      date_next: expect.stringMatching(/^2026-07-02T12:00:0[56]Z$/),
    },
    { type: "webhook.test", status: "sent", response_status: 204, error: "", date_next: "" },
  ]);

  status = 204;
  const [, sent] = await newest();
  server.now += 1; // the receiver has failed
  const again = await call(account, "redeliver", { delivery_id: sent.id });
  expect(again.body.delivery).toMatchObject({ id: sent.id, status: "pending", attempts: 0 });
  const rotated = await call(account, "rotate", { webhook_id });
  expect(rotated.body.secret).not.toBe(secret);
  await call(account, "test", { webhook_id });
  await expect.poll(() => receiver.received.length).toBe(4);
  expect(receiver.received[2]?.id).toBe(receiver.received[0]?.id);
  const last = receiver.received[3];
  if (last === undefined) throw new Error("not received");
  expect(
    await verifyWithPython([
      [rotated.body.secret, last],
      [secret, last],
    ]),
  ).toStrictEqual([
    [true, false],
    [false, true],
  ]);

  expect((await call(account, "delete", { webhook_id })).body.webhook).toStrictEqual({
    id: webhook_id,
    status: "deleted",
  });
  expect((await read(account, "list")).body.webhooks).toStrictEqual([]);
  for (const gone of [
    await call(account, "test", { webhook_id }),
    await read(account, "deliveries", `&webhook_id=${webhook_id}`),
  ])
    expect([gone.status, gone.body.meta.error_type]).toStrictEqual([404, "webhook_not_found"]);
  const redelivered = await call(account, "redeliver", { delivery_id: sent.id });
  expect([redelivered.status, redelivered.body.meta.error_type]).toStrictEqual([404, "delivery_not_found"]);
});

test("a webhook that its receiver gave up is shown with the reason, and can be enabled again", async () => {
  const account = await server.account();
  const { webhook } = (await call(account, "create", { url: receiver.url })).body;
  expect(webhook.types).toHaveLength(12);
  status = 410;
  await account.call("createCalendar", { title: "x", timezone: "UTC" });
  const shown = async () => (await read(account, "list")).body.webhooks[0];
  await expect.poll(shown).toMatchObject({
    status: "disabled",
    disabled_reason: "The receiver answered 410 Gone.",
    date_disabled: formatInstant(server.now),
  });
  status = 204;
  const before = receiver.received.length;
  const tested = await call(account, "test", { webhook_id: webhook.id });
  expect(tested.body.delivery).toMatchObject({ status: "pending", attempts: 0 }); // waits until it is enabled
  const enabled = await call(account, "enable", { webhook_id: webhook.id });
  expect(enabled.body.webhook).toStrictEqual(webhook);
  server.now += 2;
  await account.call("createCalendar", { title: "y", timezone: "UTC" });
  const types = () => receiver.received.slice(before).map(({ payload }) => String(payload.type));
  await expect.poll(types).toEqual(["webhook.test", "calendar.created"]);
});

test("what waits for its next attempt is sent at once, when it is sent again and when its webhook is enabled", async () => {
  const account = await server.account();
  const { webhook } = (await call(account, "create", { url: receiver.url })).body;
  status = 500;
  await account.call("createCalendar", { title: "x", timezone: "UTC" });
  const newest = async () =>
    (await read(account, "deliveries", `&webhook_id=${webhook.id}`)).body.deliveries[0];
  await expect.poll(newest).toMatchObject({ status: "pending", attempts: 1 });
  server.now += 2; // the receiver has failed
  const waiting = await newest();
  expect(Date.parse(waiting.date_next)).toBeGreaterThan(server.now * 1_000);
  const again = await call(account, "redeliver", { delivery_id: waiting.id });
  expect(again.body.delivery).toMatchObject({ id: waiting.id, status: "pending", attempts: 1 });
  await expect.poll(newest).toMatchObject({ status: "pending", attempts: 2 });
  status = 204;
  server.now += 4;
  expect(Date.parse((await newest()).date_next)).toBeGreaterThan(server.now * 1_000);
  await call(account, "enable", { webhook_id: webhook.id });
  await expect.poll(newest).toMatchObject({ id: waiting.id, status: "sent", attempts: 3 });
});

test("what cannot be a webhook is refused with the reason, and more than an account may have", async () => {
  const [account, other] = [await server.account(), await server.account()];
  const { calendar } = (await other.call("createCalendar", { title: "x", timezone: "UTC" })).body;
  const refused: readonly (readonly [code: string, parameter: string | undefined, body: object])[] = [
    ["parameter_missing", "url", {}],
    ["parameter_invalid", "url", { url: "ftp://a.example" }],
    ["parameter_invalid", "url", { url: "https://user:pass@a.example" }],
    ["parameter_invalid", "url", { url: `https://a.example/${"a".repeat(2_048)}` }],
    ["parameter_invalid", "types", { url: receiver.url, types: ["event.exploded"] }],
    ["parameter_invalid", "with_person", { url: receiver.url, with_person: "yes" }],
    ["calendar_not_found", undefined, { url: receiver.url, calendar_id: calendar.id }],
  ];
  for (const [code, parameter, body] of refused) {
    const { meta } = (await call(account, "create", body)).body;
    expect([meta.error_type, meta.errors?.[0].parameter]).toStrictEqual([code, parameter]);
  }
  for (const _ of [1, 2, 3]) expect((await call(account, "create", { url: receiver.url })).status).toBe(200);
  const fourth = await call(account, "create", { url: receiver.url });
  expect([fourth.status, fourth.body.meta.error_type]).toStrictEqual([409, "webhook_limit_reached"]);

  const strict = await startTestServer();
  const { token } = await strict.account();
  for (const url of [
    "http://a.example",
    "https://127.0.0.1",
    "https://[::1]",
    "https://0x7f000001",
    "https://10.0.0.1",
  ]) {
    const answer = await strict.request(`/api/kalends/v1/webhooks/create/?token=${token}`, {
      method: "POST",
      body: new URLSearchParams({ url, types: "event.created,event.saved" }),
    });
    expect([url, answer.status, answer.body.meta.errors?.[0].parameter]).toStrictEqual([url, 400, "url"]);
  }
  await strict.stop();
});

test("types may have blanks around their commas, and what is sent is shown", async () => {
  const account = await server.account();
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  const types = "event.created, event.saved ,event.deleted";
  const sent = { url: receiver.url, calendar_id: calendar.id, with_person: "true" };
  const { body } = await account.call("webhooksCreate", { ...sent, types });
  const shown = { ...sent, with_person: true, types: ["event.created", "event.saved", "event.deleted"] };
  expect(body.webhook).toMatchObject(shown);
});
