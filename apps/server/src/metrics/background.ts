import { Counter, type Registry } from "prom-client";
import { failedUnits, unitKinds } from "../background-units.js";
import { unexpectedErrors } from "../unexpected-errors.js";

/** Adds the failures of background work. */
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

/** Adds the exceptions that nothing caught. */
export function countUnexpectedErrors(registers: Registry[]): void {
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
