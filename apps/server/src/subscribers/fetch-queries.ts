import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Db } from "../db/open-database.js";
import type { SubscriberRow } from "../db/rows.js";
import { countActivityChanges } from "./counter-queries.js";

/** Rows of one statement, below every database's limit of bound values. */
const chunkSize = 500;

const stored = ["id", "calendar_id", "calendar_type", "type_confirmed", "active", "last_seen_at"] as const;
export type StoredState = Pick<SubscriberRow, (typeof stored)[number]>;

/** Returns the subscribers of these ids that have not unfollowed. */
export async function findFetched(trx: Db, all: readonly number[]): Promise<readonly StoredState[]> {
  const rows: StoredState[] = [];
  for (const ids of chunks(all)) {
    rows.push(
      ...(await trx<SubscriberRow>("subscribers")
        .whereIn("id", ids)
        .whereNull("unfollowed_at")
        .select(...stored)),
    );
  }
  return rows;
}

export interface Change {
  readonly seenAt: number;
  /** The follower's type; undefined when its app was not recognised. */
  readonly type: string | undefined;
}

/** Makes followers active again at `now` and updates the counters (rulings R5.3). Locks calendars before any subscriber. */
export async function reactivate(trx: Db, inactive: readonly StoredState[], now: number): Promise<void> {
  if (inactive.length === 0) return;
  const calendars = [...new Set(inactive.map(({ calendar_id }) => calendar_id))];
  for (const ids of chunks(calendars.toSorted((a, b) => a - b))) await lockCalendarRows(trx, ids);
  for (const ids of chunks(inactive.map(({ id }) => id))) {
    const reactivated = await trx<SubscriberRow>("subscribers")
      .whereIn("id", ids)
      .where({ active: 0 })
      .whereNull("unfollowed_at")
      .update({ active: 1 })
      .returning(["calendar_id", "blocked"]);
    await countActivityChanges(trx, reactivated, 1, now);
  }
}

export async function writeChange(trx: Db, ids: readonly number[], { seenAt, type }: Change): Promise<void> {
  // Never earlier: another server may have recorded a later fetch.
  const last_seen_at = trx.raw("case when last_seen_at < ? then ? else last_seen_at end", [seenAt, seenAt]);
  for (const chunk of chunks(ids)) {
    const rows = trx<SubscriberRow>("subscribers").whereIn("id", chunk);
    if (type === undefined) await rows.update({ last_seen_at });
    else await rows.update({ last_seen_at, calendar_type: type, type_confirmed: 1 });
  }
}

function chunks(ids: readonly number[]): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, index) =>
    ids.slice(index * chunkSize, (index + 1) * chunkSize),
  );
}
