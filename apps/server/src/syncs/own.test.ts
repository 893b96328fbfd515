import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { calendarFile, importFile, vevent } from "../../test/calendar-files.js";
import { startTestServer, type TestAccount, type TestServer } from "../../test/harness.js";
import { createResolve } from "../webhooks/addresses.js";
import { deleteSync, insertSync, listSyncs } from "./queries.js";
import { claim, runSync, type SyncContext } from "./run.js";

// A sync changes and deletes what it has made, and nothing else, whatever its file says: strangers write it.

let server: TestServer;
let account: TestAccount;
let source: Server;
let url: string;
let file = "";

beforeAll(async () => {
  server = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: "on" });
  account = await server.account();
  source = createServer((_req, res) => res.writeHead(200).end(file));
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = source.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/town.ics`;
});
afterAll(async () => {
  source.closeAllConnections();
  await new Promise((resolve) => source.close(resolve));
  await server.stop();
});

async function newCalendar(): Promise<string> {
  return (await account.call("createCalendar", { title: "Town", timezone: "UTC" })).body.calendar.id;
}

async function newSync(calendarId: string): Promise<number> {
  const { id } = await server.db.transaction((trx) =>
    insertSync(trx, {
      account_id: account.id,
      calendar_id: Number(calendarId),
      url,
      host: new URL(url).hostname,
      every_seconds: 3_600,
      next_at: server.now,
      created_at: server.now,
    }),
  );
  return id;
}

/** Runs a sync with a file. Returns what it did, or why it failed. */
async function sync(id: number, ...events: readonly string[]): Promise<string> {
  file = calendarFile(...events);
  const context: SyncContext = {
    db: server.db,
    log: pino({ level: "silent" }),
    clock: () => server.now,
    sending: { allowsPrivate: true, resolve: createResolve() },
    signal: new AbortController().signal,
  };
  const row = await claim(context, id);
  if (row === undefined) throw new Error("the sync is being run");
  const failure = await runSync(row, context);
  if (failure !== "") return failure;
  return (await listSyncs(server.db.read)).find((one) => one.id === id)?.report ?? "";
}

async function titles(calendar_id: string): Promise<readonly string[]> {
  const { body } = await account.call("findEvents", { calendar_id, order_by: "id-asc" });
  return body.events.map(({ title }: { title: string }) => title);
}

const other = vevent("UID:other", "SUMMARY:Other");

describe("a sync leaves as it is", () => {
  test("an event of the owner, whose UID the feed prints", async () => {
    const id = await newCalendar();
    const { body } = await account.call("addEvent", {
      calendar_id: id,
      title: "Mine",
      start_date: "2026-08-01 10:00",
    });
    const { uid } = body.event;
    const own = await newSync(id);
    expect(await sync(own, vevent(`UID:${uid}`, "SUMMARY:Theirs"), other)).toBe(
      "1 created, 0 changed, 0 unchanged, 1 skipped, 0 deleted",
    );
    expect(await titles(id)).toEqual(["Mine", "Other"]);
    await sync(own, other);
    expect(await titles(id)).toEqual(["Mine", "Other"]);
  });

  test("its own event, when the feed of the calendar is its file", async () => {
    const id = await newCalendar();
    const own = await newSync(id);
    await sync(own, other);
    const { body } = await account.call("findEvents", { calendar_id: id });
    expect(await sync(own, other, vevent(`UID:${body.events[0].uid}`, "SUMMARY:Again"))).toBe(
      "0 created, 0 changed, 1 unchanged, 1 skipped, 0 deleted",
    );
    expect(await titles(id)).toEqual(["Other"]);
  });

  test("an event that an import has made", async () => {
    const id = await newCalendar();
    await importFile(server, account, id, calendarFile(vevent("UID:a", "SUMMARY:Imported")));
    const own = await newSync(id);
    expect(await sync(own, vevent("UID:a", "SUMMARY:Synced"), other)).toContain(
      "1 created, 0 changed, 0 unchanged, 1 skipped",
    );
    await sync(own, other);
    expect(await titles(id)).toEqual(["Imported", "Other"]);
  });

  test("an event that another sync has made", async () => {
    const id = await newCalendar();
    const [first, second] = [await newSync(id), await newSync(id)];
    await sync(first, vevent("UID:a", "SUMMARY:First"));
    expect(await sync(second, vevent("UID:a", "SUMMARY:Second"), other)).toContain(
      "1 created, 0 changed, 0 unchanged, 1 skipped",
    );
    await sync(second, other);
    expect(await titles(id)).toEqual(["First", "Other"]);
    await sync(first, vevent("UID:a", "SUMMARY:Changed"));
    expect(await titles(id)).toEqual(["Changed", "Other"]);
  });
});

test("a sync takes over the events of one that was removed", async () => {
  const id = await newCalendar();
  const first = await newSync(id);
  await sync(first, vevent("UID:a", "SUMMARY:First"), vevent("UID:b", "SUMMARY:Gone"));
  await server.db.transaction((trx) => deleteSync(trx, { id: first }));
  const second = await newSync(id);
  expect(await sync(second, vevent("UID:a", "SUMMARY:First"), vevent("UID:b", "SUMMARY:Gone"))).toContain(
    "2 unchanged",
  );
  expect(await sync(second, vevent("UID:a", "SUMMARY:Second"))).toContain(
    "1 changed, 0 unchanged, 0 skipped, 1 deleted",
  );
  expect(await titles(id)).toEqual(["Second"]);
});

test("a sync whose file would store too much stores nothing and says so", async () => {
  const id = await newCalendar();
  const own = await newSync(id);
  const series = Array.from({ length: 27 }, (_, n) =>
    vevent(`UID:${n}`, "RRULE:FREQ=DAILY", `DESCRIPTION:${"x".repeat(65_000)}`),
  );
  expect(await sync(own, ...series)).toMatch(/^Its events would store more than 32 MiB/);
  expect(await titles(id)).toEqual([]);
});
