import { Counter, Gauge, type Registry } from "prom-client";
import { failedUnits, unitKinds } from "../background/units.js";
import { failingKinds, type SetAside } from "../db/set-aside.js";

export function countBackground(registers: Registry[]): void {
  void new Counter({
    name: "kalends_background_failures_total",
    help: "Units of background work that failed or took too long, by what they are about. Each is retried later.",
    labelNames: ["kind"],
    registers,
    collect() {
      this.reset();
      for (const kind of unitKinds) this.inc({ kind }, failedUnits(kind));
    },
  });
}

/** Adds what was set aside; nothing while it could not be read. */
export function showSetAside(registers: Registry[], read: () => Promise<SetAside | undefined>): void {
  void new Gauge({
    name: "kalends_background_set_aside",
    help: "Background work that the server ended with, or jobs that failed, three times in a row; kalends doctor names it.",
    labelNames: ["kind"],
    registers,
    async collect() {
      const found = await read();
      this.reset();
      if (found === undefined) return;
      this.set({ kind: "delivery" }, found.deliveries.length);
      this.set({ kind: "sync" }, found.syncs.length);
      this.set({ kind: "series" }, found.series.length);
      for (const kind of failingKinds)
        this.set({ kind }, found.failing.filter((unit) => unit.kind === kind).length);
    },
  });
}

/** Adds the exceptions that nothing caught. */
export function countUnexpectedErrors(registers: Registry[], unexpectedErrors: () => number): void {
  void new Counter({
    name: "kalends_unexpected_errors_total",
    help: "Exceptions that nothing caught: defects, which the process survived.",
    registers,
    collect() {
      this.reset();
      this.inc(unexpectedErrors());
    },
  });
}
