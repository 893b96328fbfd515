import { batched } from "../db/batch.js";
import type { Database, Db } from "../db/database.js";
import type { CalendarDayRow } from "../db/rows.js";
import { dayIndex } from "../time/formats.js";

// The counts of a calendar's days (extensions X8.7). A day is one in UTC: it is the same for all servers, and has no gap when the
// calendar's time zone changes.

const days = (db: Db) => db<CalendarDayRow>("calendar_days");

/** How many days are kept before today. */
export const keptDays = 730;

const key = ["calendar_id", "kind", "day", "name"] as const;

/** Adds to counts, in a transaction. Each count is given once. */
export async function addToDays(trx: Db, added: readonly CalendarDayRow[]): Promise<void> {
  const rows = added.filter(({ count }) => count !== 0);
  if (rows.length === 0) return;
  await days(trx)
    .insert(rows)
    .onConflict([...key])
    .merge({ count: trx.raw("calendar_days.count + excluded.count") });
}

/**
 * The same for many, of which some may be of the same count; calendars that are deleted get none. In the order of the key, so that two
 * servers that add to the same rows wait, and do not deadlock.
 */
export const addAllToDays = batched<readonly CalendarDayRow[], never, void>({
  name: "add to days",
  writes: true,
  rows: (all) =>
    all.flat().map(({ calendar_id, kind, day, name, count }) => [calendar_id, kind, day, name, count]),
  sql: ({ items }) => `insert into calendar_days (calendar_id, kind, day, name, count)
    select id, kind, day, name, sum(added) from (
      select cast(value ->> 0 as bigint) as id, value ->> 1 as kind, cast(value ->> 2 as bigint) as day, value ->> 3 as name,
        cast(value ->> 4 as bigint) as added
      from ${items}($1)
    ) as counts
    where exists (select 1 from calendars where calendars.id = counts.id and deleted_at is null)
    group by id, kind, day, name order by id, kind, day, name
    on conflict (calendar_id, kind, day, name) do update set count = calendar_days.count + excluded.count`,
  results: (all) => all.map(() => undefined),
});

/** Rows removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

/** Removes the next days of a calendar, in a transaction. Returns how many. */
export async function removeDays(trx: Db, calendar_id: number): Promise<number> {
  return removeSome(trx, days(trx).where({ calendar_id }));
}

/** Removes the days that are kept no longer. Safe on several servers at once: what one leaves out, the other removes. */
export async function purgeDays(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const before = dayIndex(now) - keptDays;
  for (let removed = batchSize; removed === batchSize && !isStopping();)
    removed = await db.transaction((trx) => removeSome(trx, days(trx).where("day", "<", before)));
}

async function removeSome(trx: Db, those: ReturnType<typeof days>): Promise<number> {
  const removed: number = await days(trx)
    .whereIn([...key], those.limit(batchSize).select(...key))
    .delete();
  return removed;
}
