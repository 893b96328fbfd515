import cluster from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { describeFailure } from "./http/failure-log.js";
import { shareRateLimits } from "./http/rate-limit.js";
import type { Aggregation } from "./metrics/aggregation.js";
import { dismiss, startWorkerProcess, type WorkerProcess } from "./worker-process.js";

/** The processes that answer requests, all on one port. The first process hands them connections and looks after them. */
export interface Workers {
  /** Where they listen, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** Resolves when a worker has lost the database. */
  readonly lost: Promise<Error>;
  /** Replaces them one by one: each new one listens before an old one retires. When one does not start, the old ones stay. */
  readonly restart: () => Promise<void>;
  /** Lets requests in flight finish. Resolves within 10 s; a worker that has not ended by then is killed. */
  readonly stop: () => Promise<void>;
}

/** A worker that ends younger than this has failed. After each failure in a row its slot waits twice as long, up to the most. */
const healthyMs = 10_000;
const firstDelayMs = 100;
const mostDelayMs = 30_000;

/** A worker slot, occupied by one worker after the other. Its number is in the log lines; number 1 runs the background jobs. */
interface Slot {
  readonly number: number;
  occupant: WorkerProcess;
  failures: number;
}

/** The state that all slots share. */
interface Pool {
  readonly log: Logger;
  /** All workers that run, those that retire too. */
  readonly running: Set<WorkerProcess>;
  readonly onLost: (reason: string) => void;
  /** Undefined without METRICS_TOKEN. */
  readonly metrics: Aggregation | undefined;
  stopping: boolean;
}

export interface WorkersOptions {
  readonly count: number;
  readonly log: Logger;
  /** Prints the metrics of all workers; undefined without METRICS_TOKEN. */
  readonly metrics: Aggregation | undefined;
}

/** Takes the function that stops all workers. */
export type Serving = (stop: Workers["stop"]) => void;

/**
 * Starts the workers. The first one brings the database up to date before the others start, so that they need not race.
 * @param serving is called once the first one answers requests
 * @throws Error when the first one ends before it listens; it has printed why on stderr. Others that end are replaced.
 */
export async function startWorkers(
  { count, log, metrics }: WorkersOptions,
  serving: Serving,
): Promise<Workers> {
  if (!cluster.isPrimary)
    throw new Error("WORKERS must be 1 under a program that starts several processes by itself.");
  shareRateLimits();
  let onLost: (reason: string) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => {
    onLost = (reason) => resolve(new Error(reason));
  });
  const pool: Pool = { log, running: new Set(), onLost, metrics, stopping: false };
  process.once("exit", () => killAll(pool));

  const first = startWorker(pool, 1);
  const url = await first.listening;
  serving(() => stopAll(pool));
  const all = [first, ...Array.from({ length: count - 1 }, (_, index) => startWorker(pool, index + 2))];
  const slots = all.map((occupant, index) => ({ number: index + 1, occupant, failures: 0 }));
  for (const slot of slots) void occupy(pool, slot, slot.occupant);
  await Promise.allSettled(all.map(({ listening }) => listening));
  log.info({ pid: process.pid, workers: count }, "workers listen");

  let restarts = Promise.resolve();
  const restart = (): Promise<void> => {
    restarts = restarts.then(() => replaceAll(pool, slots));
    return restarts;
  };
  return { url, lost, restart, stop: () => stopAll(pool) };
}

function startWorker(pool: Pool, number: number): WorkerProcess {
  const started = startWorkerProcess(number, pool.log, pool.onLost);
  pool.log.info({ worker: number, pid: started.worker.process.pid }, "worker started");
  pool.running.add(started);
  pool.metrics?.add(started.worker, started.ended);
  void started.ended.then(() => pool.running.delete(started));
  return started;
}

/** Puts a worker in its slot and, when it ends by itself, another one after it. */
async function occupy(pool: Pool, slot: Slot, occupant: WorkerProcess): Promise<void> {
  const isDismissed = (): boolean => pool.stopping || slot.occupant !== occupant;
  slot.occupant = occupant;
  const end = await occupant.ended;
  if (isDismissed()) return;
  slot.failures = performance.now() - occupant.startedAt < healthyMs ? slot.failures + 1 : 1;
  const delayMs = Math.min(firstDelayMs * 2 ** (slot.failures - 1), mostDelayMs);
  pool.log.error(
    { worker: slot.number, end, failures: slot.failures, next_in_ms: delayMs },
    "worker ended: another one takes its place",
  );
  const next = await startAfter(delayMs, pool, slot, isDismissed);
  if (next !== undefined) void occupy(pool, slot, next);
}

/** Starts a worker after a pause, and tries again where the system cannot start one. Undefined when none is needed any more. */
async function startAfter(
  delayMs: number,
  pool: Pool,
  { number }: Slot,
  isDismissed: () => boolean,
): Promise<WorkerProcess | undefined> {
  for (let pauseMs = delayMs; ; pauseMs = mostDelayMs) {
    await delay(pauseMs);
    if (isDismissed()) return undefined;
    try {
      return startWorker(pool, number);
    } catch (error) {
      pool.log.error({ worker: number, err: describeFailure(error) }, "worker not started, will be retried");
    }
  }
}

/** Replaces the workers one by one. When a new one does not start, those that are left stay. */
async function replaceAll(pool: Pool, slots: readonly Slot[]): Promise<void> {
  try {
    for (const slot of slots) if (!pool.stopping) await replace(pool, slot);
    pool.log.info("workers replaced");
  } catch (error) {
    if (!pool.stopping) pool.log.error({ err: String(error) }, "workers not replaced: those there are go on");
  }
}

async function replace(pool: Pool, slot: Slot): Promise<void> {
  const next = startWorker(pool, slot.number);
  await next.listening;
  const { occupant } = slot; // which may have ended, and have been replaced, meanwhile
  slot.failures = 0;
  void occupy(pool, slot, next);
  await dismiss(occupant, "retire").catch(logKilled(pool));
}

async function stopAll(pool: Pool): Promise<void> {
  pool.stopping = true;
  await Promise.all([...pool.running].map((each) => dismiss(each, "stop").catch(logKilled(pool))));
}

function logKilled({ log }: Pool): (error: unknown) => void {
  return (error) => log.error({ err: String(error) }, "worker killed");
}

/** The last resort: no worker outlives the first process. */
function killAll({ running }: Pool): void {
  for (const { worker } of running) worker.process.kill("SIGKILL");
}
