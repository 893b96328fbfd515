import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/harness.js";
import {
  type Answering,
  type Receiver,
  startReceiver,
  verifyWithPython,
} from "../../test/webhook-receiver.js";
import {
  addCalendar,
  addEndpoint,
  announceEvents,
  deliveriesOf,
  type EndpointChoice,
  newOwner,
  type Owner,
} from "../../test/webhook-world.js";
import { findEndpoint, redeliver, updateEndpoint } from "./queries.js";
import { pauseAfter, pauses } from "./schedule.js";
import { newSecret } from "./secrets.js";
import { wakeSenders } from "./wake.js";

/** KALENDS_WEBHOOKS_WAITING sets how many messages wait for dead receivers. */
const waiting = Number(process.env.KALENDS_WEBHOOKS_WAITING ?? 2_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOK_TIMEOUT_MS: "500" });
});
afterAll(() => server.stop());

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** A receiver, and an account with an endpoint that has its URL. */
async function world(answer?: Answering, choice: EndpointChoice = {}, owner?: Owner) {
  const receiver = await startReceiver(answer);
  receivers.push(receiver);
  const of = owner ?? (await newOwner(server.db));
  return {
    receiver,
    owner: of,
    endpoint: await addEndpoint(server.db, of.accountId, { url: receiver.url, ...choice }),
  };
}

const titles = ({ received }: Receiver): readonly string[] =>
  received.map(({ payload }) => payload.data.event.title);
const states = async (endpointId: number) =>
  (await deliveriesOf(server.db, endpointId)).map(({ state }) => state);
/** As expect.poll, while four seconds pass: receivers that failed are left alone for a second or two. */
function afterPauses<T>(poll: () => T) {
  const ends = server.now + 4;
  const step = (): T => {
    server.now = Math.min(server.now + 1, ends);
    wakeSenders();
    return poll();
  };
  return expect.poll(step, { interval: 100, timeout: 5_000 });
}
const announced = (owner: Owner, ...names: string[]) => announceEvents(server.db, owner, names, server.now);

test("messages do not wait for the sender's next look: it would take six of them five seconds, one look each", async () => {
  const { receiver, owner } = await world();
  const began = performance.now();
  for (let sent = 1; sent <= 6; sent++) {
    await announced(owner, `${sent}`);
    await expect.poll(() => receiver.received, { interval: 5 }).toHaveLength(sent);
  }
  expect(performance.now() - began).toBeLessThan(4_500);
});

test("a message is sent with signatures that another implementation verifies; during a rotation of both secrets", async () => {
  const { receiver, owner, endpoint } = await world();
  await announced(owner, "\u{1F389} first");
  await expect.poll(() => receiver.received).toHaveLength(1);
  const secret = newSecret();
  await server.db.transaction((trx) =>
    updateEndpoint(trx, endpoint, {
      secret,
      previous_secret: endpoint.secret,
      previous_until: server.now + 60,
    }),
  );
  await announced(owner, "second");
  await expect.poll(() => receiver.received).toHaveLength(2);
  server.now += 60;
  await announced(owner, "third");
  await expect.poll(() => receiver.received).toHaveLength(3);
  const [first, second, third] = receiver.received;
  if (first === undefined || second === undefined || third === undefined) throw new Error("not received");
  const checked = await verifyWithPython([
    [endpoint.secret, first],
    [secret, second],
    [endpoint.secret, second],
    [secret, third],
    [secret, { ...third, body: `${third.body} ` }],
  ]);
  expect(checked).toStrictEqual([[true], [true, false], [false, true], [true], [false]]);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  expect(third.timestamp).toBe(String(server.now));
  await expect.poll(() => states(endpoint.id)).toStrictEqual(["sent", "sent", "sent"]);
});

test("messages of a calendar come in order, one at a time; one that fails is sent again after 5 s beside newer ones", async () => {
  const most = { open: 0 };
  let refuses = true;
  const { receiver, owner, endpoint } = await world(({ payload }) => {
    most.open = Math.max(most.open, receiver.open());
    return refuses && payload.data.event.title === "2" ? 500 : 200;
  });
  for (const name of ["1", "2", "3", "4"]) await announced(owner, name);
  await expect.poll(() => titles(receiver)).toStrictEqual(["1", "2"]);
  await expect.poll(() => states(endpoint.id)).toStrictEqual(["sent", "pending", "pending", "pending"]);
  refuses = false;
  await afterPauses(() => titles(receiver)).toStrictEqual(["1", "2", "3", "4"]);
  server.now = (await deliveriesOf(server.db, endpoint.id))[1]?.next_at ?? 0;
  wakeSenders();
  await expect.poll(() => titles(receiver)).toStrictEqual(["1", "2", "3", "4", "2"]);
  const [, again] = receiver.received.filter(({ payload }) => payload.data.event.title === "2");
  expect(again?.id).toBe(receiver.received[1]?.id);
  expect(most.open).toBe(1);
});

