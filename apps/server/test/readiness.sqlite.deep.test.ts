import { spawn } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import sqlite3 from "sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
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
const expectReady = (status: 200 | 503) => expect.poll(readiness, patient).toBe(status);
const create = () => account.call("createEvent", { calendar_id, title: "x", start_date: "07/04/2026 13:30" });

test("/readyz is 503 once another process has kept the write lock for longer than a write waits, and 200 after it", async () => {
  const other = new sqlite3.Database(server.databaseFile);
  const run = (sql: string) => new Promise((resolve) => other.exec(sql, resolve));
  expect(await run("begin immediate")).toBeNull();
  const began = performance.now();
  await expectReady(503);
  expect(performance.now() - began).toBeGreaterThan(4_000);
  expect(await run("rollback")).toBeNull();
  await expectReady(200);
  expect((await create()).status).toBe(200);
  await new Promise((resolve) => other.close(resolve));
});

test("/readyz is 503 while the file cannot grow, and 200 when there is space again", async () => {
  await expectReady(200);
  await server.db.transaction((trx) => trx.raw("create table filler as select zeroblob(200000) as bytes"));
  await server.db.transaction((trx) => trx.raw("PRAGMA max_page_count = 1")); // SQLite takes the pages in use as the least
  await expectReady(503);
  const other = new sqlite3.Database(server.databaseFile);
  await new Promise((resolve) => other.exec("drop table filler", resolve));
  await new Promise((resolve) => other.close(resolve));
  await expectReady(200); // no request has written
  expect((await create()).status).toBe(200);
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
