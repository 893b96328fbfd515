import { randomUUID } from "node:crypto";
import type { Db } from "../db/database.js";
import type { CalendarSyncRow } from "../db/import-rows.js";
import { memberOf } from "../db/member.js";
import type { Dialect } from "../db/query.js";

const syncs = (db: Db) => db<CalendarSyncRow>("calendar_syncs");

export type NewSync = Pick<
  CalendarSyncRow,
  "account_id" | "calendar_id" | "url" | "host" | "every_seconds" | "next_at" | "created_at"
>;

/** Adds a sync. */
export async function insertSync(trx: Db, sync: NewSync): Promise<CalendarSyncRow> {
  const [row] = await syncs(trx).insert(sync).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Lists the syncs of a calendar, or all, lowest id first. */
export async function listSyncs(db: Db, calendarId?: number): Promise<readonly CalendarSyncRow[]> {
  const query = syncs(db).orderBy("id");
  return calendarId === undefined ? query : query.where({ calendar_id: calendarId });
}

/** Deletes a sync; its events stay. Undefined when there is none. */
export async function deleteSync(trx: Db, id: number): Promise<CalendarSyncRow | undefined> {
  const row = await syncs(trx).where({ id }).forUpdate().first();
  if (row !== undefined) await syncs(trx).where({ id }).delete();
  return row;
}

/** Whether a sync is due. `now` is in Unix seconds. */
export async function isOneDue(db: Db, now: number): Promise<boolean> {
  const row = await syncs(db).where("next_at", "<=", now).where("claimed_until", "<=", now).first("id");
  return row !== undefined;
}

interface Claim {
  readonly now: number;
  /** When the claim ends by itself. */
  readonly until: number;
  /** Only this one, whether it is due or not. */
  readonly id?: number;
}

/**
 * Claims a sync that is due, of a host that no server fetches from now. Undefined when there is none. One server claims at a time:
 * two could take two syncs of one host.
 */
export async function claimSync(
  trx: Db,
  dialect: Dialect,
  { now, until, id }: Claim,
): Promise<CalendarSyncRow | undefined> {
  const { query } = memberOf(trx, dialect).shared;
  const [lock] = await query<{ taken: number }>(
    `select case when ${dialect.tryLock("'calendar syncs'")} then 1 else 0 end as taken`,
    [],
  );
  if (lock?.taken !== 1) return undefined;
  const busy = syncs(trx).where("claimed_until", ">", now).select("host");
  const free = syncs(trx).where("claimed_until", "<=", now).whereNotIn("host", busy);
  const wanted =
    id === undefined ? free.where("next_at", "<=", now).orderBy(["next_at", "id"]) : free.where({ id });
  const found = await wanted.first("id");
  if (found === undefined) return undefined;
  const [row] = await syncs(trx)
    .where({ id: found.id })
    .update({ claim: randomUUID(), claimed_until: until })
    .returning("*");
  return row;
}

/** What became of a fetch. */
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
    .update({ ...settled, claim: "", claimed_until: 0 });
}
