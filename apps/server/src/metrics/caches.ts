import { Counter, type Registry } from "prom-client";
import type { CacheCounts } from "../http/cache.js";

/** What is counted of the two caches. */
export interface CountedCaches {
  readonly lists: CacheCounts;
  readonly feeds: CacheCounts;
}

export function countCaches(registers: Registry[]): CountedCaches {
  const caches = { lists: { lookups: 0, misses: 0 }, feeds: { lookups: 0, misses: 0 } };
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
