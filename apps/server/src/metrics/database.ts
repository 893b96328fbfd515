import { operationIds, operations, isWrite } from "@kalends/spec";
import { Counter, type Registry } from "prom-client";
import type { ConnectionLoad, DatabaseObserver } from "../db/observer.js";
import { FastHistogram } from "./fast-histogram.js";
import { showCount, showGauge, showGauges } from "./shown.js";

const waitBuckets = [0.0001, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 2, 5];

/** Returns what observes a database from its opening on. */
export function observeDatabase(registers: Registry[]): DatabaseObserver {
  const pools = new Map<string, () => ConnectionLoad>();
  const waits = new FastHistogram({
    name: "kalends_database_connection_wait_seconds",
    help: "Time that queries and transactions waited for a connection of a pool.",
    labelNames: ["pool"],
    buckets: waitBuckets,
    registers,
  });
  const observers = new Map<string, (seconds: number) => void>();
  showPools(registers, pools);
  return {
    pool: (pool, load) => {
      pools.set(pool, load);
      observers.set(pool, waits.observer({ pool }));
    },
    waited: (pool, seconds) => observers.get(pool)?.(seconds),
    ...observeWrites(registers),
  };
}

function showPools(registers: Registry[], pools: ReadonlyMap<string, () => ConnectionLoad>): void {
  const gauges = [
    ["connections_in_use", "Connections of a pool that are in use.", "inUse"],
    ["connections_max", "Connections that a pool may have.", "most"],
    ["connections_waiting", "Queries and transactions that wait for a connection of a pool.", "waiting"],
  ] as const;
  for (const [name, help, key] of gauges)
    showGauges(registers, { name: `kalends_database_${name}`, help, label: "pool" }, () =>
      Object.fromEntries([...pools].map(([pool, load]) => [pool, load()[key]])),
    );
}

/** Writes that held SQLite's only writer for longer than their budget (docs/limits.md). */
export function countOverruns(registers: Registry[]): (operation: string) => void {
  const overruns = new Counter({
    name: "kalends_write_overruns_total",
    help: "Writes that held SQLite's only writer for longer than 250 ms.",
    labelNames: ["operation"],
    registers,
  });
  const writes = operationIds.filter((id) => isWrite(operations[id]));
  for (const operation of [...writes, "page", "background"]) overruns.inc({ operation }, 0);
  return (operation) => overruns.inc({ operation });
}

/** The queue of group commit (docs/decisions/0010-group-commit.md). */
function observeWrites(registers: Registry[]): Pick<DatabaseObserver, "queue" | "group"> {
  let length = (): number => 0;
  let groups = 0;
  const wait = new FastHistogram({
    name: "kalends_write_wait_seconds",
    help: "Time that writes waited until the transaction that they share had begun.",
    buckets: waitBuckets,
    registers,
  }).observer();
  const described = { name: "kalends_write_groups_total", help: "Transactions of group commit." };
  showCount(registers, described, () => groups);
  const queue = {
    name: "kalends_write_queue_length",
    help: "Writes that wait for the next transaction of group commit; above 256 they are refused.",
  };
  showGauge(registers, queue, () => length());
  return {
    queue: (current) => {
      length = current;
    },
    group: (waits) => {
      groups++;
      for (const seconds of waits) wait(seconds);
    },
  };
}
