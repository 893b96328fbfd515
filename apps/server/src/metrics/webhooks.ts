import type { Registry } from "prom-client";
import { shortenedPayloads } from "../webhooks/message.js";
import type { PurgedDeliveries } from "../webhooks/purge-job.js";
import type { WebhookCounts } from "../webhooks/queries.js";
import type { ObserveAttempt } from "../webhooks/run.js";
import { FastHistogram } from "./fast-histogram.js";
import { showCount, showCounts, showGauge } from "./shown.js";

/** From a receiver nearby to the longest WEBHOOK_TIMEOUT_MS, in seconds. */
const durationBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export interface CountedWebhooks {
  /** Called with each attempt to send a message. */
  readonly observe: ObserveAttempt;
  readonly purged: PurgedDeliveries;
}

/** Adds what became of messages, and of those that were kept. */
export function countDeliveries(registers: Registry[]): CountedWebhooks {
  return { observe: countAttempts(registers), purged: countPurged(registers) };
}

function countPurged(registers: Registry[]): PurgedDeliveries {
  const purged = { expired: 0, limit: 0, deleted: 0 };
  const metric = {
    name: "kalends_webhook_deliveries_purged_total",
    help: "Messages that were removed, sent or not: expired, beyond those that are kept, or of a webhook that was deleted.",
    label: "reason",
  };
  showCounts(registers, metric, () => purged);
  return purged;
}

function countAttempts(registers: Registry[]): ObserveAttempt {
  const counts = { sent: 0, retried: 0, failed: 0 };
  const attempts = {
    name: "kalends_webhook_attempts_total",
    help: "Attempts to send a message to a webhook: sent, retried later, or failed for good.",
    label: "outcome",
  };
  showCounts(registers, attempts, () => counts);
  const before = shortenedPayloads();
  const shortened = {
    name: "kalends_webhook_payloads_shortened_total",
    help: "Messages in which texts were shortened, since they had more characters than WEBHOOK_MAX_PAYLOAD.",
  };
  showCount(registers, shortened, () => shortenedPayloads() - before);
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

/** Adds the webhooks that there are, and what waits to be sent; nothing while it could not be read. */
export function showWebhooks(
  registers: Registry[],
  read: () => Promise<WebhookCounts | undefined>,
  clock: () => number,
): void {
  const show = (name: string, help: string, valueOf: (counts: WebhookCounts) => number): void =>
    showGauge(registers, { name, help }, async () => {
      const counts = await read();
      return counts && valueOf(counts);
    });
  show("kalends_webhooks_enabled", "Webhooks of all accounts that messages are sent to.", (of) => of.enabled);
  show("kalends_webhooks_disabled", "Webhooks of all accounts that were disabled.", (of) => of.disabled);
  show(
    "kalends_webhook_pending",
    "Messages that wait to be sent to enabled webhooks, now or again; counted up to 100,000.",
    (of) => of.count,
  );
  show(
    "kalends_webhook_oldest_pending_seconds",
    "Age of the oldest message that waits to be sent to an enabled webhook; 0 when none does.",
    ({ oldest }) => (oldest === null ? 0 : Math.max(0, clock() - oldest)),
  );
}
