import { webhookTypes } from "@kalends/spec";
import { afterAll, expect, test } from "vitest";
import { addFollower, block, exchange, unblock } from "../../test/calls.js";
import { createTestDatabase } from "../../test/databases.js";
import { startTestServer } from "../../test/harness.js";
import { type Receiver, startReceiver } from "../../test/webhook-receiver.js";
import { addEndpoint, announceEvents, deliveriesOf, everyType, newOwner } from "../../test/webhook-world.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import { createAccount, deleteAccount } from "../cli/accounts.js";
import { copyDatabase } from "../db/copy.js";
import { openDatabase } from "../db/open-database.js";
import { migrate } from "../db/migrate.js";
import type { WebhookDeliveryRow } from "../db/rows.js";
import * as life from "../followers/life-job.js";
import { purgeDeliveries } from "./purge-job.js";
import { deleteEndpoint, findEndpoint } from "./queries.js";

const server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
const receivers: readonly [plain: Receiver, withPerson: Receiver] = [
  await startReceiver(),
  await startReceiver(),
];
afterAll(async () => {
  await server.stop();
  for (const receiver of receivers) await receiver.close();
});

const post = (path: string, token: string, body: object) =>
  server.request(path, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("every write is announced once, in order, with the shapes of the extensions; a person's data only where it was asked for", async () => {
  const account = await server.account();
  const [plain, withPerson] = receivers;
  await addEndpoint(server.db, account.id, { url: plain.url, types: everyType });
  await addEndpoint(server.db, account.id, { url: withPerson.url, types: everyType, with_person: 1 });
  const { calendar } = (await account.call("createCalendar", { title: "One", timezone: "UTC" })).body;
  const calendar_id: string = calendar.id;
  await account.call("saveCalendar", { calendar_id, title: "Two", timezone: "UTC" });
  const start_date = "07/04/2026 13:30";
  const event = (await account.call("createEvent", { calendar_id, title: "a", start_date })).body.event;
  const event_id = String(event.id);
  await account.call("saveEvent", { event_id, title: "b", start_date });
  const status = "cancelled";
  expect((await post("/api/kalends/v1/events/update/", account.token, { event_id, status })).status).toBe(
    200,
  );
  const shown = (
    await server.request(`/api/kalends/v1/events/details/?event_id=${event_id}&token=${account.token}`)
  ).body;
  await account.call("deleteEvent", { event_id });
  await exchange(server, `/c/${calendar.uniquekey}/follow`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Origin: server.url },
    body: "app=apple&name=Ada+Byron&email=ada%40example.com",
  });
  const { id } = await addFollower(server, account, calendar_id, { name: "Bob", email: "bob@example.com" });
  for (const change of [block, block, unblock, life.unfollow, life.unfollow])
    await change(server.db, id, server.now);
  await expect.poll(() => withPerson.received.length).toBe(10); // what waits when it is deleted comes without its data
  await life.deleteSubscriber(server.db, id, server.now);
  await account.call("deleteCalendar", { calendar_id });

  const expected = [
    "calendar.created",
    "calendar.saved",
    "event.created",
    "event.saved",
    "event.cancelled",
    "event.deleted",
    "subscriber.created",
    "subscriber.blocked",
    "subscriber.unblocked",
    "subscriber.unfollowed",
    "subscriber.deleted",
    "calendar.deleted",
  ];
  for (const { received } of receivers)
    await expect.poll(() => received.map(({ payload }) => payload.type)).toStrictEqual(expected);
  expect(expected.toSorted()).toStrictEqual(webhookTypes.toSorted());
  const data = ({ received }: Receiver, type: string): unknown =>
    received.find(({ payload }) => payload.type === type)?.payload.data;
  expect(data(plain, "event.cancelled")).toStrictEqual({ event: shown.event });
  expect(data(plain, "event.deleted")).toStrictEqual({ event: shown.event });
  expect(data(plain, "calendar.saved")).toMatchObject({
    calendar: { id: calendar_id, title: "Two", events_total: 0 },
  });
  expect(data(plain, "calendar.deleted")).toStrictEqual({ calendar: { id: calendar_id, status: "deleted" } });
  const subscriber = {
    id: expect.stringMatching(/^\d+$/),
    calendar_id,
    calendar_type: "apple",
    active: true,
    blocked: false,
    date_subscribed: "2026-07-02T12:00:00Z",
  };
  expect(data(plain, "subscriber.created")).toStrictEqual({ subscriber });
  const person = { name: "Ada Byron", email: "ada@example.com" };
  expect(data(withPerson, "subscriber.created")).toStrictEqual({ subscriber: { ...subscriber, ...person } });
  expect(data(withPerson, "subscriber.unfollowed")).toMatchObject({
    subscriber: { active: false, name: "Bob" },
  });
  expect(Object.keys(Object(data(withPerson, "subscriber.deleted")).subscriber)).not.toContain("email");
  // Not in the headers: a signature may happen to contain three letters of a name.
  const bodies = plain.received.map(({ body }) => body).join();
  expect(bodies).not.toMatch(/Ada Byron|ada@|"Bob"|bob@/);
});

