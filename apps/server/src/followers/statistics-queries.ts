import type { Transaction } from "../db/transaction.js";
import type { Database, Db, Reader } from "../db/database.js";
import type { CalendarDayRow } from "../db/rows.js";

// The counts of a calendar's days (extensions X8.7). A day is one in UTC: it is the same for all servers, and has no gap when the
// calendar's time zone changes.

const days = (db: Db) => db<CalendarDayRow>("calendar_days");

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
export async function addAllToDays(trx: Transaction, added: readonly CalendarDayRow[]): Promise<void> {
  const rows = added.map(({ calendar_id, kind, day, name, count }) => [calendar_id, kind, day, name, count]);
  await trx.query(addAllSql(trx.dialect.items), [JSON.stringify(rows)]);
}

const addAllSql = (items: string): string => `insert into calendar_days (calendar_id, kind, day, name, count)
    select id, kind, day, name, sum(added) from (
      select cast(value ->> 0 as bigint) as id, value ->> 1 as kind, cast(value ->> 2 as bigint) as day, value ->> 3 as name,
        cast(value ->> 4 as bigint) as added
      from ${items}($1)
    ) as counts
    where exists (select 1 from calendars where calendars.id = counts.id and deleted_at is null)
    group by id, kind, day, name order by id, kind, day, name
    on conflict (calendar_id, kind, day, name) do update set count = calendar_days.count + excluded.count`;

/** What happened to the followers from a day on, and how many are active now: of one state of the data. */
const followersSql = `select day, kind, count from calendar_days
     where calendar_id = $1 and kind in ('followed', 'unfollowed', 'active') and day >= $2
   union all select 0, 'now', followers_active from calendars where id = $1`;

/** How many followers were gained, lost and active on each day. */
export interface FollowersOfDay {
  readonly day: number;
  readonly followed: number;
  readonly unfollowed: number;
  readonly active: number;
}

/** Returns the followers of a calendar on the days from the first to the last. */
export async function findFollowers(
  on: Reader,
  calendarId: number,
  [first, last]: readonly [first: number, last: number],
): Promise<readonly FollowersOfDay[]> {
  const rows = await on.query<{ day: number; kind: string; count: number }>(followersSql, [
    calendarId,
    first,
  ]);
  const counts = new Map(rows.map(({ day, kind, count }) => [`${kind} ${day}`, count]));
  const of = (kind: string, day: number): number => counts.get(`${kind} ${day}`) ?? 0;
  // Each day is known from the one after it: what is stored is the difference.
  let active = of("now", 0);
  for (const { kind, day, count } of rows) if (kind === "active" && day > last) active -= count;
  const found: FollowersOfDay[] = [];
  for (let day = last; day >= first; day--) {
    found.push({ day, followed: of("followed", day), unfollowed: of("unfollowed", day), active });
    active -= of("active", day);
  }
  return found.toReversed();
}

const sumsSql = `select name, cast(sum(count) as bigint) as sum from calendar_days
   where calendar_id = $1 and kind = $2 and day >= $3 and day <= $4 group by name order by 2 desc, 1 limit 100`;

/** Returns the sums by name of the days from the first to the last, the 100 largest. */
export async function sumOfDays(
  on: Reader,
  calendarId: number,
  kind: "polls" | "picks",
  [first, last]: readonly [first: number, last: number],
): Promise<ReadonlyMap<string, number>> {
  const rows = await on.query<{ name: string; sum: number }>(sumsSql, [calendarId, kind, first, last]);
  return new Map(rows.map(({ name, sum }) => [name, sum]));
}

/** Rows removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

/** Removes the next days of a calendar, in a transaction. Returns how many. */
export async function removeDays(trx: Db, calendar_id: number): Promise<number> {
  return removeSome(trx, days(trx).where({ calendar_id }));
}

/** Removes the days before one. Safe on several servers at once: what one leaves out, the other removes. */
export async function purgeDays(
  db: Database,
  before: number,
  isStopping: () => boolean = () => false,
): Promise<void> {
  for (let removed = batchSize; removed === batchSize && !isStopping();)
    removed = await db.transaction((trx) => removeSome(trx, days(trx).where("day", "<", before)));
}

async function removeSome(trx: Db, those: ReturnType<typeof days>): Promise<number> {
  const removed: number = await days(trx)
    .whereIn([...key], those.limit(batchSize).select(...key))
    .delete();
  return removed;
}
