import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import { findSetAside } from "../src/db/set-aside.js";
import type { WebhookDeliveryRow } from "../src/db/rows.js";
import { createResolve } from "../src/webhooks/ssrf-guard.js";
import { redeliver } from "../src/webhooks/queries.js";
import { startSender } from "../src/webhooks/sender.js";
import { testDatabase } from "./databases.js";
import { startOfTests } from "./harness.js";
import { run } from "./process.js";
import { type Receiver, startReceiver } from "./webhook-receiver.js";
import { addCalendar, addEndpoint, announceEvents, deliveriesOf, newOwner } from "./webhook-world.js";
import { temporaryFolder } from "./temporary.js";

// No message is lost when its sender is killed, and two servers do not send the same one at a time.
// KALENDS_WEBHOOK_KILLS sets how often a sender is killed.

const kills = Number(process.env.KALENDS_WEBHOOK_KILLS ?? 1);
vi.setConfig({ testTimeout: 600_000 + kills * 10_000 });
afterAll(() => vi.resetConfig());

const folder = temporaryFolder();
const { db, url } = await testDatabase();

const titlesIn = ({ received }: Receiver): readonly string[] =>
  received.map(({ payload }) => payload.data.event.title);

/** The titles of a calendar as they came first, whether or not they came again. */
const firstComings = (receiver: Receiver, calendar: string): readonly string[] => [
  ...new Set(titlesIn(receiver).filter((title) => title.startsWith(calendar))),
];

/** Starts a sender whose clock is a minute ahead of the one before: the claims of that have ended, without waiting for it. */
const startProcess = () => run("../test/killed-sender.ts", [url, String(60 * ++started)], folder);
let started = 0;

test(`of senders that are killed ${kills} times in the middle no message is lost, and those of a calendar come in order`, async () => {
  const receivers = await Promise.all([...Array(kills).keys()].map(() => startReceiver(() => pause(2, 200))));
  const wanted: string[][] = [];
  let endpoints: readonly number[] = [];
  let cut = 0;
  for (const [round, receiver] of receivers.entries()) {
    const { accountId, calendarId } = await newOwner(db);
    const calendars = [calendarId, await addCalendar(db, accountId)];
    endpoints = [...endpoints, (await addEndpoint(db, accountId, { url: receiver.url })).id];
    wanted.push([...Array(40).keys()].map((each) => `${each % 2} ${round} ${each}`));
    for (const [index, title] of (wanted[round] ?? []).entries())
      await announceEvents(db, { accountId, calendarId: calendars[index % 2] ?? 0 }, [title]);
    const sender = startProcess();
    const few = 1 + Math.floor((round * 7) % 35);
    await expect
      .poll(() => receiver.received.length, { timeout: 120_000, interval: 1 })
      .toBeGreaterThanOrEqual(few);
    sender.child.kill("SIGKILL");
    await sender.finished;
    if (receiver.received.length < 40) cut++;
  }
  const last = startProcess();
  for (const [round, receiver] of receivers.entries()) {
    await expect
      .poll(() => [...firstComings(receiver, "0"), ...firstComings(receiver, "1")], {
        timeout: 120_000,
        interval: 50,
      })
      .toStrictEqual(
        [0, 1].flatMap((calendar) => (wanted[round] ?? []).filter((_, index) => index % 2 === calendar)),
      );
  }
  for (const endpoint of endpoints) {
    const sent = Array(40).fill("sent");
    await expect
      .poll(async () => (await deliveriesOf(db, endpoint)).map(({ state }) => state), { timeout: 120_000 })
      .toStrictEqual(sent);
  }
  last.child.kill("SIGKILL");
  await last.finished;
  const again = receivers.reduce((sum, { received }) => sum + received.length - 40, 0);
  if (kills > 1)
    process.stderr.write(`${kills} kills, ${cut} with messages left, ${again} messages sent twice\n`);
  for (const receiver of receivers) await receiver.close();
});

