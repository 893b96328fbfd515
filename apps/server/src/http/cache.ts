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
}

/**
 * Keeps the values used last.
 * @param maxBytes the most memory they may take; 0 keeps nothing
 * @param sizeOf the bytes of a value
 */
export function createCache<Value extends object>(
  maxBytes: number,
  sizeOf: (value: Value) => number,
): Cache<Value> {
  const entries =
    maxBytes === 0
      ? undefined
      : new LRUCache<string, Entry<Value>>({
          maxSize: maxBytes,
          sizeCalculation: ({ value }, key) => sizeOf(value) + 2 * key.length + overheadBytes,
        });
  const running = new Map<string, Entry<Promise<Value>>>();

  async function run(key: string, version: Version, make: () => Promise<Value>): Promise<Value> {
    const value = make();
    const entry = { version, value };
    running.set(key, entry);
    try {
      const made = await value;
      // Not when a later version is being made: it would be replaced by an earlier one.
      if (running.get(key) === entry) entries?.set(key, { version, value: made });
      return made;
    } finally {
      if (running.get(key) === entry) running.delete(key);
    }
  }

  return {
    get: (key, version, make) => {
      const kept = entries?.get(key);
      if (kept?.version === version) return kept.value;
      const made = running.get(key);
      return made?.version === version ? made.value : run(key, version, make);
    },
  };
}

interface Entry<Value> {
  readonly version: Version;
  readonly value: Value;
}

/** What an entry takes beside its value and its key, about, in bytes. */
const overheadBytes = 500;
