import { LRUCache } from "lru-cache";
import type { FeedBody } from "./feed-body.js";

/** What a caller of the cache needs at least. */
export interface Wanted {
  readonly calendarId: number;
  readonly version: number;
  /** Days since 1970, UTC. */
  readonly day: number;
}

export type FeedCache = (
  wanted: Wanted,
  make: () => Promise<FeedBody | undefined>,
) => FeedBody | undefined | Promise<FeedBody | undefined>;

/**
 * The feeds made last, up to `maxBytes`. A feed that is not there, or of an older version, is made once however many ask for
 * it meanwhile. What is made may be newer than what was wanted, never older.
 */
export function createFeedCache(maxBytes: number): FeedCache {
  const feeds = new LRUCache<number, FeedBody>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes, gzip }) => bytes.length + gzip.length + 1,
  });
  const making = new Map<string, Promise<FeedBody | undefined>>();

  return (wanted, make) => {
    const known = feeds.get(wanted.calendarId);
    if (known !== undefined && isFresh(known, wanted)) return known;
    const key = `${wanted.calendarId} ${wanted.version} ${wanted.day}`;
    const running = making.get(key);
    if (running !== undefined) return running;
    const made = make()
      .then((feed) => {
        const other = feeds.get(wanted.calendarId);
        if (
          feed !== undefined &&
          (other === undefined || isFresh(feed, { ...wanted, version: other.version }))
        ) {
          feeds.set(wanted.calendarId, feed);
        }
        return feed;
      })
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  };
}

function isFresh(feed: FeedBody, { version, day }: Wanted): boolean {
  return feed.version >= version && (!feed.cut || feed.day === day);
}