test("ten attempts that fail, at the times of the schedule, disable the endpoint and say why; what waits is sent once it is enabled", async () => {
  let status = 503;
  const { receiver, owner, endpoint } = await world(() => status);
  await announced(owner, "first");
  const at: number[] = [];
  for (let count = 1; ; count++) {
    await expect.poll(() => receiver.received.length).toBe(count);
    at.push(server.now);
    await expect.poll(async () => (await deliveriesOf(server.db, endpoint.id))[0]?.attempts).toBe(count);
    const [row] = await deliveriesOf(server.db, endpoint.id);
    if (row?.state === "failed") break;
    server.now = row?.next_at ?? 0;
    wakeSenders(); // instead of waiting for the next look
  }
  const waited = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(waited).toHaveLength(9);
  for (const [index, pause] of pauses.entries()) {
    expect(waited[index]).toBeGreaterThanOrEqual(pause);
    expect(waited[index]).toBeLessThanOrEqual(pause * 1.1 + 1);
  }
  expect([pauseAfter(1, 0), pauseAfter(9, 1), pauseAfter(10, 0)]).toStrictEqual([5, 95_040, undefined]);
  await expect
    .poll(() => findEndpoint(server.db.read, endpoint.id))
    .toMatchObject({
      state: "disabled",
      disabled_reason: "A delivery failed 10 times, the last time with: The response was 503.",
      disabled_at: server.now,
    });
  expect(server.logLines).toContainEqual(
    expect.objectContaining({ msg: "webhook disabled", webhook_id: endpoint.id, status: 503, attempts: 10 }),
  );
  await announced(owner, "while disabled");
  expect(await states(endpoint.id)).toStrictEqual(["failed"]);

  status = 200;
  server.now += 60;
  await server.db.transaction((trx) =>
    updateEndpoint(trx, endpoint, { state: "enabled", disabled_reason: null }),
  );
  const [failed] = await deliveriesOf(server.db, endpoint.id);
  await server.db.transaction((trx) => redeliver(trx, failed?.id ?? 0));
  await announced(owner, "second");
  await expect.poll(() => titles(receiver).slice(10)).toStrictEqual(["first", "second"]);
  expect(receiver.received[10]?.id).toBe(receiver.received[0]?.id);
});

test("410 disables the endpoint at once: nothing more is sent", async () => {
  const { receiver, owner, endpoint } = await world(() => 410);
  await announced(owner, "1", "2", "3");
  await expect
    .poll(() => findEndpoint(server.db.read, endpoint.id))
    .toMatchObject({ state: "disabled", disabled_reason: "The receiver answered 410 Gone." });
  server.now += 600;
  const other = await world();
  await announced(other.owner, "x");
  await expect.poll(() => other.receiver.received).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  expect(await states(endpoint.id)).toStrictEqual(["failed", "pending", "pending"]);
});

test("a receiver that never answers holds up neither another calendar of its account nor another account", async () => {
  const { receiver, owner, endpoint } = await world(({ payload }) =>
    payload.data.event.title === "never" ? undefined : 200,
  );
  const second = { ...owner, calendarId: await addCalendar(server.db, owner.accountId) };
  const other = await world();
  await announced(owner, "never", "after");
  await expect.poll(() => receiver.received).toHaveLength(1);
  await announced(second, "second");
  await announced(other.owner, "other");
  await expect.poll(() => titles(other.receiver)).toStrictEqual(["other"]);
  await expect.poll(() => titles(receiver)).toContain("second");
  await expect
    .poll(async () => (await deliveriesOf(server.db, endpoint.id))[0])
    .toMatchObject({
      attempts: 1,
      state: "pending",
      error: "No response within 500 ms.",
    });
  await afterPauses(() => titles(receiver)).toStrictEqual(["never", "second", "after"]);
});

test("thousands of messages that wait for dead receivers hold up no other: it gets its message at once, and the API answers", async () => {
  const dead = await Promise.all(Array.from({ length: 20 }, () => world(() => undefined)));
  for (const { owner } of dead) {
    for (let sent = 0; sent < waiting / 20; sent += 100)
      await announced(owner, ...Array.from({ length: 100 }, (_, index) => `${sent + index}`));
  }
  await expect
    .poll(() => dead.filter(({ receiver }) => receiver.received.length > 0).length)
    .toBeGreaterThan(7);
  const healthy = await world();
  const account = await server.account();
  for (let round = 0; round < 5; round++) {
    await announced(healthy.owner, `${round}`);
    await expect.poll(() => healthy.receiver.received).toHaveLength(round + 1);
    expect((await account.call("createCalendar", { title: "x", timezone: "UTC" })).status).toBe(200);
  }
  const states = await Promise.all(dead.map(({ endpoint }) => deliveriesOf(server.db, endpoint.id)));
  const stillWait = states.flat().filter(({ state }) => state === "pending");
  expect(stillWait).toHaveLength(waiting); // so it was not their turn that the healthy one waited for
  const open = dead.map(({ receiver }) => receiver.open());
  expect(open.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(16);
  expect(Math.max(...open)).toBeLessThanOrEqual(2);
});
