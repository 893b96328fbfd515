import type { Database } from "../db/database.js";
import { appOfUserAgent } from "./agents.js";
import { type Fetch, writeFetches, writeIntervalSeconds } from "./fetch-queries.js";
import type { Follower } from "./subscriber-queries.js";

/** Collects fetches of followers' feeds in memory, so that requests do not wait for writes. */
export interface FetchRecorder {
  /** Records a fetch at `now` (Unix seconds), unless the stored row is recent enough. */
  record(follower: Omit<Follower, "key_hash">, userAgent: string | undefined, now: number): void;
  /** Writes the recorded fetches. If it fails, the next call writes those that are left. */
  flush(): Promise<void>;
}

/** Fetches in memory at most. Beyond it the oldest are dropped: the follower's next fetch carries the same information. */
const capacity = 100_000;

/** Fetches of one transaction, below every database's limit of bound values. */
const batchSize = 10_000;

export function createFetchRecorder(db: Database): FetchRecorder {
  let fetches = new Map<number, Fetch>();
  let writing: Promise<void> = Promise.resolve();

  const add = (id: number, fetched: Fetch): void => {
    const earlier = fetches.get(id);
    if (earlier === undefined && fetches.size >= capacity) {
      const [oldest] = fetches.keys();
      if (oldest !== undefined) fetches.delete(oldest);
    }
    const { seenAt, app } = earlier ?? fetched; // the first recognised app wins
    fetches.set(id, { seenAt: Math.max(seenAt, fetched.seenAt), app: app ?? fetched.app });
  };

  const write = async (): Promise<void> => {
    let left = [...fetches];
    fetches = new Map();
    try {
      for (; left.length > 0; left = left.slice(batchSize))
        await db.transaction((trx) => writeFetches(trx, new Map(left.slice(0, batchSize))));
    } finally {
      const later = fetches;
      fetches = new Map(left);
      for (const [id, fetched] of later) add(id, fetched);
    }
  };

  return {
    record(follower, userAgent, now) {
      const { subscriber_id, last_seen_at, active, type_confirmed, unfollowed_at, deleted_at } = follower;
      if (unfollowed_at !== null || deleted_at !== null) return;
      const found = type_confirmed === 1 ? undefined : appOfUserAgent(userAgent);
      const app = found === "browser" ? undefined : found; // a person views the feed there, another app will fetch it
      if (now - last_seen_at < writeIntervalSeconds && active === 1 && app === undefined) return;
      add(subscriber_id, { seenAt: now, app });
    },
    flush() {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}
