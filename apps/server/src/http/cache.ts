import { LRUCache } from "lru-cache";

/** Values made from the data, each under a key that names the version of the data which it was made of. */
export type Cache<Value extends object> = LRUCache<string, Value, () => Promise<Value>>;

/** What an entry takes beside its value and its key, about, in bytes. */
const overheadBytes = 500;

/**
 * Keeps the values used last. What is being made is made once, however many ask for it meanwhile.
 * @param maxBytes the most memory they may take; with 0 nothing is kept
 * @param sizeOf the bytes of a value
 */
export function createCache<Value extends object>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): Cache<Value> {
  return new LRUCache<string, Value, () => Promise<Value>>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (value, key) => sizeOf(value) + 2 * key.length + overheadBytes,
    fetchMethod: (_key, _stale, { context: make }) => make(),
    ignoreFetchAbort: true, // what displaces a value that is being made does not take it from who waits for it
  });
}

/** Where a value came from: of several callers that ask at once, one makes it and the others share it. */
export type CacheOutcome = "hit" | "miss" | "shared";

/** How often a cache was asked for a value, and how often it had to make it. */
export interface CacheCounts {
  lookups: number;
  misses: number;
}

export interface Noted {
  /** The record of the request. */
  readonly record: { cache?: CacheOutcome };
  readonly counts: CacheCounts | undefined;
}

/** Returns the value of a key, at once when it is there, and notes where it came from. @throws what `make` throws; then nothing is kept */
export function getOrMake<Value extends object>(
  cache: Cache<Value>,
  key: string,
  make: () => Promise<Value>,
  { record, counts }: Noted,
): Value | Promise<Value> {
  if (counts !== undefined) counts.lookups++;
  const kept = cache.get(key);
  record.cache = kept === undefined ? "shared" : "hit";
  if (kept !== undefined) return kept;
  return cache.forceFetch(key, {
    context: () => {
      record.cache = "miss";
      if (counts !== undefined) counts.misses++;
      return make();
    },
  });
}
