import { lockCalendarRows } from "../calendars/locks.js";
import type { Database, Db } from "../db/connect.js";
import type { SubscriberRow } from "../db/rows.js";
import { type App, appOfUserAgent, refinedType } from "./agents.js";
import { countFlips } from "./counters.js";
import type { Follower } from "./queries.js";

/** Fetches of followers' feeds, kept in memory until they are written together, out of the requests' way. */
export interface PollBook {
  /** Notes a fetch at `now` (Unix seconds). Costs next to nothing while no write is due. */
  note(follower: Follower, userAgent: string | undefined, now: number): void;
  /** Writes what was noted, in one transaction. When it fails, what was noted is kept for the next time. */
  flush(): Promise<void>;
}

/** A follower's last fetch is written at most once in this time, in seconds. */
export const writeInterval = 900;

/** Fetches kept at most; past it the oldest are forgotten, and the follower's next fetch tells the same. */
const capacity = 100_000;

/** Rows of one statement: below every database's limit of bound values. */
const chunkSize = 500;

/** A fetch that has to be written. */
interface Note {
  readonly seenAt: number;
  /** The app that fetched, while the follower's type is open. */
  readonly app: App | undefined;
}

export function createPollBook(db: Database): PollBook {
  let notes = new Map<number, Note>();
  let writing: Promise<void> = Promise.resolve();

  const keep = (id: number, note: Note): void => {
    const earlier = notes.get(id);
    if (earlier === undefined && notes.size >= capacity) {
      const [oldest] = notes.keys();
      if (oldest !== undefined) notes.delete(oldest);
    }
    notes.set(id, {
      seenAt: Math.max(note.seenAt, earlier?.seenAt ?? 0),
      app: earlier?.app ?? note.app, // the first app recognised stays
    });
  };

  const write = async (): Promise<void> => {
    if (notes.size === 0) return;
    const taken = notes;
    notes = new Map();
    try {
      await db.transaction((trx) => writeNotes(trx, taken));
    } catch (error) {
      const since = notes;
      notes = taken;
      for (const [id, note] of since) keep(id, note);
      throw error;
    }
  };

  return {
    note(follower, userAgent, now) {
      const { subscriber_id, last_seen_at, active, type_confirmed, unfollowed_at, deleted_at } = follower;
      if (unfollowed_at !== null || deleted_at !== null) return;
      const app = type_confirmed === 1 ? undefined : recognised(userAgent);
      if (now - last_seen_at < writeInterval && active === 1 && app === undefined) return;
      keep(subscriber_id, { seenAt: now, app });
    },
    flush() {
      writing = writing.catch(() => undefined).then(write);
      return writing;
    },
  };
}

/** A browser is a person looking at the feed, not the app that will fetch it. */
function recognised(userAgent: string | undefined): App | undefined {
  const app = appOfUserAgent(userAgent);
  return app === "browser" ? undefined : app;
}

type Known = Pick<
  SubscriberRow,
  "id" | "calendar_id" | "calendar_type" | "type_confirmed" | "active" | "last_seen_at"
>;

async function writeNotes(trx: Db, notes: ReadonlyMap<number, Note>): Promise<void> {
  // The rows as they are now: since the fetch one may have been swept, unfollowed, deleted, or written by another server.
  const rows: Known[] = [];
  for (const ids of chunks([...notes.keys()])) {
    rows.push(
      ...(await trx<SubscriberRow>("subscribers")
        .whereIn("id", ids)
        .whereNull("unfollowed_at")
        .select("id", "calendar_id", "calendar_type", "type_confirmed", "active", "last_seen_at")),
    );
  }
  const asleep = rows.filter(({ active }) => active === 0);
  await reactivate(trx, asleep);
  // Rows that change alike are changed by one statement.
  const writes = new Map<string, { readonly change: Change; readonly ids: number[] }>();
  for (const row of rows) {
    const change = changeOf(row, notes.get(row.id));
    if (change === undefined) continue;
    const like = JSON.stringify(change);
    const write = writes.get(like);
    if (write === undefined) writes.set(like, { change, ids: [row.id] });
    else write.ids.push(row.id);
  }
  for (const { change, ids } of writes.values()) await writeChange(trx, ids, change);
}

interface Change {
  readonly seenAt: number;
  /** The follower's type, once its app was recognised. */
  readonly type: string | undefined;
}

/** What a fetch changes of a follower's row; undefined when the last write is young and tells the same. */
function changeOf(row: Known, note: Note | undefined): Change | undefined {
  if (note === undefined) return undefined;
  const { app, seenAt } = note;
  const type =
    app === undefined || row.type_confirmed === 1 ? undefined : refinedType(row.calendar_type, app);
  const isDue = type !== undefined || row.active === 0 || seenAt - row.last_seen_at >= writeInterval;
  return isDue ? { seenAt, type } : undefined;
}

/** Makes followers active again and counts them (rulings R5.3). Calendars are locked before any subscriber. */
async function reactivate(trx: Db, asleep: readonly Known[]): Promise<void> {
  if (asleep.length === 0) return;
  const calendars = [...new Set(asleep.map(({ calendar_id }) => calendar_id))];
  for (const ids of chunks(calendars.toSorted((a, b) => a - b))) await lockCalendarRows(trx, ids);
  for (const ids of chunks(asleep.map(({ id }) => id))) {
    const woken = await trx<SubscriberRow>("subscribers")
      .whereIn("id", ids)
      .where({ active: 0 })
      .whereNull("unfollowed_at")
      .update({ active: 1 })
      .returning(["calendar_id", "blocked"]);
    await countFlips(trx, woken, 1);
  }
}

async function writeChange(trx: Db, ids: readonly number[], { seenAt, type }: Change): Promise<void> {
  // Never back: another server may have seen a later fetch.
  const last_seen_at = trx.raw("case when last_seen_at < ? then ? else last_seen_at end", [seenAt, seenAt]);
  for (const some of chunks(ids)) {
    const rows = trx<SubscriberRow>("subscribers").whereIn("id", some);
    if (type === undefined) await rows.update({ last_seen_at });
    else await rows.update({ last_seen_at, calendar_type: type, type_confirmed: 1 });
  }
}

function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, index) =>
    ids.slice(index * chunkSize, (index + 1) * chunkSize),
  );
}
