import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/harness.js";
import { startReceiver } from "../../test/webhook-receiver.js";
import { addEndpoint, deliveriesOf, newOwner } from "../../test/webhook-world.js";
import { announceAlone, forgetSubscriber } from "./outbox.js";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOK_TIMEOUT_MS: "60000" });
});
afterAll(() => server.stop());

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
    await announceAlone(trx, server.db.dialect, change);
    await announceAlone(trx, server.db.dialect, change);
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
