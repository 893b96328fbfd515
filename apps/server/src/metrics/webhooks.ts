import { Counter, Gauge, type Registry } from "prom-client";
import { shortenedPayloads } from "../webhooks/message.js";
import type { WaitingDeliveries } from "../webhooks/queries.js";
import type { ObserveAttempt } from "../webhooks/run.js";
import { FastHistogram } from "./fast-histogram.js";

/** From a receiver nearby to the longest WEBHOOK_TIMEOUT_MS, in seconds. */
const durationBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Returns what is called with each attempt to send a message. */
export function observeWebhooks(registers: Registry[]): ObserveAttempt {
  const counts = { sent: 0, retried: 0, failed: 0 };
  void new Counter({
    name: "kalends_webhook_attempts_total",
    help: "Attempts to send a message to a webhook: sent, retried later, or failed for good.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count);
    },
  });
  const before = shortenedPayloads();
  void new Counter({
    name: "kalends_webhook_payloads_shortened_total",
    help: "Messages in which texts were shortened, since they had more characters than WEBHOOK_MAX_PAYLOAD.",
    registers,
    collect() {
      this.reset();
      this.inc(shortenedPayloads() - before);
    },
  });
  const observe = new FastHistogram({
    name: "kalends_webhook_attempt_duration_seconds",
    help: "Time that an attempt took, from the look-up of the name to the end of the response.",
    buckets: durationBuckets,
    registers,
  }).observer();
  return (outcome, seconds) => {
    counts[outcome]++;
    observe(seconds);
  };
}

/** Adds what waits to be sent; nothing while it could not be read. */
export function showWaiting(
  registers: Registry[],
  read: () => Promise<WaitingDeliveries | undefined>,
  clock: () => number,
): void {
  void new Gauge({
    name: "kalends_webhook_pending",
    help: "Messages that wait to be sent to enabled webhooks, now or again; counted up to 100,000.",
    registers,
    aggregator: "max", // of a worker and the one that takes its place
    async collect() {
      const waiting = await read();
      if (waiting === undefined) this.remove();
      else this.set(waiting.count);
    },
  });
  void new Gauge({
    name: "kalends_webhook_oldest_pending_seconds",
    help: "Age of the oldest message that waits to be sent to an enabled webhook; 0 when none does.",
    registers,
    aggregator: "max",
    async collect() {
      const waiting = await read();
      if (waiting === undefined) this.remove();
      else this.set(waiting.oldest === null ? 0 : Math.max(0, clock() - waiting.oldest));
    },
  });
}
