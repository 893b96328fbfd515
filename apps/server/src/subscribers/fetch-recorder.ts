import type { Database, Db } from "../db/open-database.js";
import { writeApart } from "../db/write-apart.js";
import { type App, appOfUserAgent, refinedType } from "./agents.js";
import { type Change, findFetched, reactivate, type StoredState, writeChange } from "./fetch-queries.js";
import type { Follower } from "./queries.js";

/** Collects fetches of followers' feeds in memory, so that requests do not wait for writes. */
export interface FetchRecorder {
  /** Records a fetch at `now` (Unix seconds), unless the stored row is recent enough. */
  record(follower: Follower, userAgent: string | undefined, now: number): void;
  /** Writes the recorded fetches in one transaction. If it fails, the next call writes those that are left. */
  flush(): Promise<void>;
}

/** The last fetch of a follower is written at most once in this time. */
export const writeIntervalSeconds = 900;

/** Fetches in memory at most. Beyond it the oldest are dropped: the follower's next fetch carries the same information. */
const capacity = 100_000;

/** A fetch to be written. */
interface Fetch {
  readonly seenAt: number;
  /** The app that fetched, as long as the follower's type is not confirmed. */
  readonly app: App | undefined;
}

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
    if (fetches.size === 0) return;
    const batch = fetches;
    fetches = new Map();
    const unwritten = await writeApart(batch, (part) => db.transaction((trx) => writeFetches(trx, part)));
    if (unwritten === undefined) return;
    const later = fetches;
    fetches = new Map(unwritten.rows);
    for (const [id, fetched] of later) add(id, fetched);
    throw unwritten.error;
  };

  return {
    record(follower, userAgent, now) {
      const { subscriber_id, last_seen_at, active, type_confirmed, unfollowed_at, deleted_at } = follower;
      if (unfollowed_at !== null || deleted_at !== null) return;
      const app = type_confirmed === 1 ? undefined : recognisedApp(userAgent);
      if (now - last_seen_at < writeIntervalSeconds && active === 1 && app === undefined) return;
      add(subscriber_id, { seenAt: now, app });
    },
    flush() {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}

/** Ignores browsers: a person views the feed there, another app will fetch it. */
function recognisedApp(userAgent: string | undefined): App | undefined {
  const app = appOfUserAgent(userAgent);
  return app === "browser" ? undefined : app;
}

async function writeFetches(trx: Db, fetches: ReadonlyMap<number, Fetch>): Promise<void> {
  // Read again: since the fetch a row may have been deactivated, unfollowed, deleted, or written by another server.
  const rows = await findFetched(trx, [...fetches.keys()]);
  const inactive = rows.filter(({ active }) => active === 0);
  const last = [...fetches.values()].reduce((latest, { seenAt }) => Math.max(latest, seenAt), 0);
  await reactivate(trx, inactive, last);
  // Rows with the same change share a statement.
  const writes = new Map<string, { readonly change: Change; readonly ids: number[] }>();
  for (const row of rows) {
    const change = changeOf(row, fetches.get(row.id));
    if (change === undefined) continue;
    const key = JSON.stringify(change);
    const write = writes.get(key);
    if (write === undefined) writes.set(key, { change, ids: [row.id] });
    else write.ids.push(row.id);
  }
  for (const { change, ids } of writes.values()) await writeChange(trx, ids, change);
}

/** Returns what a fetch changes in a follower's row; undefined when the last write is recent and nothing else changes. */
function changeOf(row: StoredState, fetched: Fetch | undefined): Change | undefined {
  if (fetched === undefined) return undefined;
  const { app, seenAt } = fetched;
  const type =
    app === undefined || row.type_confirmed === 1 ? undefined : refinedType(row.calendar_type, app);
  const isDue = type !== undefined || row.active === 0 || seenAt - row.last_seen_at >= writeIntervalSeconds;
  return isDue ? { seenAt, type } : undefined;
}