test("a write that is refused or replayed is not announced again", async () => {
  const account = await server.account();
  const endpoint = await addEndpoint(server.db, account.id, { types: everyType, url: "http://127.0.0.1:1/" });
  const send = () =>
    server.request("/api/v1/calendars/create/", {
      method: "POST",
      headers: {
        Authorization: `Bearer ${account.token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "one",
      },
      body: JSON.stringify({ title: "x", timezone: "UTC" }),
    });
  const id: string = (await send()).body.calendar.id;
  expect((await send()).headers.get("Idempotency-Replayed")).toBe("true");
  await account.call("createEvent", { calendar_id: id, title: "x", start_date: "never" });
  await account.call("deleteEvent", { event_id: "999999" });
  expect((await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type)).toStrictEqual([
    "calendar.created",
  ]);
});

test("an event is cancelled once: a change of one that is cancelled, and one that is confirmed again, are saved", async () => {
  const account = await server.account();
  const { calendar } = (await account.call("createCalendar", { title: "x" })).body;
  const { event } = (
    await account.call("eventsCreate", {
      calendar_id: calendar.id,
      title: "x",
      start_date: "2026-07-04T13:30",
    })
  ).body;
  const endpoint = await addEndpoint(server.db, account.id, { types: everyType, url: "http://127.0.0.1:1/" });
  for (const change of [
    { status: "cancelled" },
    { location: "Here" },
    { status: "confirmed" },
    { status: "cancelled" },
  ])
    await account.call("eventsUpdate", { event_id: event.id, ...change });
  expect((await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type)).toStrictEqual([
    ...["event.cancelled", "event.saved", "event.saved", "event.cancelled"],
  ]);
});

test("what was sent of a deleted calendar is removed with it, except that it was deleted; of an account all is", async () => {
  const { account_id, token } = await createAccount(server.db, "Parks", server.now);
  const accountId = Number(account_id);
  const endpoint = await addEndpoint(server.db, accountId, { types: everyType, url: "http://127.0.0.1:1/" });
  const created = await post("/api/v1/calendars/create/", token ?? "", { title: "x", timezone: "UTC" });
  await post("/api/v1/calendars/delete/", token ?? "", { calendar_id: created.body.calendar.id });
  await post("/api/kalends/v1/trash/purge/", token ?? "", { all: "true" });
  await purgeDeletedCalendars(server.db);
  expect((await deliveriesOf(server.db, endpoint.id)).map(({ type }) => type)).toStrictEqual([
    "calendar.deleted",
  ]);
  await deleteAccount(server.db, accountId, { yes: true }, server.now);
  expect(await deliveriesOf(server.db, endpoint.id)).toStrictEqual([]);
  expect(await findEndpoint(server.db.read, endpoint.id)).toBeUndefined();
  const [row] = await server.db.read("webhook_endpoints").where({ id: endpoint.id });
  expect(row).toMatchObject({ url: "", secret: "", state: "deleted" });
});

test("messages are kept for some days and up to a number for each endpoint; more that wait disable it", async () => {
  const account = await server.account();
  const [one, two, gone] = [
    await addEndpoint(server.db, account.id),
    await addEndpoint(server.db, account.id),
    await addEndpoint(server.db, account.id),
  ];
  const day = 86_400;
  const add = (endpoint_id: number, state: WebhookDeliveryRow["state"], created_at: number) =>
    server.db.transaction((trx) =>
      trx("webhook_deliveries").insert({
        ...{
          endpoint_id,
          calendar_id: 0,
          message_id: "msg_x",
          type: "event.saved",
          payload: "{}",
          state,
          created_at,
        },
        next_at: server.now + day,
      }),
    );
  // The oldest rows of all come first.
  await server.db.transaction((trx) => trx("webhook_deliveries").delete());
  await add(one.id, "sent", server.now - 31 * day);
  for (const _ of [1, 2, 3]) await add(one.id, "sent", server.now - 29 * day);
  for (const _ of [1, 2, 3]) await add(two.id, "pending", server.now);
  await add(gone.id, "pending", server.now);
  await server.db.transaction((trx) => deleteEndpoint(trx, gone, server.now));
  const purged = { expired: 0, limit: 0, deleted: 0 };
  await purgeDeliveries(server.db, { now: server.now, days: 30, most: 2 }, undefined, purged);
  expect(purged).toStrictEqual({ expired: 1, limit: 2, deleted: 1 });
  expect(await deliveriesOf(server.db, one.id)).toHaveLength(2);
  expect(await deliveriesOf(server.db, two.id)).toHaveLength(2);
  expect(await deliveriesOf(server.db, gone.id)).toHaveLength(0);
  expect(await findEndpoint(server.db.read, one.id)).toMatchObject({ state: "enabled" });
  expect(await findEndpoint(server.db.read, two.id)).toMatchObject({
    state: "disabled",
    disabled_reason: "More than 2 deliveries were kept, and the oldest had not been sent.",
  });
  await purgeDeliveries(server.db, { now: server.now + 2 * 3600, days: 30, most: 2 });
  expect(await server.db.read("webhook_endpoints").where({ id: gone.id })).toStrictEqual([]);
});

test("a database that is moved takes its webhooks along", async () => {
  // No server runs on the source: a sender would change it during the copy.
  const [source, target] = [await createTestDatabase(), await createTestDatabase()];
  const [from, to] = [await openDatabase(source.url), await openDatabase(target.url)];
  await migrate(from, server.now);
  const owner = await newOwner(from);
  await addEndpoint(from, owner.accountId);
  await announceEvents(from, owner, ["one", "two"]);
  await copyDatabase(from, to, server.now, () => undefined);
  for (const table of ["webhook_endpoints", "webhook_deliveries"]) {
    const rows = await from.read(table).orderBy("id");
    expect(rows.length).toBeGreaterThan(0);
    expect(await to.read(table).orderBy("id")).toStrictEqual(rows);
  }
  for (const db of [from, to]) await db.close();
  for (const database of [source, target]) await database.remove();
});
