import { LRUCache } from "lru-cache";

/** What names a state of the data: a calendar's `feed_version`, or the change counter. */
export type Version = string | number;

/** Values made from the data, each under a key and the version that it was made of. */
export interface Cache<Value> {
  /**
   * Returns the value of that version, making it when it is not there: once, however many ask for it meanwhile. What is made
   * may be newer than the version, never older. @throws what `make` throws; then nothing is kept
   */
  get(key: string, version: Version, make: () => Promise<Value>): Value | Promise<Value>;
  /** Forgets the value of a key, which is no longer true though its version is the same. */
  forget(key: string): void;
}

/**
 * Keeps the values used last. What is being made stands among them, since a Map of its own would keep all of it in memory for
 * long (docs/decisions/0024).
 * @param maxBytes the most memory they may take; with 0 nothing is kept or shared
 * @param sizeOf the bytes of a value
 */
export function createCache<Value extends object>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): Cache<Value> {
  if (maxBytes === 0) return { get: (_key, _version, make) => make(), forget: () => undefined };
  const entries = new LRUCache<string, Entry<Value>>({
    maxSize: maxBytes,
    sizeCalculation: ({ value }, key) =>
      (value instanceof Promise ? 0 : sizeOf(value)) + 2 * key.length + overheadBytes,
  });

  async function run(key: string, version: Version, make: () => Promise<Value>): Promise<Value> {
    const value = Promise.resolve(make()); // a query of Knex would run for each who awaits it
    const entry = { version, value };
    entries.set(key, entry);
    const isLatest = (): boolean => entries.peek(key) === entry; // else a later version would be replaced by an earlier one
    try {
      const made = await value;
      if (isLatest()) entries.set(key, { version, value: made });
      return made;
    } catch (error) {
      if (isLatest()) entries.delete(key);
      throw error;
    }
  }

  return {
    get: (key, version, make) => {
      const kept = entries.get(key);
      return kept?.version === version ? kept.value : run(key, version, make);
    },
    forget: (key) => void entries.delete(key),
  };
}

/** Where a value came from: of several callers that ask at once, one makes it and the others share it. */
export type CacheOutcome = "hit" | "miss" | "shared";

/** Does the same as `get`, and notes in the record of the request where the value came from. */
export function getNoting<Value>(
  cache: Pick<Cache<Value>, "get">,
  record: { cache?: CacheOutcome },
  ...[key, version, make]: Parameters<Cache<Value>["get"]>
): Value | Promise<Value> {
  record.cache = "hit";
  const found = cache.get(key, version, () => {
    record.cache = "miss";
    return make();
  });
  const outcome: CacheOutcome = record.cache;
  if (found instanceof Promise && outcome === "hit") record.cache = "shared";
  return found;
}

interface Entry<Value> {
  readonly version: Version;
  readonly value: Value | Promise<Value>;
}

/** How often a cache was asked for a value, and how often it had to make it. */
export interface CacheCounts {
  lookups: number;
  misses: number;
}

/** Returns the cache, made to count when there is something to count in. */
export function counting<Value>(cache: Cache<Value>, counts: CacheCounts | undefined): Cache<Value> {
  if (counts === undefined) return cache;
  return {
    get: (key, version, make) => {
      counts.lookups++;
      return cache.get(key, version, () => {
        counts.misses++;
        return make();
      });
    },
    forget: (key) => cache.forget(key),
  };
}

/** What an entry takes beside its value and its key, about, in bytes. */
const overheadBytes = 500;
