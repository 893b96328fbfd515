import { isKept } from "../calendars/queries.js";
import { lockCalendarRows } from "../calendars/lock-queries.js";
import { bytesOfEventSql, bytesOfSeriesSql } from "../calendars/stored-bytes.js";
import type { Database, Db, Reader } from "../db/database.js";
import type { Rows } from "../db/paging.js";
import type { Dialect } from "../db/query.js";
import type { CalendarRow, EventRow } from "../db/rows.js";
import type { SeriesRow } from "../db/series-row.js";
import { forgetEvents } from "../calendars/entry-queries.js";
import type { HistoryFilter } from "./history-queries.js";
import { rowColumns, type Sized, sizeSql, syncedSql } from "./queries.js";

// Deleted events that can be restored. A row is put here and taken away while its calendar's row is locked.

const trashed = (db: Db) => db<EventRow>("events").whereRaw("events.state = 'trashed'");

/** Which trashed events: one, or those of a series that its last deletion took. */
export type TrashTarget = { readonly id: number } | { readonly series_id: number };

/** Returns the calendar of trashed events that were deleted after a time in Unix seconds; undefined when the account has no such. */
export async function calendarOfTrashed(
  db: Db,
  accountId: number,
  target: TrashTarget,
  after: number,
): Promise<number | undefined> {
  const [row] = await restorable(db, accountId, target, after).limit(1).select<Purged[]>("calendar_id");
  return row?.calendar_id;
}

function restorable(db: Db, accountId: number, target: TrashTarget, after: number) {
  const query = trashed(db)
    .where({ ...target, account_id: accountId })
    .where("deleted_at", ">", after)
    .whereRaw(`exists (select 1 from calendars as c where c.id = events.calendar_id
      and ${isKept("c")} and events.feed_version > c.purged_version)`);
  return "id" in target ? query : query.whereRaw("series_id > 0");
}

/** Of which deletion a trashed event is: that of a draft makes no version, so it has its time too. */
type OfDeletion = Pick<EventRow, "id" | "feed_version" | "deleted_at">;

/** Returns those of a locked calendar that the last deletion took, without their texts. */
export async function sizesOfTrashed(
  trx: Db,
  accountId: number,
  target: TrashTarget,
  after: number,
): Promise<readonly (Sized & OfDeletion)[]> {
  const rows = await restorable(trx, accountId, target, after)
    .orderBy(["feed_version", "deleted_at"])
    .select<(Sized & OfDeletion)[]>("id", "feed_version", "deleted_at", trx.raw(`${sizeSql} as size`));
  const last = rows.at(-1);
  return rows.filter(
    ({ feed_version, deleted_at }) => feed_version === last?.feed_version && deleted_at === last.deleted_at,
  );
}

/** Returns trashed events, lowest id first. */
export async function findTrashed(trx: Db, ids: readonly number[]): Promise<readonly EventRow[]> {
  return trashed(trx)
    .whereIn("id", [...ids])
    .orderBy("id")
    .select(...rowColumns, trx.raw(syncedSql("events")));
}

/** Returns one of these trashed events, of any account, whether it can still be restored or not. */
export async function findTrashedOwner(
  db: Db,
  target: TrashTarget,
): Promise<Pick<EventRow, "account_id"> | undefined> {
  return trashed(db)
    .where({ ...target })
    .first("account_id");
}

/** What can be restored, as a list shows it. */
export interface TrashItem extends Pick<
  EventRow,
  "id" | "calendar_id" | "title" | "start_local" | "series_id"
> {
  readonly kind: "event" | "calendar";
  readonly deleted_at: number;
}

/** Returns a page of what an account, or one of its calendars, can restore, newest first. */
export async function listTrash(
  on: Reader,
  accountId: number,
  options: Rows &
    Pick<HistoryFilter, "calendarId" | "calendars"> & {
      /** Deleted after this time, in Unix seconds. */
      readonly after: number;
    },
): Promise<readonly TrashItem[]> {
  const { calendarId, calendars, after, limit, offset } = options;
  if (calendarId === undefined && calendars !== undefined)
    return on.query<TrashItem>(ofSome(on.dialect), [
      accountId,
      after,
      JSON.stringify([...calendars].map((id) => [id])),
      limit,
      offset,
    ]);
  return calendarId === undefined
    ? on.query<TrashItem>(ofAccount, [accountId, after, limit, offset])
    : on.query<TrashItem>(ofCalendar, [accountId, after, calendarId, limit, offset]);
}

