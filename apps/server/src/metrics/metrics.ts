import { operationIds } from "@kalends/spec";
import { Counter, Histogram, Registry } from "prom-client";
import { failuresOf, kinds } from "../background/failures.js";
import type { ConnectionLoad, DatabaseObserver } from "../db/observer.js";
import type { ObserveRequest } from "../http/access-log.js";
import type { CacheCounts } from "../http/cache.js";
import type { Connections } from "../http/listener.js";
import { routeNames } from "../http/request-names.js";
import type { PurgedKeys } from "../http/idempotency-queries.js";
import type { KeyUses } from "../http/idempotency-repeatable.js";
import type { Config } from "../settings/config.js";
import { shortenedPayloads } from "../webhooks/message.js";
import type { PurgedDeliveries } from "../webhooks/purge-job.js";
import type { ObserveMail } from "../webhooks/mail-sender.js";
import type { ObserveAttempt } from "../webhooks/sender.js";
import { measureProcess } from "./process.js";
import { showDatabase, type Sources } from "./reachable.js";
import { showCounts, showGauge } from "./shown.js";

export interface Metrics {
  /** METRICS_TOKEN. */
  readonly token: string;
  readonly observeRequest: ObserveRequest;
  readonly caches: Readonly<Record<"lists" | "feeds" | "upcoming", CacheCounts>>;
  readonly database: DatabaseObserver;
  readonly webhooks: { readonly observe: ObserveAttempt; readonly purged: PurgedDeliveries };
  readonly observeMail: ObserveMail;
  readonly keys: { readonly uses: KeyUses; readonly purged: PurgedKeys };
  /** Adds the metrics of a started server. */
  readonly add: (server: MeasuredServer) => void;
  /** Returns all metrics in Prometheus format. */
  readonly print: () => Promise<string>;
}

interface MeasuredServer extends Pick<Sources, "db" | "isUp" | "clock"> {
  readonly connections: Connections;
  readonly runsJobs: boolean;
}

export function openMetrics(token: string, { DATABASE_URL }: Config): Metrics {
  const registry = new Registry();
  measureProcess(registry, DATABASE_URL.startsWith("sqlite:") ? "sqlite" : "postgres");
  countFailures(registry);
  return {
    token,
    observeRequest: observeRequests(registry),
    caches: countCaches(registry),
    database: observeDatabase(registry),
    webhooks: { observe: observeAttempts(registry), purged: countPurgedDeliveries(registry) },
    observeMail: countMails(registry),
    keys: countKeys(registry),
    add: ({ db, isUp, connections, runsJobs, clock }) => {
      showConnections(registry, connections);
      showDatabase(registry, { db, isUp, counts: runsJobs, clock });
    },
    print: () => registry.metrics(),
  };
}

/** Values of the label `operation` beside the operations of the API, so that no caller can add one. */
const others = ["feed", "upcoming", "page", "other"] as const;

