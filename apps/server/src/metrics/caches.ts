import { Counter, type Registry } from "prom-client";
import type { CacheCounts } from "../http/cache.js";

/** What is counted of the caches. */
export interface CountedCaches {
  readonly lists: CacheCounts;
  readonly feeds: CacheCounts;
  readonly upcoming: CacheCounts;
}

export function countCaches(registers: Registry[]): CountedCaches {
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
