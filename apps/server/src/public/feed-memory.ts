import { LRUCache } from "lru-cache";
import { storageFailure } from "../db/failures.js";
import { orAfter, patienceMs } from "../db/lookup.js";
import { createCache, getOrMake, type Noted } from "../http/cache.js";

/** How long caches may repeat a feed, and this process one of a database that fails, in seconds. */
export const maxAge = 300;

const mostCharacters = 1_000_000;

interface Wanted<Body> {
  /** What the feed is of, whatever its version. */
  readonly content: string;
  /** Names the content and its version. */
  readonly key: string;
  /** The version was found before the database failed. */
  readonly isKept: boolean;
  /** Reports whether the database fails now. */
  readonly isOut: () => Promise<boolean>;
  readonly make: () => Promise<Body>;
  readonly noted: Noted;
}

/**
 * Returns what gets a feed from memory, or makes it when it has changed. While the database fails, the one that was made last is
 * returned.
 * @param bytes the most memory that feeds may take
 */
export function createFeedMemory<Body extends { readonly bytes: Buffer; readonly gzip: Buffer }>(
  bytes: number,
): (wanted: Wanted<Body>) => Body | Promise<Body> {
  const cache = createCache<Body>(bytes, (body) => body.bytes.length + body.gzip.length);
  // The keys of the feeds made last, by content: that of many calendars is long.
  const latest = new LRUCache<string, string>({
    maxSize: mostCharacters,
    sizeCalculation: (key, content) => key.length + content.length,
    ttl: maxAge * 1_000,
  });

  return ({ content, key, isKept, isOut, make, noted }) => {
    const findLast = (): Body | undefined => cache.get(latest.get(content) ?? "");
    const last = isKept && !cache.has(key) ? findLast() : undefined; // to make one would fail, after seconds
    if (last !== undefined) return last;
    const makeNow = async (): Promise<Body> => {
      const body = await make();
      latest.set(content, key);
      return body;
    };
    const body = getOrMake(cache, key, makeNow, noted);
    if (!(body instanceof Promise)) return body;
    const made = body.catch((error: unknown) => {
      const old = storageFailure(error) === undefined ? undefined : findLast();
      if (old === undefined) throw error;
      return old;
    });
    return orAfter(patienceMs, made, async () => {
      const old = findLast();
      return old !== undefined && (await isOut()) ? old : made;
    });
  };
}