const statusClasses = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Every pair of labels starts at 0, so that alerts see the first error. */
function observeRequests(register: Registry): ObserveRequest {
  const labelNames = ["operation", "status"] as const;
  const requests = new Counter({
    name: "kalends_http_requests_total",
    help: "Requests, by operation and class of the status; 4xx includes clients that left before the response (499).",
    labelNames,
    registers: [register],
  });
  const durations = new Histogram({
    name: "kalends_http_request_duration_seconds",
    help: "Time from the head of a request to the end of its response, by operation and class of the status.",
    labelNames,
    // From a cached list to the time limit of most clients.
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  const feeds = new Counter({
    name: "kalends_feed_responses_total",
    help: "Responses to requests for feeds: 200 with the feed, 304 not modified, or another status.",
    labelNames: ["code"],
    registers: [register],
  });
  for (const operation of [...operationIds, ...others])
    for (const status of statusClasses) requests.inc({ operation, status }, 0);
  for (const code of ["200", "304", "other"]) feeds.inc({ code }, 0);

  const byName = new Map<string, string>([
    ...operationIds.map((id) => [id, id] as const),
    ...Object.entries(routeNames),
  ]);
  return (name, status, seconds) => {
    const labels = { operation: byName.get(name ?? "") ?? "other", status: `${Math.floor(status / 100)}xx` };
    requests.inc(labels);
    durations.observe(labels, seconds);
    if (name === "feed") feeds.inc({ code: status === 200 || status === 304 ? status : "other" });
  };
}

const waitBuckets = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5];

function observeDatabase(register: Registry): DatabaseObserver {
  const pools = new Map<string, () => ConnectionLoad>();
  showPools(register, pools);
  const waits = new Histogram({
    name: "kalends_database_connection_wait_seconds",
    help: "Time that queries and transactions waited for a connection of a pool.",
    labelNames: ["pool"],
    buckets: waitBuckets,
    registers: [register],
  });
  return {
    pool: (pool, load) => pools.set(pool, load),
    waited: (pool, seconds) => waits.observe({ pool }, seconds),
    ...observeWrites(register),
  };
}

function showPools(register: Registry, pools: ReadonlyMap<string, () => ConnectionLoad>): void {
  const gauges = [
    ["in_use", "Connections of a pool that are in use.", "inUse"],
    ["max", "Connections that a pool may have.", "most"],
    ["waiting", "Queries and transactions that wait for a connection of a pool.", "waiting"],
  ] as const;
  for (const [name, help, key] of gauges)
    showGauge(register, { name: `kalends_database_connections_${name}`, help, label: "pool" }, () =>
      Object.fromEntries([...pools].map(([pool, load]) => [pool, load()[key]])),
    );
}

/** The queue of group commit (docs/decisions/0010-group-commit.md). */
function observeWrites(register: Registry): Pick<DatabaseObserver, "queue" | "group"> {
  let length = (): number => 0;
  const waits = new Histogram({
    name: "kalends_write_wait_seconds",
    help: "Time that writes waited until the transaction that they share had begun.",
    buckets: waitBuckets,
    registers: [register],
  });
  const groups = new Counter({
    name: "kalends_write_groups_total",
    help: "Transactions of group commit.",
    registers: [register],
  });
  const queue = {
    name: "kalends_write_queue_length",
    help: "Writes that wait for the next transaction of group commit; on SQLite, above 1,024 they are refused.",
  };
  showGauge(register, queue, () => length());
  return {
    queue: (current) => {
      length = current;
    },
    group: (seconds) => {
      groups.inc();
      for (const wait of seconds) waits.observe(wait);
    },
  };
}

function countFailures(register: Registry): void {
  const failures = {
    name: "kalends_background_failures_total",
    help: "Background work that failed or took too long, and is retried: jobs, and items of them, e-mail, syncs and webhooks.",
    label: "kind",
  };
  showCounts(register, failures, () => Object.fromEntries(kinds.map((kind) => [kind, failuresOf(kind)])));
}

function showConnections(register: Registry, connections: Connections): void {
  const open = { name: "kalends_http_connections", help: "Open connections of clients." };
  showGauge(register, open, () => connections.open());
  const refused = {
    name: "kalends_http_connections_refused_total",
    help: "Connections that were refused because MAX_CONNECTIONS were open.",
  };
  showCounts(register, refused, () => connections.refused());
}

function countCaches(register: Registry): Metrics["caches"] {
  const none = (): CacheCounts => ({ lookups: 0, misses: 0 });
  const caches = { lists: none(), feeds: none(), upcoming: none() };
  void new Counter({
    name: "kalends_cache_requests_total",
    help: "Values that were asked of a cache, by whether they were there (hit) or had to be made (miss).",
    labelNames: ["cache", "result"],
    registers: [register],
    collect() {
      this.reset();
      for (const [cache, { lookups, misses }] of Object.entries(caches)) {
        this.inc({ cache, result: "hit" }, lookups - misses);
        this.inc({ cache, result: "miss" }, misses);
      }
    },
  });
  return caches;
}

/** Counts the outcomes of messages to webhooks. */
function observeAttempts(register: Registry): ObserveAttempt {
  const attempts = new Counter({
    name: "kalends_webhook_attempts_total",
    help: "Attempts to send a message to a webhook: sent, retried later, or failed for good.",
    labelNames: ["outcome"],
    registers: [register],
  });
  for (const outcome of ["sent", "retried", "failed"]) attempts.inc({ outcome }, 0);
  const durations = new Histogram({
    name: "kalends_webhook_attempt_duration_seconds",
    help: "Time that an attempt took, from the look-up of the name to the end of the response.",
    // From a nearby receiver to the longest WEBHOOK_TIMEOUT_MS.
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [register],
  });
  const before = shortenedPayloads();
  const shortened = {
    name: "kalends_webhook_payloads_shortened_total",
    help: "Messages in which texts were shortened, since they had more characters than WEBHOOK_MAX_PAYLOAD.",
  };
  showCounts(register, shortened, () => shortenedPayloads() - before);
  return (outcome, seconds) => {
    attempts.inc({ outcome });
    durations.observe(seconds);
  };
}

/** Counts what becomes of attempts to send an e-mail. */
function countMails(register: Registry): ObserveMail {
  const mails = { sent: 0, retried: 0, failed: 0, unknown: 0, skipped: 0 };
  const metric = {
    name: "kalends_mail_attempts_total",
    help: "Attempts to send an e-mail: sent, retried later, failed for good, to an unknown address, which is removed, or skipped.",
    label: "outcome",
  };
  showCounts(register, metric, () => mails);
  return (outcome) => void mails[outcome]++;
}

function countPurgedDeliveries(register: Registry): PurgedDeliveries {
  const purged = { expired: 0, limit: 0, deleted: 0 };
  const metric = {
    name: "kalends_webhook_deliveries_purged_total",
    help: "Messages that were removed, sent or not: expired, beyond those that are kept, or of a webhook that was deleted.",
    label: "reason",
  };
  showCounts(register, metric, () => purged);
  return purged;
}

/** Counts the outcomes of writes with an Idempotency-Key, and purged responses. */
function countKeys(register: Registry): Metrics["keys"] {
  const uses = { stored: 0, replayed: 0, reused: 0, in_progress: 0 };
  const purged = { expired: 0, limit: 0 };
  const written = {
    name: "kalends_idempotency_keys_total",
    help: "Writes with an Idempotency-Key: stored, replayed, or refused since the key was reused or in progress.",
    label: "outcome",
  };
  showCounts(register, written, () => uses);
  const removed = {
    name: "kalends_idempotency_keys_purged_total",
    help: "Keys that were removed with their answers: expired, or beyond those that an account may keep.",
    label: "reason",
  };
  showCounts(register, removed, () => purged);
  return { uses, purged };
}
