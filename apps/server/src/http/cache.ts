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

/** The part of a full cache that one owner may keep: with more, its own values make room, not those of others. */
const shareOfOne = 1 / 4;

/**
 * Keeps the values used last. What is being made stands among them, since a Map of its own would keep all of it in memory for
 * long (docs/decisions/0009). A key begins with its owner, such as an account, and a blank.
 * @param maxBytes the most memory they may take; with 0 nothing is kept or shared
 * @param sizeOf the bytes of a value
 */
export function createCache<Value extends object>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): Cache<Value> {
  if (maxBytes === 0) return { get: (_key, _version, make) => make(), forget: () => undefined };
  const entries = createEntries<Entry<Value>>(
    maxBytes,
    ({ value }, key) => (value instanceof Promise ? 0 : sizeOf(value)) + 2 * key.length + overheadBytes,
  );

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
    forget: (key) => entries.delete(key),
  };
}

/** The entries used last, within a size. An owner with more than its share of a full cache gives up those it used longest ago. */
function createEntries<Kept extends object>(maxBytes: number, sizeOf: (entry: Kept, key: string) => number) {
  const owners = createOwners();
  const entries = new LRUCache<string, Kept>({
    maxSize: maxBytes,
    sizeCalculation: sizeOf,
    dispose: (entry, key) => owners.add(key, -sizeOf(entry, key)),
  });
  return {
    get: (key: string): Kept | undefined => {
      const entry = entries.get(key);
      if (entry !== undefined) owners.use(key);
      return entry;
    },
    peek: (key: string) => entries.peek(key),
    delete: (key: string) => void entries.delete(key),
    set: (key: string, entry: Kept): void => {
      const size = sizeOf(entry, key);
      entries.delete(key);
      while (entries.calculatedSize + size > maxBytes) {
        const oldest = owners.oldestOf(key, shareOfOne * maxBytes - size);
        if (oldest === undefined || !entries.delete(oldest)) break;
      }
      entries.set(key, entry);
      if (entries.peek(key) === entry) owners.add(key, size); // one that is too large is not kept
    },
  };
}

/** Counts what each owner keeps. */
function createOwners() {
  const owners = new Map<string, { bytes: number; readonly keys: Set<string> }>();
  const ownerOf = (key: string): string => key.slice(0, Math.max(0, key.indexOf(" ")));
  return {
    /** Adds an entry's bytes, or with a negative number removes the entry. */
    add(key: string, bytes: number): void {
      const name = ownerOf(key);
      const owner = owners.get(name) ?? { bytes: 0, keys: new Set() };
      owner.bytes += bytes;
      owner.keys.delete(key);
      if (bytes > 0) owner.keys.add(key);
      if (owner.keys.size === 0) owners.delete(name);
      else owners.set(name, owner);
    },
    /** Makes the entry the one that its owner used last. */
    use(key: string): void {
      const keys = owners.get(ownerOf(key))?.keys;
      if (keys?.delete(key) === true) keys.add(key);
    },
    /** Returns the key whose use by the owner of `key` is longest ago, if it keeps more bytes than that. */
    oldestOf(key: string, bytes: number): string | undefined {
      const owner = owners.get(ownerOf(key));
      if (owner === undefined || owner.bytes <= bytes) return undefined;
      const [oldest] = owner.keys;
      return oldest;
    },
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
