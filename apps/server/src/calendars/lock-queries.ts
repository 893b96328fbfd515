import type { Knex } from "knex";
import { batchedWrite, queryForMany, type Transaction } from "../db/transaction.js";
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

/** A calendar by its own id or by that of one of its events. Without `accountId` it may be any account's. */
type Target = { readonly accountId?: number } & (
  | { readonly calendarId: number }
  | { readonly eventId: number }
);

/** The calendars locked, by id. */
type Locked = ReadonlyMap<number, LockedCalendar>;

/**
 * Locks calendars that are not deleted, lowest id first, so that on PostgreSQL no two transactions wait for each other.
 * Returns those of all calls. Another account's are not locked.
 */
const lockCalendarsWith = (name: string, accountBytes: string) =>
  queryForMany<Target, LockedCalendar, Locked>({
    name,
    writes: false,
    rows: (targets) =>
      targets.map((target) =>
        "eventId" in target
          ? [target.accountId ?? null, null, target.eventId]
          : [target.accountId ?? null, target.calendarId, null],
      ),
    sql: ({ items, lock }) => {
      const input = `(select cast(value ->> 0 as bigint) as account_id, cast(value ->> 1 as bigint) as calendar_id,
      cast(value ->> 2 as bigint) as event_id from ${items}($1)) as target`;
      return `select c.id, c.account_id, c.uniquekey, c.timezone, c.palette_id, c.feed_version,
        (select a.webhooks from accounts as a where a.id = c.account_id) as webhooks,
        ${accountBytes} as account_bytes
      from calendars as c
      where c.deleted_at is null and c.id in (
        select k.id from ${input} join calendars as k
          on k.id = target.calendar_id and k.account_id = coalesce(target.account_id, k.account_id)
        union select e.calendar_id from ${input} join events as e
          on e.id = target.event_id and e.account_id = coalesce(target.account_id, e.account_id))
      order by c.id ${lock("c")}`;
    },
    results: (targets, rows) => {
      const locked = new Map(rows.map((row) => [row.id, row]));
      return targets.map(() => locked);
    },
  });

/** SQL: the bytes that an account stores. Those of a deleted calendar count until it is purged. Each part is found by an index. */
export const accountBytesSql = (account: string): string =>
  `cast(coalesce((select sum(o.stored_bytes) from calendars as o
      where o.account_id = ${account} and o.deleted_at is null), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.trashed = 1 and o.account_id = ${account}), 0)
    + coalesce((select sum(o.stored_bytes) from calendars as o
      where o.purge_pending = 1 and o.account_id = ${account}), 0) as bigint)`;

const lockUnlimited = lockCalendarsWith("lock calendars", "null");
const lockLimited = lockCalendarsWith("lock limited calendars", accountBytesSql("c.account_id"));

async function lockCalendars(trx: Transaction, targets: readonly Target[]): Promise<Locked> {
  const lock = accountLimit() === undefined ? lockUnlimited : lockLimited;
  const [locked] = await lock(trx, targets);
  return locked ?? new Map();
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
  target: { readonly calendarId: number; readonly accountId?: number },
): Promise<LockedCalendar | undefined> {
  return lockedIn(await lockCalendars(trx, [target]), target.calendarId, target.accountId);
}

/** Locks the calendars of events before these are read. Returns a function that finds a locked calendar. */
export async function lockCalendarsOfEvents(
  trx: Transaction,
  accountId: number,
  eventIds: readonly number[],
): Promise<(calendarId: number) => LockedCalendar | undefined> {
  const locked = await lockCalendars(
    trx,
    eventIds.map((eventId) => ({ accountId, eventId })),
  );
  return (calendarId) => lockedIn(locked, calendarId, accountId);
}

/** Locks the calendars of events and another one in one statement, so in the same order for all. */
export async function lockTogether(
  trx: Transaction,
  accountId: number,
  { eventIds, calendarId }: { readonly eventIds: readonly number[]; readonly calendarId: number },
): Promise<void> {
  await lockCalendars(trx, [
    ...eventIds.map((eventId) => ({ accountId, eventId })),
    { accountId, calendarId },
  ]);
}

function lockedIn(locked: Locked, id: number, accountId: number | undefined) {
  const calendar = locked.get(id);
  return accountId === undefined || calendar?.account_id === accountId ? calendar : undefined;
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
export const countEventsChange = batchedWrite<EventsChange>({
  name: "count events",
  rows: sumByCalendar,
  sql: ({ items }) => `update calendars set events_total = events_total + change.events,
      stored_bytes = stored_bytes + change.bytes,
      feed_version = feed_version + change.changes,
      feed_modified_at = case when change.changes = 0 then feed_modified_at when feed_modified_at >= change.changed_at
        then feed_modified_at + 1 else change.changed_at end
    from (select cast(value ->> 0 as bigint) as id, cast(value ->> 1 as bigint) as events,
      cast(value ->> 2 as bigint) as changes, cast(value ->> 3 as bigint) as changed_at, cast(value ->> 4 as bigint) as bytes from ${items}($1)) as change
    where calendars.id = change.id`,
});

function sumByCalendar(changes: readonly EventsChange[]): readonly (readonly number[])[] {
  const sums = new Map<number, { events: number; changes: number; at: number; bytes: number }>();
  for (const { calendarId, events, changes: count = 1, bytes, now } of changes) {
    const sum = sums.get(calendarId) ?? { events: 0, changes: 0, at: now, bytes: 0 };
    sum.events += events;
    sum.bytes += bytes;
    sum.changes += count;
    sum.at = Math.max(sum.at, now);
    sums.set(calendarId, sum);
  }
  return [...sums].map(([id, { events, changes, at, bytes }]) => [id, events, changes, at, bytes]);
}
