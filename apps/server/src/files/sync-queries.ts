import { isKept } from "../calendars/queries.js";
import { type Db, onlyRow } from "../db/database.js";
import type { CalendarSyncRow, ImportedEventRow } from "../db/import-rows.js";

const syncs = (db: Db) => db<CalendarSyncRow>("calendar_syncs");

export type NewSync = Pick<
  CalendarSyncRow,
  "account_id" | "calendar_id" | "url" | "every_seconds" | "next_at" | "created_at"
> &
  Partial<Pick<CalendarSyncRow, "credentials">>;

export async function insertSync(trx: Db, sync: NewSync): Promise<CalendarSyncRow> {
  return onlyRow(await syncs(trx).insert(sync).returning("*"));
}

/** Lists the syncs of an account, or of one of its calendars, lowest id first; none of a deleted calendar. */
export async function syncsOf(
  db: Db,
  accountId: number,
  calendarId?: number,
): Promise<readonly CalendarSyncRow[]> {
  const query = syncs(db)
    .where({ account_id: accountId })
    .whereNotIn(
      "calendar_id",
      db("calendars").where({ account_id: accountId }).whereNotNull("deleted_at").select("id"),
    )
    .orderBy("id");
  return calendarId === undefined ? query : query.where({ calendar_id: calendarId });
}

/** A sync; with an account only where it is that account's. */
type Named = Pick<CalendarSyncRow, "id"> & Partial<Pick<CalendarSyncRow, "account_id">>;

/** Returns a sync of any account. */
export async function findSync(db: Db, id: number): Promise<CalendarSyncRow | undefined> {
  return syncs(db).where({ id }).first();
}

/** Returns a sync, locked until the transaction ends. Undefined when there is none. */
export async function lockSync(trx: Db, sync: Named): Promise<CalendarSyncRow | undefined> {
  return syncs(trx).where(sync).forUpdate().first();
}

/** Changes a locked sync. */
export async function updateSync(
  trx: Db,
  sync: CalendarSyncRow,
  change: Partial<CalendarSyncRow>,
): Promise<CalendarSyncRow> {
  if (Object.keys(change).length > 0) await syncs(trx).where({ id: sync.id }).update(change);
  return { ...sync, ...change };
}

/** Deletes a sync; its events stay. Undefined when there is none. */
export async function deleteSync(trx: Db, sync: Named): Promise<CalendarSyncRow | undefined> {
  const row = await lockSync(trx, sync);
  if (row !== undefined) await syncs(trx).where({ id: row.id }).delete();
  return row;
}

/** Deletes a sync whose calendar is gone for good: not one whose calendar is in the trash, or was restored. */
export async function deleteOrphan(trx: Db, id: number): Promise<void> {
  const own = `c.id = calendar_syncs.calendar_id and ${isKept("c")}`;
  await syncs(trx).where({ id }).whereRaw(`not exists (select 1 from calendars as c where ${own})`).delete();
}

export async function countEventsOfSyncs(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows: readonly { readonly sync_id: number; readonly total: number }[] = await db<ImportedEventRow>(
    "imported_events as i",
  )
    .join("published_events as e", "e.id", "i.event_id")
    .whereIn("sync_id", [...ids])
    .whereNotNull("sync_id") // by the partial index
    .groupBy("sync_id")
    .select("sync_id")
    .count({ total: "*" });
  return new Map(rows.map(({ sync_id, total }) => [sync_id, total]));
}

/** SQL: a sync waits while its calendar is in the trash. */
const isInTrash =
  "exists (select 1 from calendars as c where c.id = calendar_syncs.calendar_id and c.trashed = 1)";

/** Returns syncs that are due, those that wait longest first. @param busy accounts whose syncs are left out */
export async function dueSyncs(
  db: Db,
  { now, busy, limit }: { readonly now: number; readonly busy: readonly number[]; readonly limit: number },
): Promise<readonly Pick<CalendarSyncRow, "id" | "account_id">[]> {
  return syncs(db)
    .where("next_at", "<=", now)
    .where("claimed_until", "<=", now)
    .whereNotIn("account_id", [...busy])
    .whereRaw(`not ${isInTrash}`)
    .orderBy(["next_at", "id"])
    .limit(limit)
    .select("id", "account_id");
}

/** Returns a sync that is due, locked until the transaction ends. Undefined when another server was first. */
export async function lockDueSync(trx: Db, id: number, now: number): Promise<CalendarSyncRow | undefined> {
  const due = syncs(trx).where({ id }).where("next_at", "<=", now).where("claimed_until", "<=", now);
  return due.forUpdate().first();
}

export type Settled = Partial<
  Pick<CalendarSyncRow, "etag" | "last_modified" | "error" | "report" | "failures" | "read_at">
> &
  Pick<CalendarSyncRow, "next_at" | "tried_at">;

/** Stores the outcome of an attempt; nothing when the file is another one since, or another attempt has begun. */
export async function settleSync(
  trx: Db,
  { id, claimed_until }: Pick<CalendarSyncRow, "id" | "claimed_until">,
  settled: Settled,
): Promise<void> {
  await syncs(trx)
    .where({ id, claimed_until })
    .update({ ...settled, claimed_until: 0 });
}
