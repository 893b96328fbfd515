import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { countUnexpectedErrors } from "./background.js";
import { isMetricsMessage, type Message } from "./messages.js";
import { measureProcess } from "./process.js";
import { aggregate, countersOf, printSnapshot, showWorkers, type Snapshot, snapshotOf } from "./snapshots.js";

/** How long a scrape waits for the workers, in ms. */
const patienceMs = 2_500;

/** The metrics of all workers together, in the primary process. */
export interface Aggregation {
  /** Takes a worker. @param whenEnded resolves when it has ended */
  readonly add: (worker: Worker, whenEnded: Promise<unknown>) => void;
}

/** What is known of a worker. */
interface Known {
  readonly worker: Worker;
  /** Its last metrics. A worker that does not answer is shown with these, so that no sum falls. */
  snapshot: Snapshot;
  /** Called with its next metrics, or at its end. */
  answered: () => void;
}

/** Prints the metrics of all workers when one of them receives a scrape. Simultaneous scrapes share one collection. */
export function createAggregation(log: Logger): Aggregation {
  const workers = new Set<Known>();
  const ended: Snapshot[] = []; // the counters of workers that have ended since the last scrape
  let past: Snapshot = []; // and of those before
  let printing: Promise<string> | undefined;
  const state = { answering: 0, silent: 0 };
  const own = ownMetrics(() => state);

  async function print(): Promise<string> {
    Object.assign(state, await collectAll([...workers]));
    const present = [...workers].map(({ snapshot }) => snapshot);
    past = await aggregate([past, ...ended.splice(0)]);
    return printSnapshot(await aggregate([await snapshotOf(own), past, ...present]));
  }

  async function answer({ worker }: Known, id: number): Promise<void> {
    printing ??= print().finally(() => {
      printing = undefined;
    });
    send(worker, { metrics: "page", id, text: await printing });
  }

  function end(known: Known): void {
    workers.delete(known);
    known.answered();
    ended.push(countersOf(known.snapshot));
  }

  const fail = (error: unknown): void => log.error({ err: String(error) }, "metrics not printed");
  return {
    add: (worker, whenEnded) => {
      const known: Known = { worker, snapshot: [], answered: () => undefined };
      workers.add(known);
      worker.on("message", (message: unknown) => {
        if (!isMetricsMessage(message)) return;
        if (message.metrics === "scrape") answer(known, message.id).catch(fail);
        if (message.metrics !== "snapshot") return;
        known.snapshot = message.snapshot;
        known.answered();
      });
      void whenEnded.then(() => end(known));
    },
  };
}

/** Returns the metrics of the primary process. */
function ownMetrics(workers: Parameters<typeof showWorkers>[1]): Registry {
  const registry = new Registry();
  measureProcess(registry);
  countUnexpectedErrors([registry]);
  showWorkers([registry], workers);
  return registry;
}

/** Asks all workers for their metrics. Resolves when all have answered or the time is over. */
async function collectAll(workers: readonly Known[]): Promise<{ answering: number; silent: number }> {
  const limit = new AbortController();
  const late = delay(patienceMs, undefined, { signal: limit.signal }).catch(() => undefined);
  let answering = 0;
  const answers = workers.map(
    (known) =>
      new Promise<void>((resolve) => {
        known.answered = () => {
          answering++;
          resolve();
        };
        send(known.worker, { metrics: "collect" });
      }),
  );
  await Promise.race([Promise.all(answers), late]);
  limit.abort();
  for (const known of workers) known.answered = () => undefined;
  return { answering, silent: workers.length - answering };
}

function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => undefined); // it may have just ended
}