/** Each part is read in its order from an index; a page further back reads those before it. */
function listSql({ calendar = "", limit = "$3", offset = "$4" } = {}): string {
  const [count, skipped] = [limit, offset].map((value) => `cast(${value} as bigint)`);
  const newest = (table: string): string =>
    `order by ${table}.deleted_at desc, ${table}.id desc limit ${count} + ${skipped}`;
  const those = (table: string, id: string): string =>
    `${table}.account_id = $1 and ${table}.deleted_at > $2${calendar && ` and ${table}.${id} ${calendar}`}`;
  return `select kind, id, calendar_id, title, start_local, series_id, deleted_at from (
    select * from (select 'event' as kind, t.id, t.calendar_id, t.title, t.start_local, t.series_id, t.deleted_at from events as t
      join calendars as c on c.id = t.calendar_id and ${isKept("c")}
        and t.feed_version > c.purged_version
      where t.state = 'trashed' and ${those("t", "calendar_id")} ${newest("t")}) as e
    union all
    select * from (select 'calendar' as kind, k.id, k.id as calendar_id, k.title, 0 as start_local, 0 as series_id, k.deleted_at from calendars as k
      where k.trashed = 1 and ${those("k", "id")} ${newest("k")}) as c
    ) as found order by deleted_at desc, kind, id desc limit ${count} offset ${skipped}`;
}

const ofAccount = listSql();
const ofSome = ({ items }: Dialect): string => {
  const calendar = `in (select cast(value ->> 0 as bigint) from ${items}($3))`;
  return listSql({ calendar, limit: "$4", offset: "$5" });
};
const ofCalendar = listSql({ calendar: "= $3", limit: "$4", offset: "$5" });

/** What a removal for good needs of a trashed event. */
export type Purged = Pick<EventRow, "id" | "calendar_id"> & { readonly bytes: number };

const purgedColumns = (db: Db) => ["id", "calendar_id", db.raw(`${bytesOfEventSql} as bytes`)];

/** Removes trashed events of locked calendars for good, and returns how many. */
export async function purgeTrashed(
  trx: Db,
  rows: readonly (Purged & Pick<EventRow, "account_id">)[],
): Promise<number> {
  await takeBytes(trx, rows);
  const ids = rows.map(({ id }) => id);
  const events = rows.map(({ id, account_id }) => ({ event_id: id, account_id }));
  await forgetEvents(trx, events);
  return trashed(trx).whereIn("id", ids).delete();
}

/**
 * Marks one event as not to be restored any more; a job removes it. Returns its calendar; undefined when the account has no such event
 * in its trash.
 */
export async function purgeOne(
  trx: Db,
  accountId: number,
  id: number,
  after: number,
): Promise<number | undefined> {
  const calendarId = await calendarOfTrashed(trx, accountId, { id }, after);
  if (calendarId === undefined) return undefined;
  await lockCalendarRows(trx, [calendarId]);
  if ((await sizesOfTrashed(trx, accountId, { id }, after)).length === 0) return undefined;
  await trashed(trx).where({ id }).update({ feed_version: 0 }); // below that of every deletion
  await trx<CalendarRow>("calendars")
    .where({ id: calendarId, purged_version: 0 })
    .update({ purged_version: 1 });
  return calendarId;
}

/** Returns those of these events that are in the trash now. */
export async function stillTrashed(
  trx: Db,
  ids: readonly number[],
): Promise<Parameters<typeof purgeTrashed>[1]> {
  return trashed(trx)
    .whereIn("id", [...ids])
    .select<Parameters<typeof purgeTrashed>[1][number][]>("account_id", ...purgedColumns(trx));
}

/** Series without an event, published, draft or in the trash; and what was kept of those of which no event can be restored. */
const emptySeries = [
  { table: "series", events: "" },
  { table: "trashed_series", events: "and e.state = 'trashed'" },
] as const;

