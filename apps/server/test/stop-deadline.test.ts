import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/connect.js";
import { createTestDatabase, onPostgres, type TestDatabase } from "./databases.js";
import { request } from "./harness.js";
import { startPostgres } from "./postgres.js";
import { run, type Running } from "./process.js";

// SIGTERM while writes wait for something that does not come.
vi.setConfig({ testTimeout: 60_000 });

const token = "0123456789abcdef";
let folder = "";
let database: TestDatabase;
let server: Running | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "kalends-stop-"));
  database = await createTestDatabase();
});
afterEach(async () => {
  server?.child.kill("SIGKILL");
  await server?.finished;
  server = undefined;
  await database.remove();
  rmSync(folder, { recursive: true });
});

async function start(url: string, WORKERS: string) {
  const started = run("main.ts", [], folder, {
    PORT: "0",
    WORKERS,
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
    /** Sends writes, and SIGTERM once they wait. Returns the exit code and how long the end took, in ms. */
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
      const began = performance.now();
      started.child.kill("SIGTERM");
      const { code } = await started.finished;
      const ms = performance.now() - began;
      await outcomes;
      return { code, ms };
    },
  };
}

describe.each(["1", "2"])("WORKERS=%s", (WORKERS) => {
  test("a lock that another process keeps does not keep the server from ending within 10 s, with exit code 0", async () => {
    const { calendar, endWhileWriting } = await start(database.url, WORKERS);
    const holder = await openDatabase(database.url);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held: Promise<unknown> = Promise.resolve();
    await new Promise<void>((isHeld) => {
      held = holder.transaction(async (trx) => {
        await trx("calendars")
          .where({ id: Number(calendar.id) })
          .update({ title: "held" });
        isHeld();
        await released;
      });
    });
    const { code, ms } = await endWhileWriting();
    release();
    await held.catch(() => undefined); // PostgreSQL ends a transaction that is idle for 10 s
    await holder.close();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });

  test.runIf(onPostgres)("commits that wait for a standby do not either", async () => {
    const postgres = await startPostgres();
    const control = new pg.Pool({ connectionString: `${postgres.url}/postgres` });
    control.on("error", () => undefined); // the server is stopped with its sessions
    const { endWhileWriting } = await start(`${postgres.url}/postgres`, WORKERS);
    await control.query("alter system set synchronous_standby_names = 'missing'");
    await control.query("select pg_reload_conf()");
    await expect
      .poll(async () => (await control.query("show synchronous_standby_names")).rows)
      .toEqual([{ synchronous_standby_names: "missing" }]);
    const { code, ms } = await endWhileWriting();
    await control.end();
    await postgres.remove();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
  });
});
