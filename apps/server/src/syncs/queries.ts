import { randomUUID } from "node:crypto";
import type { Db } from "../db/database.js";
import type { CalendarSyncRow, ImportedEventRow } from "../db/import-rows.js";
import type { Transaction } from "../db/transaction.js";
import { mostUnfinishedStarts, setAsideReason } from "../db/set-aside.js";

const syncs = (db: Db) => db<CalendarSyncRow>("calendar_syncs");

export type NewSync = Pick<
  CalendarSyncRow,
  "account_id" | "calendar_id" | "url" | "host" | "every_seconds" | "next_at" | "created_at"
>;

export async function insertSync(trx: Db, sync: NewSync): Promise<CalendarSyncRow> {
  const [row] = await syncs(trx).insert(sync).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Lists all syncs, lowest id first. */
export async function listSyncs(db: Db): Promise<readonly CalendarSyncRow[]> {
  return syncs(db).orderBy("id");
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

/** Whether a sync is due. `now` is in Unix seconds. */
export async function isOneDue(db: Db, now: number): Promise<boolean> {
  const row = await syncs(db)
    .where("next_at", "<=", now)
    .where("claimed_until", "<=", now)
    .where("unfinished_starts", "<", mostUnfinishedStarts)
    .first("id");
  return row !== undefined;
}

interface Claim {
  readonly now: number;
  /** When the claim ends by itself. */
  readonly until: number;
  /** Only this one, whether it is due or not, and whether it was set aside or not. */
  readonly id?: number;
  /** Claims that end by themselves although their process goes on. */
  readonly lost?: readonly string[];
}

/**
 * Claims a sync that is due, of a host that no server fetches from now, and of an account that none is fetched for now, where there
 * is one. Undefined when there is none. One server claims at a time: two could take two syncs of one host.
 */
export async function claimSync(
  trx: Transaction,
  { now, until, id, lost = [] }: Claim,
): Promise<CalendarSyncRow | undefined> {
  const [lock] = await trx.query<{ taken: number }>(
    `select case when ${trx.dialect.tryLock("'calendar syncs'")} then 1 else 0 end as taken`,
    [],
  );
  if (lock?.taken !== 1) return undefined;
  await releaseExpired(trx, now, lost);
  const claimed = await syncs(trx).where("claimed_until", ">", now);
  const hosts = claimed.map(({ host }) => host);
  const free = syncs(trx).where("claimed_until", "<=", now).whereNotIn("host", hosts);
  const wanted = id === undefined ? inTurn(free.where("next_at", "<=", now), claimed) : free.where({ id });
  const found = await wanted.first("id");
  if (found === undefined) return undefined;
  const again = id === undefined ? {} : { unfinished_starts: 0 };
  const [row] = await syncs(trx)
    .where({ id: found.id })
    .update({ claim: randomUUID(), claimed_until: until, ...again })
    .returning("*");
  return row;
}

/** Syncs of one account that are fetched at a time, of all servers together. */
const mostOfAccount = 2;

/**
 * Orders due syncs: those of accounts that none is fetched for now, then those that wait longest. One that a process ended with comes
 * last, and no two of them at a time: if the process ended with several, it would not tell which was to blame.
 */
function inTurn(due: ReturnType<typeof syncs>, claimed: readonly CalendarSyncRow[]) {
  const accounts = claimed.map(({ account_id }) => account_id);
  const full = accounts.filter((one) => accounts.filter((other) => other === one).length >= mostOfAccount);
  const hasSuspect = claimed.some(({ unfinished_starts }) => unfinished_starts > 0);
  return due
    .whereNotIn("account_id", full)
    .where("unfinished_starts", "<", hasSuspect ? 1 : mostUnfinishedStarts)
    .orderBy("unfinished_starts")
    .orderByRaw(
      `case when account_id in (${accounts.map(() => "?").join(", ") || "0"}) then 1 else 0 end`,
      accounts,
    )
    .orderBy(["next_at", "id"]);
}

/** Ends the claims of servers that are gone: after some such ends in a row a sync is set aside. */
async function releaseExpired(trx: Db, now: number, lost: readonly string[]): Promise<void> {
  const expired = () => syncs(trx).where("claimed_until", "<=", now).whereNot({ claim: "" });
  await expired()
    .whereIn("claim", [...lost])
    .update({ claim: "", claimed_until: 0 });
  for (const { id, unfinished_starts } of await expired()) {
    const starts = unfinished_starts + 1;
    const reason = starts >= mostUnfinishedStarts ? { error: setAsideReason } : {};
    await syncs(trx)
      .where({ id })
      .update({ claim: "", claimed_until: 0, unfinished_starts: starts, ...reason });
  }
}

export type Settled = Partial<
  Pick<CalendarSyncRow, "etag" | "last_modified" | "error" | "report" | "failures" | "read_at">
> &
  Pick<CalendarSyncRow, "next_at" | "tried_at">;

/** Stores it and ends the claim. Nothing is stored when it had ended: another server has it. */
export async function settleSync(
  trx: Db,
  { id, claim }: Pick<CalendarSyncRow, "id" | "claim">,
  settled: Settled,
): Promise<void> {
  await syncs(trx)
    .where({ id, claim })
    .update({ ...settled, claim: "", claimed_until: 0, unfinished_starts: 0 });
}
