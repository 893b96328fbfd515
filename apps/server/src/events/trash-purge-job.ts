import { overItems } from "../background/failures.js";
import { lockCalendarRows } from "../calendars/lock-queries.js";
import { expireCalendars } from "../calendars/queries.js";
import type { Database, Db } from "../db/database.js";
import { forgetEvents } from "../webhooks/purge-job.js";
import { forgetRemoved, hasForgotten } from "../calendars/forget-job.js";
import { trashExpiredAt } from "../calendars/trash-days.js";
import * as queries from "./trash-queries.js";

/** Rows removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

/** How many events an account can restore: of more the oldest go. */
export const mostTrashed = 10_000;

/**
 * Removes what can no longer be restored: what was deleted too long ago, and of each account the oldest events beyond
 * `mostTrashed`. Deleted calendars are left to events/calendar-purge-job.ts. Safe on several servers at once. Returns how many events.
 */
export async function expireTrash(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<number> {
  const before = trashExpiredAt(now);
  await db.transaction((trx) => expireCalendars(trx, before));
  return overItems(async (doItem) => {
    let removed = 0;
    for (const { account_id, total } of await queries.trashOfAccounts(db.read)) {
      if (isStopping()) return removed;
      await doItem(account_id, async () => {
        const gone = await removeSome(db, isStopping, Infinity, (limit) =>
          queries.oldestTrashed(db.read, account_id, { limit, before }),
        );
        removed += gone;
        removed += await removeSome(db, isStopping, total - gone - mostTrashed, (limit) =>
          queries.oldestTrashed(db.read, account_id, { limit }),
        );
      });
    }
    await removeSeries(db, isStopping);
    return removed;
  });
}

/** Removes the events whose removal was requested (extensions X8.3), and then what the history has of removed ones. Returns how many. */
export async function purgeRequested(db: Database, isStopping: () => boolean = () => false): Promise<number> {
  return overItems(async (doItem) => {
    let removed = 0;
    for (let after = 0; !isStopping();) {
      const [calendar] = await queries.calendarsToPurge(db.read, after, 1);
      if (calendar === undefined) break;
      after = calendar.id;
      await doItem(calendar.id, async () => {
        const ids = (await queries.requestedPurges(db.read, calendar)).map(({ id }) => id);
        await forgetEvents(db, calendar.id, new Set(ids), isStopping);
        removed += await removeSome(db, isStopping, Infinity, (limit) =>
          queries.requestedPurges(db.read, calendar, limit),
        );
        if (!isStopping()) await db.transaction((trx) => queries.endPurge(trx, calendar));
      });
    }
    await removeSeries(db, isStopping);
    await forgetRemoved(db, isStopping, doItem);
    return removed;
  });
}

/** Reports whether `purgeRequested` has something to do. */
export async function isPurgeRequested(db: Db): Promise<boolean> {
  return (await queries.calendarsToPurge(db, 0, 1)).length > 0 || (await hasForgotten(db));
}

/** Removes `most` of the events that `find` returns, in batches. Returns how many. */
async function removeSome(
  db: Database,
  isStopping: () => boolean,
  most: number,
  find: (limit: number) => Promise<readonly queries.Purged[]>,
): Promise<number> {
  for (let removed = 0; ;) {
    const limit = Math.min(batchSize, most - removed);
    if (limit <= 0 || isStopping()) return removed;
    const rows = await find(limit);
    if (rows.length > 0) removed += await db.transaction((trx) => remove(trx, rows));
    if (rows.length < limit) return removed;
  }
}

/** Only those that are still in the trash, now that no one can restore them. */
async function remove(trx: Db, rows: readonly queries.Purged[]): Promise<number> {
  await lockCalendarRows(trx, [...new Set(rows.map(({ calendar_id }) => calendar_id))]);
  const ids = rows.map(({ id }) => id);
  return queries.purgeTrashed(trx, await queries.stillTrashed(trx, ids));
}

async function removeSeries(db: Database, isStopping: () => boolean): Promise<void> {
  while (!isStopping() && (await queries.purgeSeries(db, batchSize)));
}
