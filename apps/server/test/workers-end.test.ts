import { setTimeout as think } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/connect.js";
import { createTestDatabase, onPostgres } from "./databases.js";
import { isAlive, servicesOn, workersOf } from "./services.js";

// Workers that cannot be kept alive (docs/workers.md). The kind of the database has nothing to do with it.
vi.setConfig({ testTimeout: 120_000 }); // each process has to load the sources: seconds on a busy machine
const patient = { timeout: 60_000, interval: 20 };

const database = await createTestDatabase();
const services = servicesOn(database);
afterAll(async () => {
  vi.resetConfig();
  await services.end();
  await database.remove();
});

describe.runIf(!onPostgres)("a service whose workers cannot start", () => {
  test("keeps those it has, and ends with a clear word when one of them ends", async () => {
    const service = await services.start();
    const before = workersOf(service);
    const db = await openDatabase(database.url);
    await db.transaction((trx) => trx("migrations").insert({ name: "9999_of_tomorrow", applied_at: 0 }));
    service.child.kill("SIGUSR2");
    await service.until(/"msg":"workers not replaced/);
    expect(workersOf(service)).toEqual(before);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    await db.transaction((trx) => trx("migrations").where({ name: "9999_of_tomorrow" }).delete());
    await db.close();

    const state = { ended: false };
    void service.finished.then(() => (state.ended = true));
    while (!state.ended) {
      for (const { pid, number } of workersOf(service)) if (number === 2) process.kill(pid, "SIGKILL");
      await think(20);
    }
    const { code, stderr } = await service.finished;
    expect(code).toBe(1);
    expect(stderr).toContain("The database has migrations of a newer version (9999_of_tomorrow)");
    expect(stderr).toContain("Worker 2 ended 5 times in a row, the last time by SIGKILL.");
    expect(before.filter(isAlive)).toEqual([]);
  });
});

test.runIf(!onPostgres)("a first process that is killed leaves no worker behind", async () => {
  const service = await services.start();
  const workers = workersOf(service);
  expect(workers).toHaveLength(2);
  service.child.kill("SIGKILL");
  await expect.poll(() => workers.filter(isAlive), patient).toEqual([]);
});
