import type { Registry } from "prom-client";
import { failedUnits, unitKinds } from "../background/units.js";
import { failingKinds, type SetAside } from "../db/set-aside.js";
import { showCount, showCounts, showGauges } from "./shown.js";

export function countBackground(registers: Registry[]): void {
  const metric = {
    name: "kalends_background_failures_total",
    help: "Units of background work that failed or took too long, by what they are about. Each is retried later.",
    label: "kind",
  };
  showCounts(registers, metric, () => Object.fromEntries(unitKinds.map((kind) => [kind, failedUnits(kind)])));
}

/** Adds what was set aside; nothing while it could not be read. */
export function showSetAside(registers: Registry[], read: () => Promise<SetAside | undefined>): void {
  const metric = {
    name: "kalends_background_set_aside",
    help: "Background work that the server ended with, or jobs that failed, three times in a row; kalends doctor names it.",
    label: "kind",
  };
  showGauges(registers, metric, async () => {
    const found = await read();
    if (found === undefined) return {};
    const failing = (kind: string): number => found.failing.filter((unit) => unit.kind === kind).length;
    const { deliveries, syncs, series } = found;
    return {
      delivery: deliveries.length,
      sync: syncs.length,
      series: series.length,
      ...Object.fromEntries(failingKinds.map((kind) => [kind, failing(kind)] as const)),
    };
  });
}

export function countUnexpectedErrors(registers: Registry[], unexpectedErrors: () => number): void {
  const metric = {
    name: "kalends_unexpected_errors_total",
    help: "Exceptions that nothing caught: defects, which the process survived.",
  };
  showCount(registers, metric, unexpectedErrors);
}