type EmptySeries = (typeof emptySeries)[number];

const emptyOnes = (db: Db, { table, events }: EmptySeries) =>
  db<SeriesRow>(table).whereRaw(
    `not exists (select 1 from events as e where e.series_id > 0 and e.series_id = ${table}.id ${events})`,
  );

/** Removes the texts of series that have no event any more, some of each table. Returns whether there may be more. */
export async function purgeSeries(db: Database, limit: number): Promise<boolean> {
  let isFull = false;
  for (const of of emptySeries) {
    const found = await emptyOnes(db.read, of).limit(limit).select("id", "calendar_id");
    if (found.length === 0) continue;
    await db.transaction((trx) => removeEmpty(trx, of, found));
    isFull ||= found.length === limit;
  }
  return isFull;
}

/** Those that are still empty, now that no one can add an event. */
async function removeEmpty(
  trx: Db,
  of: EmptySeries,
  found: readonly Pick<SeriesRow, "id" | "calendar_id">[],
): Promise<void> {
  await lockCalendarRows(trx, [...new Set(found.map(({ calendar_id }) => calendar_id))]);
  const rows = await emptyOnes(trx, of)
    .whereIn(
      "id",
      found.map(({ id }) => id),
    )
    .select<readonly Purged[]>("id", "calendar_id", trx.raw(`${bytesOfSeriesSql} as bytes`));
  await takeBytes(trx, rows);
  const ids = rows.map(({ id }) => id);
  await trx(of.table).whereIn("id", ids).delete();
}

/** Counts what locked calendars store less. */
async function takeBytes(trx: Db, rows: readonly Omit<Purged, "id">[]): Promise<void> {
  const sums = new Map<number, number>();
  for (const { calendar_id, bytes } of rows) sums.set(calendar_id, (sums.get(calendar_id) ?? 0) + bytes);
  for (const [id, sum] of sums)
    await trx<CalendarRow>("calendars")
      .where({ id })
      .update({ stored_bytes: trx.raw("stored_bytes - ?", [sum]) });
}

/** Returns how many events each account has in the trash. */
export function trashOfAccounts(
  db: Db,
): Promise<readonly { readonly account_id: number; readonly total: number }[]> {
  return trashed(db).groupBy("account_id").select("account_id").count({ total: "*" });
}

/** Returns the ids of those of an account that were deleted first, up to a time in Unix seconds where one is given. */
export async function oldestTrashed(
  db: Db,
  account_id: number,
  { limit, before }: { readonly limit: number; readonly before?: number },
): Promise<readonly Purged[]> {
  const query = trashed(db).where({ account_id }).orderBy(["deleted_at", "id"]).limit(limit);
  if (before !== undefined) void query.where("deleted_at", "<=", before);
  return query.select<Purged[]>(...purgedColumns(db));
}

type Requested = Pick<CalendarRow, "id" | "purged_version">;

/** Returns the first calendars after an id whose trash is to be removed. */
export async function calendarsToPurge(db: Db, after: number, limit: number): Promise<readonly Requested[]> {
  return db<CalendarRow>("calendars")
    .whereRaw("purged_version > 0")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .select("id", "purged_version");
}

/** Returns the trashed events of a calendar whose removal was requested, some or all. */
export async function requestedPurges(
  db: Db,
  { id, purged_version }: Requested,
  limit?: number,
): Promise<readonly Purged[]> {
  const query = trashed(db).where({ calendar_id: id }).where("feed_version", "<=", purged_version);
  if (limit !== undefined) void query.limit(limit);
  return query.select<Purged[]>(...purgedColumns(db));
}

/** Notes that all of it is removed, unless more was requested since. */
export async function endPurge(trx: Db, { id }: Requested): Promise<void> {
  await lockCalendarRows(trx, [id]);
  const left =
    "exists (select 1 from events as e where e.calendar_id = calendars.id and e.state = 'trashed' and e.feed_version <= calendars.purged_version)";
  await trx<CalendarRow>("calendars").where({ id }).whereRaw(`not ${left}`).update({ purged_version: 0 });
}
