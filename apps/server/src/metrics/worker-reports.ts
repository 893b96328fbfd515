import type { Worker } from "node:cluster";
import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "prom-client";
import { isMetricsMessage, type Message } from "./messages.js";
import { snapshotOf } from "./snapshots.js";

/** How long a worker waits for the primary process, in ms: longer than that waits for the other workers. */
const patienceMs = 4_000;

/**
 * Reports the metrics of this worker to the primary process when that asks for them.
 * @returns a function that returns those of all workers; undefined when the primary process does not answer in time
 */
export function reportToPrimary(worker: Worker, registry: Registry): () => Promise<string | undefined> {
  const waiting = new Map<number, (text: string) => void>();
  let last = 0;
  const send = (message: Message): void => void worker.send(message, () => undefined); // it may be gone: then we end too

  worker.on("message", (message: unknown) => {
    if (!isMetricsMessage(message)) return;
    if (message.metrics === "page") waiting.get(message.id)?.(message.text);
    if (message.metrics === "collect")
      snapshotOf(registry)
        .then((snapshot) => send({ metrics: "snapshot", snapshot }))
        .catch(() => undefined); // the primary process shows a worker that does not answer
  });

  return async () => {
    const id = ++last;
    const limit = new AbortController();
    const page = new Promise<string>((resolve) => waiting.set(id, resolve));
    send({ metrics: "scrape", id });
    const late = delay(patienceMs, undefined, { signal: limit.signal }).catch(() => undefined);
    const text = await Promise.race([page, late]);
    limit.abort();
    waiting.delete(id);
    return text;
  };
}
