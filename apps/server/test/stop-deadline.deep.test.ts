import pg from "pg";
import sqlite3 from "sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestDatabase, onPostgres, type TestDatabase } from "./databases.js";
import { request } from "./harness.js";
import { startPostgres } from "./postgres.js";
import { run, type Running } from "./process.js";
import { temporaryFolder } from "./temporary.js";

// SIGTERM while writes wait for something that does not come.

const token = "0123456789abcdef";
let folder = "";
let database: TestDatabase;
let server: Running | undefined;
beforeEach(async () => {
  folder = temporaryFolder();
  database = await createTestDatabase("migrated");
});
afterEach(async () => {
  server?.child.kill("SIGKILL");
  await server?.finished;
  server = undefined;
  await database.remove();
});

/** Keeps the lock that writes to a calendar need, until the returned function is called. */
async function holdLock(url: string, calendarId: unknown): Promise<() => Promise<void>> {
  if (onPostgres) {
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("update calendars set title = 'held' where id = $1", [calendarId]);
    return () => holder.end();
  }
  const holder = new sqlite3.Database(url.replace("sqlite:", ""));
  const run = (sql: string) =>
    new Promise<void>((resolve, reject) => {
      holder.exec(sql, (error) => (error === null ? resolve() : reject(error)));
    });
  await run("begin immediate");
  return async () => {
    await run("rollback");
    await new Promise((resolve) => holder.close(resolve));
  };
}

async function start(url: string) {
  const started = run("main.ts", [], folder, {
    PORT: "0",
    DATABASE_URL: url,
    CALENDAR_TOKEN: token,
  });
  server = started;
  const [, address = ""] = await started.until(/^Listening on (\S+)$/m);
  const call = (path: string) => request(`${address}/api/v1/${path}&token=${token}`);
  const { calendar } = (await call("calendars/create/?title=x")).body;
  expect((await request(`${address}/c/${calendar.uniquekey}/x.ics`)).status).toBe(200); // a fetch to store at the end
  return {
    calendar,
    /** Sends writes, and SIGTERM once they wait. Returns the exit code and the log. */
    endWhileWriting: async () => {
      const writes = [1, 2, 3, 4].flatMap((n) => [
        call(`calendars/save/?calendar_id=${calendar.id}&title=${n}`),
        call(`calendars/events/create/?calendar_id=${calendar.id}&title=${n}&start_date=07/04/2026+13:30`),
      ]);
      const outcomes = Promise.allSettled(writes);
      const answered = await Promise.race([
        outcomes.then(() => true),
        request(`${address}/healthz`).then(() => false),
      ]);
      expect(answered).toBe(false);
      started.child.kill("SIGTERM");
      const { code, stdout } = await started.finished;
      await outcomes;
      return { code, stdout };
    },
  };
}

describe("a stop", () => {
  test("a lock that another process keeps does not keep the server from ending within 10 s, with exit code 0", async () => {
    const { calendar, endWhileWriting } = await start(database.url);
    const release = await holdLock(database.url, calendar.id);
    const { code, stdout } = await endWhileWriting();
    await release(); // until then no write could succeed
    expect(code).toBe(0);
    expect(stdout).toContain('"server stopped"');
  });

  test.runIf(onPostgres)("commits that wait for a standby do not either", async () => {
    const postgres = await startPostgres();
    const control = new pg.Pool({ connectionString: `${postgres.url}/postgres` });
    control.on("error", () => undefined); // the server is stopped with its sessions
    // The commit that waits does so beyond the deadline, however late the others came.
    const { endWhileWriting } = await start(`${postgres.url}/postgres?query_timeout=25000`);
    await control.query("alter system set synchronous_standby_names = 'missing'");
    await control.query("select pg_reload_conf()");
    const missing = [{ synchronous_standby_names: "missing" }];
    await expect
      .poll(async () => (await control.query("show synchronous_standby_names")).rows)
      .toEqual(missing);
    const { code, stdout } = await endWhileWriting();
    expect((await control.query("show synchronous_standby_names")).rows).toEqual(missing); // it still waits
    await control.end();
    await postgres.remove();
    expect(code).toBe(0);
    expect(stdout).toMatch(/"after_ms":8500,"msg":"stopped with requests or writes still waiting"/);
    expect(stdout).toContain('"server stopped"');
  });
});
