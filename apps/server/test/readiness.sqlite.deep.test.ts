import { spawn } from "node:child_process";
import { chmodSync, closeSync, copyFileSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import sqlite3 from "sqlite3";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startTestServer, type TestAccount, type TestServer } from "./harness.js";
import { argumentsOf, nodeByModes } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// What /readyz promises: the database can be read and written.
const patient = { timeout: 120_000, interval: 50 };

let server: TestServer;
let account: TestAccount;
let calendar_id = "";
beforeEach(async () => {
  server = await startTestServer();
  account = await server.account();
  // Else the server stores the token's use after some seconds: a write that may succeed while those of a test fail.
  await server.db.transaction((trx) => trx("tokens").update({ last_used_at: server.now }));
  calendar_id = (await account.call("createCalendar", { title: "x" })).body.calendar.id;
});
afterEach(() => server.stop());

const readiness = async () => (await server.request("/readyz")).status;
/** A single 503 shows nothing: /readyz also returns it when the process is held up for half a second. */
const expectReady = (status: 200 | 503) => expect.poll(readiness, patient).toBe(status);
/** What /readyz is made of, without its time limit: "ok", or the code of the failure. */
const health = () =>
  server.db.ping().then(
    () => "ok",
    (error: { readonly code?: unknown }) => error.code,
  );
const create = (description = "") =>
  account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 13:30", description });
const fatalLines = () => server.logLines.filter(({ level }) => level === 60);

test("/readyz is 503 once another process has kept the write lock for longer than a write waits, and 200 after it", async () => {
  const other = new sqlite3.Database(server.databaseFile);
  const run = (sql: string) => new Promise((resolve) => other.exec(sql, resolve));
  expect(await run("begin immediate")).toBeNull();
  const began = performance.now();
  expect(await health()).toBe("ok"); // no request writes meanwhile
  await expect.poll(health, patient).toBe("SQLITE_BUSY");
  expect(performance.now() - began).toBeGreaterThan(4_000);
  await expectReady(503);
  expect(await run("rollback")).toBeNull();
  await expectReady(200);
  expect((await create()).status).toBe(200);
  await new Promise((resolve) => other.close(resolve));
});

test("/readyz is 503 while the last write found no space, and 200 when there is space again", async () => {
  const pages = (most: number) => server.db.transaction((trx) => trx.raw(`PRAGMA max_page_count = ${most}`));
  await expectReady(200);
  await server.db.transaction((trx) => trx.raw("create table filler as select zeroblob(200000) as bytes"));
  await pages(1); // SQLite takes the pages in use as the least
  expect((await create("x".repeat(60_000))).status).toBe(507);
  const began = performance.now();
  await vi.waitUntil(async () => {
    expect(await readiness()).toBe(503);
    return performance.now() - began > 2_500; // so long that it was tested again, twice
  }, patient);
  const other = new sqlite3.Database(server.databaseFile);
  await new Promise((resolve) => other.exec("drop table filler", resolve));
  await new Promise((resolve) => other.close(resolve));
  await expectReady(200); // no request has written
  expect((await create()).status).toBe(200);
});

describe("a damaged file", () => {
  /** Overwrites the file, of which the checkpoint has made the only copy. */
  async function damage(from: number, to: number): Promise<void> {
    await server.db.transaction((trx) => trx.raw("select 1"));
    const other = new sqlite3.Database(server.databaseFile);
    await new Promise((resolve) => other.exec("PRAGMA wal_checkpoint(TRUNCATE)", resolve));
    await new Promise((resolve) => other.close(resolve));
    const page = 4_096;
    const garbage = Buffer.alloc((to - from) * page, 0xa5);
    // Closed after the server: closing any descriptor of a file drops the locks that SQLite holds on it in this process.
    descriptors.push(openSync(server.databaseFile, "r+"));
    writeSync(descriptors.at(-1) ?? 0, garbage, 0, garbage.length, from * page);
  }
  const descriptors: number[] = [];
  afterEach(() => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
  });

  test.each([
    ["its first page", 0, 1],
    ["all its other pages", 1, 12],
  ])("(%s) makes /readyz 503, refuses every write from then on, and is logged once", async (_, from, to) => {
    await damage(from, to);
    await expectReady(503);
    await expect.poll(fatalLines, patient).toHaveLength(1);
    for (let round = 0; round < 3; round++) {
      const refused = await server.db
        .transaction((trx) => trx.raw("select 1"))
        .catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: expect.stringMatching(/^SQLITE_(?:CORRUPT|NOTADB)$/) });
    }
    expect(fatalLines()).toMatchObject([{ msg: "database damaged: writes are refused, restore a backup" }]);
  });
});

test("a server does not start on a read-only file, and says so", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "kalends.sqlite");
  copyFileSync(server.databaseFile, file);
  chmodSync(file, 0o444);
  const [program, ...first] = nodeByModes;
  const child = spawn(program, [...first, ...argumentsOf("main.ts")], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, PORT: "0", DATABASE_URL: `sqlite:${file}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("Listening on")) child.kill("SIGTERM");
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect([code, text]).toEqual([1, expect.stringContaining(`The database file ${file} is read-only`)]);
});
