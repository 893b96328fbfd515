import { monitorEventLoopDelay } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { version } from "../about.js";

/** Interval of the measurements of the event loop's delay, in ms. */
const resolutionMs = 20;

/**
 * Omitted metrics of prom-client: gauges ending in _total, which promtool refuses, and its delays of the event loop, which
 * include the interval between two measurements.
 */
const omitted = /^nodejs_(?:active_\w+_total$|eventloop_lag_)/;

/** Adds the build, prom-client's metrics of the process, and the delay of its event loop. */
export function measureProcess(registry: Registry, database: "sqlite" | "postgres"): void {
  new Gauge({
    name: "kalends_build_info",
    help: "Version of Kalends and Node, and the kind of database; always 1.",
    labelNames: ["version", "node", "database"],
    registers: [registry],
  }).set({ version, node: process.version, database }, 1);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (omitted.test(name)) registry.removeSingleMetric(name);

  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const seconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
  const name = "kalends_event_loop_delay";
  const help = "Delay of the event loop since the previous scrape";
  void new Gauge({
    name: `${name}_p99_seconds`,
    help: `${help}, p99.`,
    registers: [registry],
    collect() {
      this.set(seconds(delays.percentile(99)));
      max.set(seconds(delays.max));
      delays.reset();
    },
  });
  // Registered after the other gauge, whose scrape sets both.
  const max = new Gauge({ name: `${name}_max_seconds`, help: `${help}, max.`, registers: [registry] });
}
