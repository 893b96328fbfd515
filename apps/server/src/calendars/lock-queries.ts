import type { Knex } from "knex";
import type { Value } from "../db/query.js";
import type { Transaction } from "../db/transaction.js";
import { AccountFull } from "../db/refusals.js";
import type { Db } from "../db/database.js";
import type { AccountRow, CalendarRow } from "../db/rows.js";
import { accountLimit } from "./stored-bytes.js";

/** What the writes of events and subscribers need of the calendar that they lock. */
export type LockedCalendar = Pick<
  CalendarRow,
  "id" | "account_id" | "uniquekey" | "timezone" | "palette_id" | "feed_version"
> &
  Pick<AccountRow, "webhooks"> & {
    /** What its account stored; null where that has no limit. */
    readonly account_bytes?: number | null;
  };

/** The calendars locked, by id. */
type Locked = ReadonlyMap<number, LockedCalendar>;

/** SQL: the bytes that an account stores, its pictures included. Those of a deleted calendar count until it is purged. Each part is found by an index. */
export const accountBytesSql = (account: string): string =>
  `cast(coalesce((select sum(o.stored_bytes) from calendars as o
      where o.account_id = ${account} and o.deleted_at is null), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.trashed = 1 and o.account_id = ${account}), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.purge_pending = 1 and o.account_id = ${account}), 0)
    + coalesce((select a.picture_bytes from accounts as a where a.id = ${account}), 0) as bigint)`;

const eventsIn = "select e.calendar_id from events as e where e.account_id = $1 and e.id";

/** SQL: which calendars are locked. Another account's never are. */
const lockedBy = {
  id: () => "c.id = $1",
  ownId: () => "c.account_id = $1 and c.id = $2",
  event: () => `c.id = (${eventsIn} = $2)`,
  eventsAndId: (items: string) => `c.id in (${eventsIn} in (select cast(value as bigint) from ${items}($2))
    union select k.id from calendars as k where k.account_id = $1 and k.id = $3)`,
} as const;

/**
 * Locks calendars that are not deleted, lowest id first, so that on PostgreSQL no two transactions wait for each other.
 * Returns them by id.
 */
async function lockCalendars(
  { query, dialect: { items, lock } }: Transaction,
  by: keyof typeof lockedBy,
  values: readonly Value[],
): Promise<Locked> {
  const isLimited = accountLimit() !== undefined;
  // Of writes to several calendars at once each would see the account as it was before the others.
  if (isLimited && by !== "id" && lock("accounts") !== "")
    await query(`select id from accounts where id = $1 ${lock("accounts")}`, values.slice(0, 1));
  const bytes = isLimited ? accountBytesSql("c.account_id") : "null";
  const rows = await query<LockedCalendar>(
    `select c.id, c.account_id, c.uniquekey, c.timezone, c.palette_id, c.feed_version,
      (select a.webhooks from accounts as a where a.id = c.account_id) as webhooks, ${bytes} as account_bytes
     from calendars as c where c.deleted_at is null and ${lockedBy[by](items)} order by c.id ${lock("c")}`,
    values,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ensures that an account may store so many bytes more, those of other writes of the transaction included. @throws AccountFull */
export function requireSpace(
  { grown }: Transaction,
  { account_id, account_bytes }: LockedCalendar,
  bytes: number,
): void {
  if (bytes <= 0) return;
  const all = (grown.get(account_id) ?? 0) + bytes;
  const most = accountLimit();
  if (most !== undefined && typeof account_bytes === "number" && account_bytes + all > most)
    throw new AccountFull();
  grown.set(account_id, all);
}

/** Locks a calendar. Undefined when it is absent, deleted or, where an account is given, another account's. */
export async function lockCalendar(
  trx: Transaction,
  { calendarId, accountId }: { readonly calendarId: number; readonly accountId?: number },
): Promise<LockedCalendar | undefined> {
  const locked =
    accountId === undefined
      ? await lockCalendars(trx, "id", [calendarId])
      : await lockCalendars(trx, "ownId", [accountId, calendarId]);
  return locked.get(calendarId);
}

/** Locks the calendar of an event before this is read. Undefined when the event is absent or another account's. */
export async function lockCalendarOfEvent(
  trx: Transaction,
  accountId: number,
  eventId: number,
): Promise<LockedCalendar | undefined> {
  const [calendar] = (await lockCalendars(trx, "event", [accountId, eventId])).values();
  return calendar;
}

/** Locks the calendars of events, before these are read, and another one in one statement, so in the same order for all. */
export function lockTogether(
  trx: Transaction,
  accountId: number,
  { eventIds, calendarId = 0 }: { readonly eventIds: readonly number[]; readonly calendarId?: number },
): Promise<Locked> {
  return lockCalendars(trx, "eventsAndId", [accountId, JSON.stringify(eventIds), calendarId]);
}

/**
 * Locks the rows of calendars, lowest id first. Every change of subscribers locks calendars before subscribers in this order,
 * so that PostgreSQL has no deadlocks. FOR NO KEY UPDATE, because FOR UPDATE would block foreign key checks of subscriber rows.
 */
export async function lockCalendarRows(db: Db, ids: readonly number[]): Promise<void> {
  await lockThose(db<CalendarRow>("calendars").whereIn("id", [...ids]));
}

/** The same for those that a query finds, as many as there are: a database takes some ten thousand parameters. Returns how many. */
export async function lockThose(calendars: Knex.QueryBuilder<CalendarRow>): Promise<number> {
  const rows: readonly unknown[] = await calendars.clone().orderBy("id").forNoKeyUpdate().select("id");
  return rows.length;
}

/** Changes of a calendar's events: how many more it has, how many changes they are, and when, in Unix seconds. */
interface EventsChange {
  readonly calendarId: number;
  readonly events: number;
  /** One where it is not given; none for drafts, which no feed has. */
  readonly changes?: number;
  /** How many more bytes it stores. */
  readonly bytes: number;
  readonly now: number;
}

/**
 * Counts changes of events: moves `events_total` and raises the version of the feed once for each. `feed_modified_at` grows with
 * every commit, whatever the clock says: a write takes its time when its request begins, and may be committed much later.
 */
export async function countEventsChange(
  trx: Transaction,
  { calendarId, events, changes = 1, bytes, now }: EventsChange,
): Promise<void> {
  await trx.query(countSql, [events, bytes, changes, now, calendarId]);
}

const countSql = `update calendars set events_total = events_total + $1, stored_bytes = stored_bytes + $2,
    feed_version = feed_version + $3,
    feed_modified_at = case when cast($3 as bigint) = 0 then feed_modified_at when feed_modified_at >= $4
      then feed_modified_at + 1 else $4 end
  where id = $5`;