test("what a sender is killed with three times in a row is set aside: neighbours are sent, and it is tried again on request", async () => {
  let sender = startProcess();
  const neighbours = await startReceiver();
  let isDeadly = true;
  const deadly = await startReceiver(() => {
    if (!isDeadly) return 200;
    sender.child.kill("SIGKILL");
    return undefined;
  });
  const owner = await newOwner(db);
  const { id } = await addEndpoint(db, owner.accountId, { url: deadly.url });
  const other = await newOwner(db);
  await addEndpoint(db, other.accountId, { url: neighbours.url });
  await announceEvents(db, owner, ["deadly", "next"]);
  for (const time of [1, 2, 3]) {
    await sender.finished;
    expect(deadly.received).toHaveLength(time);
    await announceEvents(db, other, [`${time}`]);
    isDeadly = time < 3;
    sender = startProcess();
    await expect.poll(() => titlesIn(neighbours), { timeout: 120_000 }).toContain(`${time}`);
  }
  const rows = () => deliveriesOf(db, id);
  await expect.poll(rows).toMatchObject([{ state: "failed", attempts: 0 }, { state: "sent" }]);
  expect(titlesIn(deadly)).toEqual(["deadly", "deadly", "deadly", "next"]);
  const [first] = await rows();
  expect((await findSetAside(db.read, 10)).deliveries).toEqual([first?.id]);
  await db.transaction((trx) => redeliver(trx, first?.id ?? 0));
  await expect.poll(rows).toMatchObject([{ state: "sent", unfinished_starts: 0 }, { state: "sent" }]);
  expect((await findSetAside(db.read, 10)).deliveries).toEqual([]);
  sender.child.kill("SIGKILL");
  await sender.finished;
  await Promise.all([neighbours.close(), deadly.close()]);
});

test("of two servers each message is sent by one, in order for a calendar, and each sends some", async () => {
  const sent = [0, 0];
  const dbs = [db, await openDatabase(url)];
  const senders = dbs.map((each, index) =>
    startSender({
      db: each,
      log: pino({ level: "silent" }),
      clock: () => startOfTests,
      sending: { timeoutMs: 20_000, allowsPrivate: true, resolve: createResolve() },
      observe: () => (sent[index] = (sent[index] ?? 0) + 1),
    }),
  );
  const worlds = await Promise.all([...Array(6).keys()].map(newWorld));
  for (const each of [...Array(10).keys()])
    for (const { owners } of worlds)
      for (const [index, owner] of owners.entries())
        await announceEvents(dbs[each % 2] ?? db, owner, [`${index} ${each}`]);
  for (const { receiver, endpoint, most } of worlds) {
    await expect.poll(() => receiver.received.length, { timeout: 120_000 }).toBe(20);
    for (const name of ["0", "1"]) {
      const titles = titlesIn(receiver).filter((title) => title.startsWith(name));
      expect(titles).toStrictEqual([...Array(10).keys()].map((each) => `${name} ${each}`));
    }
    expect(most()).toBeLessThanOrEqual(2);
    await expect.poll(async () => (await deliveriesOf(db, endpoint.id)).every(isSent)).toBe(true);
    await receiver.close();
  }
  const sumOf = () => sent.reduce((sum, each) => sum + each, 0);
  expect(sumOf()).toBe(120);
  // One of them may have been faster each time. None is kept from sending by the other.
  const { owner, receiver, endpoint } = await newWorld();
  let more = 0;
  const announceOne = async () => {
    await announceEvents(db, owner, [`more ${more++}`]);
    return Math.min(...sent);
  };
  await expect.poll(announceOne).toBeGreaterThan(0);
  await expect.poll(async () => (await deliveriesOf(db, endpoint.id)).every(isSent)).toBe(true);
  expect(sumOf()).toBe(120 + more);
  await receiver.close();
  for (const sender of senders) await sender.stop();
  await dbs[1]?.close();
});

/** An account with two calendars and an endpoint, whose receiver takes some time. */
async function newWorld() {
  const owner = await newOwner(db);
  const owners = [owner, { ...owner, calendarId: await addCalendar(db, owner.accountId) }];
  let most = 0;
  const receiver: Receiver = await startReceiver(async () => {
    most = Math.max(most, receiver.open());
    await pause(3);
    return 200;
  });
  const endpoint = await addEndpoint(db, owner.accountId, { url: receiver.url });
  return { owner, owners, receiver, endpoint, most: () => most };
}

const isSent = ({ state, attempts }: WebhookDeliveryRow): boolean => state === "sent" && attempts === 1;
