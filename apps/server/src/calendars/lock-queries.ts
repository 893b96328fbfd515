import type { Knex } from "knex";
import type { Value } from "../db/query.js";
import type { Transaction } from "../db/transaction.js";
import { AccountFull } from "../db/refusals.js";
import type { Db } from "../db/database.js";
import type { AccountRow, CalendarRow } from "../db/rows.js";
import { accountLimit } from "./stored-bytes.js";

/** Columns of a locked calendar that writes of events and subscribers need. */
export type LockedCalendar = Pick<
  CalendarRow,
  "id" | "account_id" | "uniquekey" | "timezone" | "palette_id" | "feed_version"
> &
  Pick<AccountRow, "webhooks"> & {
    /** Bytes that its account stores; null without a limit. */
    readonly account_bytes?: number | null;
    /** The id of a new event, so that all its rows are sent at once; null where the database gives it with the row. */
    readonly next_event_id?: number | null;
  };

type Locked = ReadonlyMap<number, LockedCalendar>;

/**
 * SQL: the bytes that an account stores, with its pictures. A deleted calendar counts until it is purged. Each part uses an
 * index.
 */
export const accountBytesSql = (account: string): string =>
  `cast(coalesce((select sum(o.stored_bytes) from calendars as o
      where o.account_id = ${account} and o.deleted_at is null), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.trashed = 1 and o.account_id = ${account}), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.purge_pending = 1 and o.account_id = ${account}), 0)
    + coalesce((select a.picture_bytes from accounts as a where a.id = ${account}), 0) as bigint)`;

const eventsIn = "select e.calendar_id from events as e where e.account_id = $1 and e.id";

/** SQL: which calendars are locked; where an account is given, only its own. */
const lockedBy = {
  id: () => "c.id = $1",
  ownId: () => "c.account_id = $1 and c.id = $2",
  event: () => `c.id = (${eventsIn} = $2)`,
  eventsAndId: (items: string) => `c.id in (${eventsIn} in (select cast(value as bigint) from ${items}($2))
    union select k.id from calendars as k where k.account_id = $1 and k.id = $3)`,
} as const;

/**
 * Locks calendars that are not deleted, lowest id first, so that no two transactions deadlock on PostgreSQL. Returns them by
 * id.
 */
async function lockCalendars(
  { query, dialect: { items, lock } }: Transaction,
  by: keyof typeof lockedBy,
  values: readonly Value[],
  nextEventId = "null",
): Promise<Locked> {
  const isLimited = accountLimit() !== undefined;
  const locking = isLimited && by !== "id" && lock("accounts") !== "";
  const bytes = isLimited ? accountBytesSql("c.account_id") : "null";
  const [, rows] = await Promise.all([
    // Concurrent writes to several calendars would otherwise each see the account as it was before the others. What a caller sends
    // after this runs when the calendars are locked, too.
    locking ? query(`select id from accounts where id = $1 ${lock("accounts")}`, values.slice(0, 1)) : [],
    query<LockedCalendar>(
      `select c.id, c.account_id, c.uniquekey, c.timezone, c.palette_id, c.feed_version,
      (select a.webhooks from accounts as a where a.id = c.account_id) as webhooks, ${bytes} as account_bytes,
      ${nextEventId} as next_event_id
     from calendars as c where c.deleted_at is null and ${lockedBy[by](items)} order by c.id ${lock("c")}`,
      values,
    ),
  ]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Ensures that an account may store so many more bytes, with the other writes of the transaction. @throws AccountFull */
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

/**
 * Locks the calendar of a new event, whose id PostgreSQL draws again when it has waited for the lock, so that ids have the order of
 * the commits.
 */
export async function lockCalendarForEvent(
  trx: Transaction,
  { accountId, calendarId }: { readonly calendarId: number; readonly accountId: number },
): Promise<LockedCalendar | undefined> {
  const locked = await lockCalendars(trx, "ownId", [accountId, calendarId], trx.dialect.nextId("events"));
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

/**
 * Locks the calendars of events and another one in one statement, before the events are read, so that all transactions lock in
 * the same order.
 */
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

/**
 * Locks the rows that a query finds, in batches, since a statement takes a limited number of parameters. Returns their number.
 */
export async function lockThose(calendars: Knex.QueryBuilder<CalendarRow>): Promise<number> {
  const rows: readonly unknown[] = await calendars.clone().orderBy("id").forNoKeyUpdate().select("id");
  return rows.length;
}

/** Changes of a calendar's events: by how many their number grows, how many changes they are, and when, in Unix seconds. */
interface EventsChange {
  readonly calendarId: number;
  readonly events: number;
  /** Default 1; 0 for drafts, which are in no feed. */
  readonly changes?: number;
  /** By how much its stored bytes grow. */
  readonly bytes: number;
  readonly now: number;
}

/**
 * Counts changes of events: updates `events_total` and raises the feed version once for each. `feed_modified_at` grows with
 * every commit, whatever the clock says: a write takes its time when its request begins, and may be committed much later.
 */
export function countEventsChange(
  trx: Transaction,
  { calendarId, events, changes = 1, bytes, now }: EventsChange,
): void {
  trx.send(countSql, [events, bytes, changes, now, calendarId]);
}

const countSql = `update calendars set events_total = events_total + $1, stored_bytes = stored_bytes + $2,
    feed_version = feed_version + $3,
    feed_modified_at = case when cast($3 as bigint) = 0 then feed_modified_at when feed_modified_at >= $4
      then feed_modified_at + 1 else $4 end
  where id = $5`;
