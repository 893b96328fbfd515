import { pino } from "pino";
import { beforeEach, expect, test } from "vitest";
import { testDatabase } from "../../test/databases.js";
import { failuresOf, overItems } from "./failures.js";
import { failingJobs } from "./job-queries.js";
import { sharedJob } from "./jobs.js";
import { type Queue, type Task, Worker } from "./worker.js";

// What fails is counted and comes again at its stored time, and keeps nothing else from being done.

const { db } = await testDatabase();
const lines: string[] = [];
const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
beforeEach(() => void lines.splice(0));
const logged = (): readonly unknown[] => lines.map((line): unknown => JSON.parse(line));

let now = 1_000;
const never = () => false;
const jobOf = (name: string, run: () => Promise<unknown>): Queue =>
  sharedJob({ name, everyMs: 5, run }, { db, clock: () => now }, never);
const rowOf = (name: string) => db.read("jobs").where({ name }).first();
const runOnce = async (queue: Queue): Promise<void> => {
  for (const task of await queue.due([])) await task.run();
};

test("a job that throws is logged and counted, waits for a minute, then twice as long each time, and doctor names it", async () => {
  let runs = 0;
  let isBroken = true;
  const worker = new Worker(
    jobOf("broken", () => (runs++, isBroken ? Promise.reject(new TypeError("planted")) : Promise.resolve())),
    log,
  );
  const before = failuresOf("job");
  for (const pause of [60, 120, 240]) {
    const started = runs;
    await expect.poll(() => runs).toBe(started + 1);
    await expect.poll(() => rowOf("broken")).toMatchObject({ attempts: started + 1, next_at: now + pause });
    await expect.poll(logged).toHaveLength(started + 1);
    now += pause;
    if (pause === 120) expect(await failingJobs(db.read)).toEqual([]);
  }
  expect(logged()[0]).toMatchObject({ level: 50, kind: "job", id: "broken", err: { message: "planted" } });
  await expect.poll(() => failuresOf("job")).toBeGreaterThanOrEqual(before + 3);
  expect(await failingJobs(db.read)).toEqual(["broken"]);
  isBroken = false;
  now += 480;
  await expect.poll(() => rowOf("broken")).toMatchObject({ attempts: 0, next_at: 0 });
  await worker.stop();
});

test("a job whose process ended is not run before its time, and of two servers one runs it", async () => {
  const runs: number[] = [];
  const ends: (() => void)[] = [];
  const servers = [0, 1].map((index) =>
    jobOf("once", () => (runs.push(index), new Promise<void>((resolve) => ends.push(resolve)))),
  );
  const [first] = servers.map((queue) => runOnce(queue));
  await expect.poll(() => runs.length).toBe(1);
  now += 59;
  for (const queue of servers) await runOnce(queue);
  expect(runs).toHaveLength(1);
  for (const end of ends) end();
  await first;
  const again = servers.map((queue) => runOnce(queue));
  await expect.poll(() => runs.length).toBe(2);
  for (const end of ends) end();
  await Promise.all(again);
});

test("a job that took longer than its time leaves the claim of the server that has begun it since", async () => {
  const ends: (() => void)[] = [];
  const queue = jobOf("long", () => new Promise<void>((resolve) => ends.push(resolve)));
  const first = runOnce(queue);
  await expect.poll(() => ends.length).toBe(1);
  now += 60;
  const second = runOnce(queue);
  await expect.poll(() => ends.length).toBe(2);
  ends[0]?.();
  await first;
  expect(await rowOf("long")).toMatchObject({ attempts: 2, next_at: now + 120 });
  ends[1]?.();
  await second;
  expect(await rowOf("long")).toMatchObject({ attempts: 0, next_at: 0 });
});

test("a job over many items does all, though one fails, which the log names", async () => {
  const done: number[] = [];
  const work = (item: number) =>
    item === 2 ? Promise.reject(new RangeError("planted")) : Promise.resolve(done.push(item));
  const run = () =>
    overItems(async (doItem) => {
      for (const item of [1, 2, 3]) await doItem(item, () => work(item));
    });
  const worker = new Worker({ ...jobOf("items", run), atStart: true }, log);
  await expect
    .poll(logged)
    .toMatchObject([{ kind: "job", id: "items", item: 2, err: { name: "RangeError" } }]);
  await worker.stop();
  expect(done).toEqual([1, 3]);
});

test("at most two tasks of an account run at once, and as many of all as the queue says; what throws keeps no other", async () => {
  const open = new Map<number, () => void>();
  const left = new Set([1, 2, 3, 4, 5, 6, 7, 8]);
  const task = (id: number): Task => ({
    id,
    accountId: id <= 5 ? 1 : id, // five of one account
    run: () => {
      left.delete(id);
      if (id === 6) return Promise.reject(new Error("planted"));
      return new Promise<void>((resolve) => open.set(id, resolve)).then(() => void open.delete(id));
    },
  });
  const due: Queue["due"] = (busy) =>
    Promise.resolve([...left].map(task).filter(({ accountId = 0 }) => !busy.includes(accountId)));
  const worker = new Worker({ kind: "webhook", everyMs: 5, most: 4, due }, log);
  await expect.poll(() => [...open.keys()]).toEqual([1, 2, 7, 8]);
  expect(logged()).toMatchObject([{ kind: "webhook", id: 6 }]);
  for (const id of [1, 2]) open.get(id)?.();
  await expect.poll(() => [...open.keys()]).toEqual([7, 8, 3, 4]);
  for (const end of open.values()) end();
  await expect.poll(() => [...open.keys()]).toEqual([5]);
  open.get(5)?.();
  await worker.stop();
  expect(left.size).toBe(0);
});

test("an account whose work is behind that of others, which may not run yet, is not kept waiting", async () => {
  const open = new Map<number, () => void>();
  const all = Array.from({ length: 51 }, (_, index) => index);
  const ownerOf = (id: number): number => (id === 50 ? 3 : 1 + (id % 2)); // fifty of two accounts, then one of a third
  const task = (id: number): Task => ({
    id,
    accountId: ownerOf(id),
    run: () => new Promise<void>((resolve) => open.set(id, resolve)),
  });
  // As a query does, it returns the first few.
  const due: Queue["due"] = (busy) =>
    Promise.resolve(
      all
        .filter((id) => !busy.includes(ownerOf(id)))
        .slice(0, 16)
        .map(task),
    );
  const worker = new Worker({ kind: "sync", everyMs: 600_000, atStart: true, most: 8, due }, log);
  await expect.poll(() => [...open.keys()]).toEqual([0, 1, 2, 3, 50]);
  for (const end of open.values()) end();
  await worker.stop();
});
