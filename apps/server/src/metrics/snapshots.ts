import { type Aggregator, AggregatorRegistry, Gauge, type Registry } from "prom-client";

/** The metrics of one process at a time. */
export type Snapshot = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** The start of the service is that of its oldest process; prom-client leaves it out. */
const aggregators = new Map<string, Aggregator>([["process_start_time_seconds", "min"]]);

export async function snapshotOf(registry: Registry): Promise<Snapshot> {
  const metrics = await registry.getMetricsAsJSON();
  return metrics.map((metric) => ({
    ...metric,
    aggregator: aggregators.get(metric.name) ?? metric.aggregator,
  }));
}

/** Returns the metrics of several processes together, each by its aggregator. */
export async function aggregate(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const exact = snapshots.map(withExactSums);
  return withExactSums(await merge(exact).getMetricsAsJSON());
}

/** Returns metrics as Prometheus reads them. */
export function printSnapshot(snapshot: Snapshot): Promise<string> {
  return merge([snapshot]).metrics();
}

function merge(snapshots: readonly Snapshot[]): Registry {
  return AggregatorRegistry.aggregate<Registry["contentType"]>([...snapshots]);
}

/** Returns what only ever grows: without it, the sums would fall when a process ends. */
export function countersOf(snapshot: Snapshot): Snapshot {
  return snapshot.filter(isCounter);
}

function isCounter({ type }: Snapshot[number]): boolean {
  return ["counter", "histogram"].includes(String(type));
}

/**
 * Rounds seconds to microseconds. Else a sum that is added up in another order, after a worker has ended, may be smaller in its
 * last bit, which is a restart of the counter to Prometheus.
 */
function withExactSums(snapshot: Snapshot): Snapshot {
  return snapshot.map((metric) => {
    if (!isCounter(metric)) return metric;
    const values = metric.values.map((each) => ({ ...each, value: Math.round(each.value * 1e6) / 1e6 }));
    return { ...metric, values };
  });
}

/** Adds how many workers answered this scrape, and how many did not. */
export function showWorkers(
  registers: Registry[],
  count: () => { readonly answering: number; readonly silent: number },
): void {
  void new Gauge({
    name: "kalends_workers",
    help: "Worker processes, by whether they answered this scrape; of silent ones the last known metrics are shown.",
    labelNames: ["state"],
    registers,
    collect() {
      for (const [state, number] of Object.entries(count())) this.set({ state }, number);
    },
  });
}
