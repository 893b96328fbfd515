import { Counter, type Registry } from "prom-client";
import type { PurgedKeys } from "../idempotency/queries.js";
import type { KeyUses } from "../idempotency/repeatable.js";

/** What is counted of idempotency keys. */
export interface CountedKeys {
  readonly uses: KeyUses;
  readonly purged: PurgedKeys;
}

/** Adds what became of writes with a key, and of kept answers. */
export function countKeys(registers: Registry[]): CountedKeys {
  const uses = { stored: 0, replayed: 0, reused: 0, in_progress: 0 };
  const purged = { expired: 0, limit: 0 };
  void new Counter({
    name: "kalends_idempotency_keys_total",
    help: "Writes with an Idempotency-Key: stored, replayed, or refused since the key was reused or in progress.",
    labelNames: ["outcome"],
    registers,
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(uses)) this.inc({ outcome }, count);
    },
  });
  void new Counter({
    name: "kalends_idempotency_keys_purged_total",
    help: "Keys that were removed with their answers: expired, or beyond those that an account may keep.",
    labelNames: ["reason"],
    registers,
    collect() {
      this.reset();
      for (const [reason, count] of Object.entries(purged)) this.inc({ reason }, count);
    },
  });
  return { uses, purged };
}
