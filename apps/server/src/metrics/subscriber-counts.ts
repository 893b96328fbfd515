import type { Database } from "../db/database.js";
import { type App, apps } from "../followers/agents.js";
import { countFollowersAfter } from "../followers/subscriber-queries.js";

/** The followers of one app: active and not blocked ones (rulings R5.2), and the others. */
export interface AppFollowers {
  readonly app: App;
  active: number;
  inactive: number;
}

interface Counting {
  readonly sliceSize: number;
  /** A count is valid for this time at least, in ms, and for this multiple of its duration. */
  readonly validMs: number;
  readonly validTimes: number;
}

const usual: Counting = { sliceSize: 20_000, validMs: 60_000, validTimes: 100 };

/**
 * Returns a function that returns the followers of all calendars by app: the last count, which is refreshed in the background
 * after 60 seconds. Undefined before the first count, and after a failed one.
 */
export function followerCounter(
  db: Database,
  { sliceSize, validMs, validTimes } = usual,
): () => Promise<readonly AppFollowers[] | undefined> {
  let known: readonly AppFollowers[] | undefined;
  let running: Promise<void> | undefined;
  let nextAt = -Infinity;

  async function count(): Promise<void> {
    const began = performance.now();
    known = await countFollowers(db, sliceSize).catch(() => undefined);
    const ended = performance.now();
    if (known !== undefined) nextAt = ended + Math.max(validMs, (ended - began) * validTimes);
    running = undefined;
  }

  return async () => {
    if (performance.now() >= nextAt) running ??= count();
    if (known === undefined) await running;
    return known;
  };
}

async function countFollowers(db: Database, limit: number): Promise<readonly AppFollowers[]> {
  const counts = apps.map((app): AppFollowers => ({ app, active: 0, inactive: 0 }));
  for (let id = 0; ;) {
    const rows = await countFollowersAfter(db.read, { id, limit });
    if (rows.length === 0) return counts;
    for (const { calendar_type, active, blocked, is_deleted, count } of rows) {
      if (is_deleted === 1) continue;
      // Any other value, such as one copied from another service, counts as "other".
      const ofApp = counts.find(({ app }) => app === calendar_type) ?? counts.at(-1);
      if (ofApp !== undefined) ofApp[active === 1 && blocked === 0 ? "active" : "inactive"] += count;
    }
    id = Math.max(...rows.map(({ last }) => last));
  }
}
