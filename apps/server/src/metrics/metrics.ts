import { Counter, Gauge, Registry } from "prom-client";
import { version } from "../about.js";
import type { DatabaseObserver } from "../db/open-database.js";
import type { ObserveRequest } from "../http/access-log.js";
import type { CacheCounts } from "../http/cache.js";
import type { Connections } from "../http/connections.js";
import type { PurgedKeys } from "../idempotency/queries.js";
import type { KeyUses } from "../idempotency/repeatable.js";
import type { Config } from "../settings/config.js";
import { countBackground, countUnexpectedErrors } from "./background.js";
import { countOverruns, observeDatabase } from "./database.js";
import { measureProcess } from "./process.js";
import { showDatabase, type Sources } from "./reachable.js";
import { observeRequests } from "./requests.js";
import { showCount, showCounts, showGauge } from "./shown.js";
import { countDeliveries, type CountedWebhooks } from "./webhooks.js";

/** What a server measures of itself. */
export interface Metrics {
  /** METRICS_TOKEN. */
  readonly token: string;
  readonly observeRequest: ObserveRequest;
  readonly caches: CountedCaches;
  readonly database: DatabaseObserver;
  /** Takes the operation of each write that held SQLite's only writer for longer than it may. */
  readonly overran: (operation: string) => void;
  readonly webhooks: CountedWebhooks;
  readonly keys: CountedKeys;
  /** Adds what a server has once it has started. */
  readonly add: (server: MeasuredServer) => void;
  /** Returns all metrics, as Prometheus reads them. */
  readonly print: () => Promise<string>;
}

interface MeasuredServer extends Pick<Sources, "db" | "isUp" | "clock"> {
  readonly connections: Connections;
  readonly runsJobs: boolean;
}

/** Starts to measure. `unexpectedErrors` returns how many exceptions nothing caught. */
export function openMetrics(
  token: string,
  { DATABASE_URL }: Config,
  unexpectedErrors: () => number,
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  measureProcess(registry);
  showBuild(registers, DATABASE_URL.startsWith("sqlite:") ? "sqlite" : "postgres");
  countBackground(registers);
  countUnexpectedErrors(registers, unexpectedErrors);
  return {
    token,
    observeRequest: observeRequests(registers),
    caches: countCaches(registers),
    database: observeDatabase(registers),
    overran: countOverruns(registers),
    webhooks: countDeliveries(registers),
    keys: countKeys(registers),
    add: ({ db, isUp, connections, runsJobs, clock }) => {
      showConnections(registers, connections);
      showDatabase(registers, { db, isUp, counts: runsJobs, clock });
    },
    print: () => registry.metrics(),
  };
}

function showBuild(registers: Registry[], database: string): void {
  const build = new Gauge({
    name: "kalends_build_info",
    help: "Version of Kalends and Node, and the kind of database; always 1.",
    labelNames: ["version", "node", "database"],
    registers,
  });
  build.set({ version, node: process.version, database }, 1);
}

function showConnections(registers: Registry[], connections: Connections): void {
  const open = { name: "kalends_http_connections", help: "Open connections of clients." };
  showGauge(registers, open, () => connections.open.size);
  const refused = {
    name: "kalends_http_connections_refused_total",
    help: "Connections that were refused because MAX_CONNECTIONS were open.",
  };
  showCount(registers, refused, () => connections.refused);
}

type CountedCaches = Readonly<Record<"lists" | "feeds" | "upcoming", CacheCounts>>;

function countCaches(registers: Registry[]): CountedCaches {
  const none = (): CacheCounts => ({ lookups: 0, misses: 0 });
  const caches = { lists: none(), feeds: none(), upcoming: none() };
  void new Counter({
    name: "kalends_cache_requests_total",
    help: "Values that were asked of a cache, by whether they were there (hit) or had to be made (miss).",
    labelNames: ["cache", "result"],
    registers,
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

interface CountedKeys {
  readonly uses: KeyUses;
  readonly purged: PurgedKeys;
}

/** Adds what became of writes with a key, and of kept answers. */
function countKeys(registers: Registry[]): CountedKeys {
  const uses = { stored: 0, replayed: 0, reused: 0, in_progress: 0 };
  const purged = { expired: 0, limit: 0 };
  const written = {
    name: "kalends_idempotency_keys_total",
    help: "Writes with an Idempotency-Key: stored, replayed, or refused since the key was reused or in progress.",
    label: "outcome",
  };
  showCounts(registers, written, () => uses);
  const removed = {
    name: "kalends_idempotency_keys_purged_total",
    help: "Keys that were removed with their answers: expired, or beyond those that an account may keep.",
    label: "reason",
  };
  showCounts(registers, removed, () => purged);
  return { uses, purged };
}
