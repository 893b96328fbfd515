import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import {
  type Answering,
  type Receiver,
  startReceiver,
  verifyWithPython,
} from "../../test/webhook-receiver.js";
import {
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

// Attempts that fail are ended by their receiver: no time limit passes, however busy the machine is.
const server = await testServer({ WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOK_TIMEOUT_MS: "60000" });

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
const deliveryOf = async (endpointId: number, index = 0) =>
  (await deliveriesOf(server.db, endpointId))[index];
/** Moves the clock. A claim that ended by that would be sent again, so call it when what was sent is stored. */
function moveClock(seconds: number): void {
  server.now += seconds;
  wakeSenders();
}
const announced = (owner: Owner, ...names: string[]) => announceEvents(server.db, owner, names, server.now);

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
  await expect.poll(() => states(endpoint.id)).toStrictEqual(["sent", "sent"]);
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
  await expect.poll(() => deliveryOf(endpoint.id, 1)).toMatchObject({ attempts: 1, state: "pending" });
  expect(await states(endpoint.id)).toStrictEqual(["sent", "pending", "pending", "pending"]);
  refuses = false;
  moveClock(1); // until then a receiver that failed is left alone
  await expect.poll(() => states(endpoint.id)).toStrictEqual(["sent", "pending", "sent", "sent"]);
  moveClock(((await deliveryOf(endpoint.id, 1))?.next_at ?? 0) - server.now);
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
    await expect
      .poll(() => deliveryOf(endpoint.id))
      .toMatchObject({ attempts: count, error: "The response was 503." });
    const row = await deliveryOf(endpoint.id);
    if (row?.state === "failed") break;
    moveClock((row?.next_at ?? 0) - server.now);
  }
  const waited = at.slice(1).map((time, index) => time - (at[index] ?? 0));
  expect(waited).toHaveLength(9);
  for (const [index, pause] of pauses.entries()) {
    expect(waited[index]).toBeGreaterThanOrEqual(pause);
    expect(waited[index]).toBeLessThanOrEqual(pause * 1.1 + 1);
  }
  expect([pauseAfter(1, 0), pauseAfter(9, 1), pauseAfter(10, 0)]).toStrictEqual([5, 95_040, 60]);
  await expect
    .poll(() => findEndpoint(server.db.read, endpoint.id))
    .toMatchObject({
      state: "disabled",
      disabled_reason: "A delivery failed 10 times, the last time with: The response was 503.",
      disabled_at: server.now,
    });
  const logged = { msg: "webhook disabled", webhook_id: endpoint.id, status: 503, attempts: 10 };
  await expect.poll(() => server.logLines).toContainEqual(expect.objectContaining(logged));
  await announced(owner, "while disabled");
  expect(await states(endpoint.id)).toStrictEqual(["failed"]);

  status = 200;
  server.now += 60;
  await server.db.transaction((trx) =>
    updateEndpoint(trx, endpoint, { state: "enabled", disabled_reason: null }),
  );
  const failed = await deliveryOf(endpoint.id);
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

test("a receiver that does not answer holds up no other account, and its own later messages until its time is over", async () => {
  let hangUp = (): unknown => undefined;
  const { receiver, owner, endpoint } = await world(({ payload }, res) => {
    if (payload.data.event.title !== "never") return 200;
    hangUp = () => res.destroy();
    return undefined;
  });
  const other = await world();
  await announced(owner, "never", "after");
  await expect.poll(() => receiver.received).toHaveLength(1);
  await announced(other.owner, "other");
  await expect.poll(() => titles(other.receiver)).toStrictEqual(["other"]);
  expect(await deliveryOf(endpoint.id)).toMatchObject({ attempts: 1, state: "pending" }); // counted before
  hangUp();
  await expect
    .poll(() => deliveryOf(endpoint.id))
    .toMatchObject({ attempts: 1, state: "pending", error: "The connection failed: ECONNRESET." });
  expect(titles(receiver)).toStrictEqual(["never"]);
  moveClock(1);
  await expect.poll(() => titles(receiver)).toStrictEqual(["never", "after"]);
});

test("ten slow receivers of each of many accounts take two attempts of each at once, and delay no message of another", async () => {
  const held: ServerResponse[] = [];
  const hold = (_message: unknown, res: ServerResponse): undefined => void held.push(res);
  const greedy = await Promise.all(Array.from({ length: 12 }, () => newOwner(server.db)));
  const slow = await Promise.all(
    greedy.flatMap((owner) => Array.from({ length: 10 }, () => world(hold, {}, owner))),
  );
  for (const owner of greedy) await announced(owner, "1", "2");
  await expect.poll(() => held.length).toBe(24);
  const other = await world();
  for (const title of ["a", "b", "c"]) {
    await announced(other.owner, title);
    await expect.poll(() => titles(other.receiver)).toContain(title);
  }
  expect(held).toHaveLength(24); // none of them has ended meanwhile
  const answerAll = async () => {
    for (const res of held.splice(0)) res.writeHead(200).end();
    return (await Promise.all(slow.map(({ endpoint }) => states(endpoint.id)))).flat();
  };
  await expect.poll(answerAll, { timeout: 60_000 }).not.toContain("pending"); // each has its turn
});
