import { expect, test, vi } from "vitest";
import { testDatabase } from "../../test/databases.js";
import { startOfTests } from "../../test/harness.js";
import { startReceiver } from "../../test/webhook-receiver.js";
import {
  addEndpoint,
  announceEvents,
  deliveriesOf,
  newOwner,
  startSending,
} from "../../test/webhook-world.js";
import { announce } from "./outbox-queries.js";

const { db } = await testDatabase();

/** Never looks for messages unless it is woken. */
const startWithoutTimer = () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const sender = startSending(db);
  vi.useRealTimers();
  return sender;
};

test("messages do not wait for the sender's next look", async () => {
  const sender = startWithoutTimer();
  const receiver = await startReceiver();
  const owner = await newOwner(db);
  await addEndpoint(db, owner.accountId, { url: receiver.url });
  for (let sent = 1; sent <= 6; sent++) {
    await announceEvents(db, owner, [`${sent}`]);
    await expect.poll(() => receiver.received, { interval: 5 }).toHaveLength(sent);
  }
  await sender.stop();
  await receiver.close();
});

test("messages of a transaction of its own, such as that of a series, do not wait for the sender's next look", async () => {
  const sender = startWithoutTimer();
  const receiver = await startReceiver();
  const { accountId, calendarId } = await newOwner(db);
  await addEndpoint(db, accountId, { url: receiver.url });
  const change = { accountId, calendarId, now: startOfTests, data: { event: { title: "x" } } };
  for (let sent = 1; sent <= 3; sent++) {
    await db.transaction((trx) => announce(trx, 1, { ...change, type: "event.created" }));
    await expect.poll(() => receiver.received, { interval: 5 }).toHaveLength(sent);
  }
  await sender.stop();
  await receiver.close();
});

test("a receiver that does not answer within WEBHOOK_TIMEOUT_MS has failed", async () => {
  const sender = startSending(db, { timeoutMs: 100 });
  const receiver = await startReceiver(() => undefined);
  const owner = await newOwner(db);
  const { id } = await addEndpoint(db, owner.accountId, { url: receiver.url });
  await announceEvents(db, owner, ["x"]);
  await expect
    .poll(async () => (await deliveriesOf(db, id))[0])
    .toMatchObject({ attempts: 1, state: "pending", status: null, error: "No response within 100 ms." });
  await sender.stop();
  await receiver.close();
});
