import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as think } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { openDatabase } from "../src/db/connect.js";
import { client } from "./clients.js";
import { createTestDatabase, onPostgres } from "./databases.js";
import { freePort } from "./free-port.js";
import { run, type Running } from "./process.js";
import { isAlive, servicesOn, workersOf } from "./services.js";

// Workers that end or cannot start (docs/workers.md). The kind of the database has nothing to do with it.
vi.setConfig({ testTimeout: 120_000 }); // each process has to load the sources: seconds on a busy machine
const patient = { timeout: 60_000, interval: 20 };

const database = await createTestDatabase("migrated");
const services = servicesOn(database);
const folder = mkdtempSync(join(tmpdir(), "kalends-workers-end-"));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  vi.resetConfig();
  await services.end();
  await database.remove();
});

/** Returns the status of a service, 0 where the connection was closed: that of a worker that was killed is. */
const readiness = (url: string): Promise<number> =>
  client(url, "new")
    .send("/readyz")
    .then(({ status }) => status)
    .catch(() => 0);

/** Returns how many files the first process has open, connections among them, where the system shows it. */
function openFilesOf({ child }: Running): number | undefined {
  return process.platform === "linux" ? readdirSync(`/proc/${child.pid}/fd`).length : undefined;
}

const newerMigration = { name: "9999_of_tomorrow", applied_at: 0 };

describe.runIf(!onPostgres)("a service whose workers end or cannot start", () => {
  test("keeps those it has, and never gives up on one that keeps ending", async () => {
    const service = await services.start();
    const before = workersOf(service);
    const db = await openDatabase(database.url);
    await db.transaction((trx) => trx("migrations").insert(newerMigration));
    service.child.kill("SIGUSR2");
    await service.until(/"msg":"workers not replaced/);
    expect(workersOf(service)).toEqual(before);
    await expect.poll(() => readiness(service.url), patient).toBe(200);
    await db.transaction((trx) => trx("migrations").where({ name: newerMigration.name }).delete());
    await db.close();

    const killed = new Set<number>();
    while (killed.size < 7) {
      for (const { pid, number } of workersOf(service)) {
        if (number !== 2 || killed.has(pid)) continue;
        killed.add(pid);
        process.kill(pid, "SIGKILL");
      }
      await expect.poll(() => readiness(service.url), patient).toBe(200);
      await think(200);
    }
    await expect.poll(() => workersOf(service).map(({ number }) => number), patient).toEqual([1, 2]);
    service.child.kill("SIGTERM"); // while the new one starts
    const { code, stdout, stderr } = await service.finished;
    expect(code).toBe(0);
    expect(stdout).not.toContain('"worker killed"'); // none was still there after 9.5 s
    expect(stderr).toContain("The database has migrations of a newer version (9999_of_tomorrow)");
    const waits = [...stdout.matchAll(/"failures":\d+,"next_in_ms":(\d+)/g)].map(([, ms]) => Number(ms));
    expect(waits).toEqual([100, 200, 400, 800, 1600, 3200, 6400]);
  });

  test("closes the connection that one killed had been handed and not taken", async () => {
    const service = await services.start();
    for (const { pid } of workersOf(service)) process.kill(pid, "SIGSTOP");
    const everyone = Array.from({ length: 2 }, () => client(service.url, "new"));
    const files = openFilesOf(service);
    const ends = everyone.map((each) => each.send("/healthz").catch((error: unknown) => error));
    if (files === undefined) await think(500);
    else await expect.poll(() => openFilesOf(service), patient).toBe(files + 2); // it takes and hands over at once
    for (const { pid } of workersOf(service)) process.kill(pid, "SIGKILL");
    for (const end of ends) expect(await end).toMatchObject({ code: "ECONNRESET" });
    service.child.kill("SIGTERM");
    expect((await service.finished).code).toBe(0);
  });

  test("replaces one that ends before all of them listen", async () => {
    const service = run("main.ts", [], folder, { PORT: "0", WORKERS: "2", DATABASE_URL: database.url });
    const second = () => workersOf(service).find(({ number }) => number === 2);
    await expect.poll(() => second(), patient).toBeDefined();
    process.kill(second()?.pid ?? 0, "SIGKILL");
    const [, url = ""] = await service.until(/Listening on (\S+)/);
    await expect.poll(() => readiness(url), patient).toBe(200);
    await expect.poll(() => workersOf(service).map(({ number }) => number), patient).toEqual([1, 2]);
    service.child.kill("SIGTERM");
    expect((await service.finished).code).toBe(0);
  });

  test("ends with exit code 0 on SIGTERM while only its first worker listens", async () => {
    const PORT = String(await freePort());
    const service = run("main.ts", [], folder, { PORT, WORKERS: "2", DATABASE_URL: database.url });
    const second = () => workersOf(service).find(({ number }) => number === 2);
    await expect.poll(() => second(), patient).toBeDefined();
    const pid = second()?.pid ?? 0;
    process.kill(pid, "SIGSTOP"); // before it listens
    // A connection that is handed to the stopped one is given up after a second.
    const status = async (): Promise<number> => {
      const signal = AbortSignal.timeout(1_000);
      return (await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal })).status;
    };
    await expect.poll(() => status().catch(() => 0), patient).toBe(200);
    service.child.kill("SIGTERM");
    process.kill(pid, "SIGCONT");
    expect((await service.finished).code).toBe(0);
  });

  test("does not start, and says why, when the first one cannot", async () => {
    const db = await openDatabase(database.url);
    await db.transaction((trx) => trx("migrations").insert(newerMigration));
    const service = run("main.ts", [], folder, { PORT: "0", WORKERS: "2", DATABASE_URL: database.url });
    const { code, stderr } = await service.finished;
    await db.transaction((trx) => trx("migrations").where({ name: newerMigration.name }).delete());
    await db.close();
    expect(code).toBe(1);
    expect(stderr).toContain("The database has migrations of a newer version (9999_of_tomorrow)");
    expect(stderr).toContain("Worker 1 ended before it listened: exit code 1.");
  });
});

test.runIf(!onPostgres)("a killed primary process leaves no worker behind", async () => {
  const service = await services.start();
  const workers = workersOf(service);
  expect(workers).toHaveLength(2);
  service.child.kill("SIGKILL");
  await expect.poll(() => workers.filter(isAlive), patient).toEqual([]);
});

test.runIf(!onPostgres)("a service ends in time though a worker has only just been started", async () => {
  const service = await services.start();
  const [kept, killed] = workersOf(service);
  if (kept === undefined || killed === undefined) throw new Error("no workers");
  process.kill(killed.pid, "SIGKILL");
  const pids = (): readonly number[] => workersOf(service).map(({ pid }) => pid);
  await expect.poll(pids, patient).toEqual([kept.pid, expect.not.toSatisfy((pid) => pid === killed.pid)]);
  service.child.kill("SIGTERM");
  const { code, stdout } = await service.finished;
  expect(code).toBe(0);
  expect(stdout).not.toContain('"worker killed"'); // none was still there after 9.5 s
});
