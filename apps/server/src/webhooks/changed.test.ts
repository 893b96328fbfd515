import { expect, test } from "vitest";
import { testServer } from "../../test/harness.js";
import { startReceiver } from "../../test/webhook-receiver.js";
import { addEndpoint, deliveriesOf, newOwner, type Owner } from "../../test/webhook-world.js";
import { announceAlone, forgetSubscriber } from "./outbox-queries.js";
import { deleteEndpoint, updateEndpoint } from "./queries.js";
import { newSecret } from "./secrets.js";

// What changes between the claim of several messages and the moment at which each is sent.

const server = await testServer({ WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOK_TIMEOUT_MS: "60000" });

test("a person who is deleted while messages are sent is in none of those that still wait", async () => {
  const owner = await newOwner(server.db);
  const receiver = await startReceiver(async () => {
    await server.db.transaction((trx) => forgetSubscriber(trx, 7));
    return 204;
  });
  const endpoint = await addEndpoint(server.db, owner.accountId, { url: receiver.url, with_person: 1 });
  const change = {
    ...owner,
    type: "subscriber.created" as const,
    now: server.now,
    data: { subscriber: { id: "7" } },
    withPerson: {
      subscriberId: 7,
      data: { subscriber: { id: "7", name: "Ada Byron", email: "ada@example.com" } },
    },
  };
  // In one transaction, so that both are claimed at once.
  await server.db.transaction(async (trx) => {
    await announceAlone(trx, change);
    await announceAlone(trx, change);
  });
  await expect
    .poll(async () => (await deliveriesOf(server.db, endpoint.id)).map(({ state }) => state))
    .toStrictEqual(["sent", "sent"]);
  const people = receiver.received.map(({ payload }): unknown => payload.data.subscriber);
  await receiver.close();
  expect(people).toStrictEqual([
    { id: "7", name: "Ada Byron", email: "ada@example.com" },
    { id: "7", name: "", email: "" },
  ]);
});

/** Announces changes that are claimed at once, since they are committed at once. */
async function announceTogether(owner: Owner, count: number): Promise<void> {
  const change = { ...owner, type: "event.created" as const, now: server.now, data: { event: {} } };
  await server.db.transaction(async (trx) => {
    for (let made = 0; made < count; made++) await announceAlone(trx, change);
  });
}

test("an endpoint that is deleted while messages are sent gets none of the others", async () => {
  const owner = await newOwner(server.db);
  const receiver = await startReceiver(async () => {
    await server.db.transaction((trx) => deleteEndpoint(trx, endpoint, server.now));
    return 204;
  });
  const endpoint = await addEndpoint(server.db, owner.accountId, { url: receiver.url });
  await announceTogether(owner, 5);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  // What is announced later to another endpoint is sent after what was claimed for this one.
  const other = await startReceiver();
  await addEndpoint(server.db, owner.accountId, { url: other.url });
  await announceTogether(owner, 1);
  await expect.poll(() => other.received).toHaveLength(1);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
  await other.close();
});

test("messages after a rotation have a signature of both secrets, those claimed before it too", async () => {
  const owner = await newOwner(server.db);
  const receiver = await startReceiver(async () => {
    const secrets = {
      secret: newSecret(),
      previous_secret: endpoint.secret,
      previous_until: server.now + 60,
    };
    if (receiver.received.length === 1)
      await server.db.transaction((trx) => updateEndpoint(trx, endpoint, secrets));
    return 204;
  });
  const endpoint = await addEndpoint(server.db, owner.accountId, { url: receiver.url });
  await announceTogether(owner, 3);
  await expect.poll(() => receiver.received).toHaveLength(3);
  expect(receiver.received.map(({ signature }) => signature.split(" ").length)).toEqual([1, 2, 2]);
  await receiver.close();
});
