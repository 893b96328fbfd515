import { lockCalendarRows } from "../calendars/lock-queries.js";
import type { Db } from "../db/database.js";
import type { SubscriberRow } from "../db/rows.js";
import { type App, refinedType } from "./agents.js";
import { countActivityChanges } from "./counter-queries.js";

/** The last fetch of a follower is written at most once in this time. */
export const writeIntervalSeconds = 900;

export interface Fetch {
  readonly seenAt: number;
  /** The app that fetched, as long as the follower's type is not confirmed. */
  readonly app: App | undefined;
}

const following = (db: Db, ids: readonly number[]) =>
  db<SubscriberRow>("subscribers")
    .whereIn("id", [...ids])
    .whereNull("unfollowed_at");

/** Writes fetches by subscriber, in a transaction: few enough for the bound values of a statement. */
export async function writeFetches(trx: Db, fetches: ReadonlyMap<number, Fetch>): Promise<void> {
  // Read again: since the fetch a row may have been deactivated, unfollowed, deleted, or written by another server.
  const rows = await following(trx, [...fetches.keys()]);
  const last = [...fetches.values()].reduce((latest, { seenAt }) => Math.max(latest, seenAt), 0);
  await reactivate(
    trx,
    rows.filter(({ active }) => active === 0),
    last,
  );
  // Rows with the same change share a statement.
  const writes = new Map<
    string,
    { readonly seenAt: number; readonly type: string; readonly ids: number[] }
  >();
  for (const row of rows) {
    const { seenAt, app } = fetches.get(row.id) ?? { seenAt: 0, app: undefined };
    const isRecognised = app !== undefined && row.type_confirmed === 0;
    const isDue = isRecognised || row.active === 0 || seenAt - row.last_seen_at >= writeIntervalSeconds;
    if (!isDue) continue;
    const type = isRecognised ? refinedType(row.calendar_type, app) : "";
    const write = writes.get(`${seenAt} ${type}`) ?? { seenAt, type, ids: [] };
    writes.set(`${seenAt} ${type}`, write);
    write.ids.push(row.id);
  }
  for (const { seenAt, type, ids } of writes.values()) {
    // Never earlier: another server may have recorded a later fetch.
    const last_seen_at = trx.raw("case when last_seen_at < ? then ? else last_seen_at end", [seenAt, seenAt]);
    const confirmed = type === "" ? {} : { calendar_type: type, type_confirmed: 1 };
    await following(trx, ids).update({ last_seen_at, ...confirmed });
  }
}

/** Makes followers active again at `now` and updates the counters (rulings R5.3). Locks calendars before any subscriber. */
async function reactivate(trx: Db, inactive: readonly SubscriberRow[], now: number): Promise<void> {
  if (inactive.length === 0) return;
  const calendars = [...new Set(inactive.map(({ calendar_id }) => calendar_id))];
  await lockCalendarRows(
    trx,
    calendars.toSorted((a, b) => a - b),
  );
  const ids = inactive.map(({ id }) => id);
  const reactivated = await following(trx, ids)
    .where({ active: 0 })
    .update({ active: 1 })
    .returning(["calendar_id", "blocked"]);
  await countActivityChanges(trx, reactivated, 1, now);
}
