import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openDatabase } from "../src/db/open-database.js";
import type { WebhookDeliveryRow } from "../src/db/rows.js";
import { findSync, insertSync } from "../src/files/sync-queries.js";
import { notEnded } from "../src/webhooks/delivery-queries.js";
import { calendarFile, vevent } from "./calendar-files.js";
import { testDatabase } from "./databases.js";
import { run, type Running } from "./process.js";
import { temporaryFolder } from "./temporary.js";
import { type Receiver, startReceiver } from "./webhook-receiver.js";
import {
  addCalendar,
  addEndpoint,
  announceEvents,
  deliveriesOf,
  newOwner,
  startSending,
} from "./webhook-world.js";

// Work that ends the process is counted before it is tried: it waits for its next time, others are done, and nothing is lost. Two servers
// do not do the same work at a time.

const patient = { timeout: 120_000, interval: 20 };
const folder = temporaryFolder();
const { db, url } = await testDatabase();

let server: Running | undefined;
afterEach(async () => {
  server?.child.kill("SIGKILL");
  await server?.finished;
});

/** Starts a server as a supervisor does. It throws at SIGWINCH. */
async function start(unexpected: string): Promise<Running> {
  const settings = { WEBHOOK_ALLOW_PRIVATE: "on", WEBHOOK_TIMEOUT_MS: "1000", UNEXPECTED: unexpected };
  const NODE_OPTIONS = `--import ${import.meta.resolve("./throws-on-signal.mjs")}`;
  const started = run("main.ts", [], folder, { PORT: "0", DATABASE_URL: url, NODE_OPTIONS, ...settings });
  server = started;
  await started.until(/Listening on/);
  return started;
}

const titlesIn = ({ received }: Receiver): readonly string[] =>
  received.map(({ payload }) => payload.data.event.title);

describe.each([
  ["kill -9", "SIGKILL", ""],
  ["an exception that nothing catches", "SIGWINCH", "exception"],
  ["a rejection that nothing handles", "SIGWINCH", "rejection"],
] as const)("%s", (_what, signal, unexpected) => {
  test("in the attempt of a message: it waits for its next attempt, and others are sent before", async () => {
    const deadly = await startReceiver(({ payload }) => {
      if (payload.data.event.title !== "deadly" || deadly.received.length > 2) return 200;
      server?.child.kill(signal);
      return undefined;
    });
    const neighbours = await startReceiver();
    const [owner, other] = [await newOwner(db), await newOwner(db)];
    const { id } = await addEndpoint(db, owner.accountId, { url: deadly.url });
    await addEndpoint(db, other.accountId, { url: neighbours.url });
    await announceEvents(db, owner, ["deadly", "next"]);
    const { stdout, code } = await (await start(unexpected)).finished;
    const [row] = await deliveriesOf(db, id);
    expect(row).toMatchObject({ state: "pending", attempts: 1, error: notEnded });
    expect((row?.next_at ?? 0) - (row?.attempted_at ?? 0)).toBeGreaterThanOrEqual(5);
    if (signal === "SIGWINCH") {
      expect(code).toBe(1);
      const lines = stdout.split("\n").filter((line) => line.includes('"unexpected error"'));
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
        { level: 60, err: { code: "23505" } },
      ]);
      expect(stdout).not.toContain("private title");
    }
    await announceEvents(db, other, ["neighbour"]);
    await start(unexpected);
    await expect.poll(() => titlesIn(neighbours), patient).toEqual(["neighbour"]);
    await expect.poll(() => titlesIn(deadly), patient).toEqual(["deadly", "next", "deadly"]);
    await expect
      .poll(() => deliveriesOf(db, id), patient)
      .toMatchObject([
        { state: "sent", attempts: 2 },
        { state: "sent", attempts: 1 },
      ]);
    await Promise.all([neighbours.close(), deadly.close()]);
  });

  test("in the attempt of a sync: it waits for its next attempt, and others are run", async () => {
    let deadly = 0;
    const source = createServer((req, res) => {
      if (req.url === "/deadly") {
        deadly++;
        server?.child.kill(signal);
      } else res.end(calendarFile(vevent()));
    });
    await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
    const address: AddressInfo | string | null = source.address();
    const port = typeof address === "object" ? address?.port : 0;
    const now = Math.floor(Date.now() / 1_000);
    const add = async (path: string, next_at: number): Promise<number> => {
      const { accountId: account_id, calendarId: calendar_id } = await newOwner(db);
      const due = { every_seconds: 3_600, next_at, created_at: now };
      const row = { account_id, calendar_id, url: `http://127.0.0.1:${port}/${path}`, ...due };
      return (await db.transaction((trx) => insertSync(trx, row))).id;
    };
    const rowOf = (id: number) => findSync(db.read, id);
    const id = await add("deadly", now - 1);
    await (
      await start(unexpected)
    ).finished;
    expect(await rowOf(id)).toMatchObject({ failures: 1, error: "" });
    expect((await rowOf(id))?.next_at).toBeGreaterThanOrEqual(now + 7_200);
    const other = await add("other", now);
    await start(unexpected);
    await expect.poll(async () => (await rowOf(other))?.report, patient).toContain("1 created");
    expect(deadly).toBe(1);
    source.closeAllConnections();
    source.close();
  });
});

test("of two servers each message is sent by one, in order for a calendar, and each sends some", async () => {
  const sent = [0, 0];
  const dbs = [db, await openDatabase(url)];
  const senders = dbs.map((each, index) =>
    startSending(each, { observe: () => void (sent[index] = (sent[index] ?? 0) + 1) }),
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
