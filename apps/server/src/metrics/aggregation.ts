import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { Registry } from "prom-client";
import { isMetricsMessage, type Message } from "./messages.js";
import { measureProcess } from "./process.js";
import { aggregate, countersOf, showWorkers, type Snapshot, snapshotOf } from "./snapshots.js";

/** How long a scrape waits for the workers, in ms. */
const patienceMs = 2_500;

/** The metrics of all workers together, in the primary process. */
export interface Aggregation {
  /** Takes a worker. @param ended resolves when it has ended */
  readonly add: (worker: Worker, ended: Promise<unknown>) => void;
}

/** What is known of a worker. */
interface Known {
  readonly worker: Worker;
  /** Its last metrics. A worker that does not answer is shown with these, so that no sum falls. */
  snapshot: Snapshot;
  /** Called with its next metrics, or at its end. */
  answered: () => void;
}

/** Prints the metrics of all workers when one of them is asked for them. Simultaneous scrapes share one collection. */
export function createAggregation(log: Logger): Aggregation {
  const workers = new Set<Known>();
  let past: Snapshot = []; // the counters of the workers that have ended
  let printing: Promise<string> | undefined;
  const state = { answering: 0, silent: 0 };
  const own = ownMetrics(() => state);

  async function print(): Promise<string> {
    const all = [...workers];
    const answering = await collectAll(all);
    Object.assign(state, { answering, silent: all.length - answering });
    const snapshots = [...workers].map(({ snapshot }) => snapshot);
    return aggregate([await snapshotOf(own), past, ...snapshots]).metrics();
  }

  async function answer({ worker }: Known, id: number): Promise<void> {
    printing ??= print().finally(() => {
      printing = undefined;
    });
    send(worker, { metrics: "page", id, text: await printing });
  }

  async function end(known: Known): Promise<void> {
    workers.delete(known);
    known.answered();
    past = await aggregate([past, countersOf(known.snapshot)]).getMetricsAsJSON();
  }

  const fail = (error: unknown): void => log.error({ err: String(error) }, "metrics not printed");
  return {
    add: (worker, ended) => {
      const known: Known = { worker, snapshot: [], answered: () => undefined };
      workers.add(known);
      worker.on("message", (message: unknown) => {
        if (!isMetricsMessage(message)) return;
        if (message.metrics === "scrape") answer(known, message.id).catch(fail);
        if (message.metrics !== "snapshot") return;
        known.snapshot = message.snapshot;
        known.answered();
      });
      ended.then(() => end(known)).catch(fail);
    },
  };
}

/** Returns the metrics of the primary process. */
function ownMetrics(workers: Parameters<typeof showWorkers>[1]): Registry {
  const registry = new Registry();
  measureProcess(registry);
  showWorkers([registry], workers);
  return registry;
}

/** Asks all workers for their metrics. Resolves, when all have answered or the time is over, to the number of those that have. */
async function collectAll(workers: readonly Known[]): Promise<number> {
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
  return answering;
}

function send(worker: Worker, message: Message): void {
  if (worker.isConnected()) worker.send(message, () => undefined); // it may have just ended
}
