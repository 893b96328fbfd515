import { overItems } from "../background/failures.js";
import type { Database, Db } from "../db/database.js";
import type { HistoryRow } from "../db/rows.js";
import { oldestEntries, type Sized, sizeSql } from "./entry-queries.js";

const keptSeconds = 365 * 86_400;

/** Most bytes of the history of an account: beyond it the oldest entries are removed. */
export const mostHistoryBytes = 256 * 1024 * 1024;

const history = (db: Db) => db<HistoryRow>("history");

/**
 * Removes entries older than a year, and the oldest of each account beyond `most` bytes. Safe on several servers at once.
 * Returns their number.
 */
export async function pruneHistory(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
  most = mostHistoryBytes,
): Promise<number> {
  let removed = await removeSome(db, isStopping, async () => {
    const oldest = await oldestEntries(db.read);
    return oldest.filter(({ created_at }) => created_at <= now - keptSeconds);
  });
  await overItems(async (doItem) => {
    for (const account_id of await largeHistories(db.read, most))
      await doItem(account_id, async () => {
        removed += await pruneAccount(db, account_id, { isStopping, most });
      });
  });
  return removed;
}

/**
 * How long the growth of an account is counted, in seconds; after that `pruneHistory` covers it. And how long an account that
 * keeps writing may delay the others.
 */
const [countedSeconds, turnSeconds] = [600, 10];

/**
 * Returns a job that removes the oldest entries beyond `most` bytes of accounts that have added an eighth of it. Each run reads
 * the entries added since the previous one.
 */
export function createGrowthPruning(
  db: Database,
  clock: () => number,
  most = mostHistoryBytes,
): (isStopping?: () => boolean) => Promise<void> {
  const added = new Map<number, number>();
  let [last, since]: [number | undefined, number] = [undefined, clock()];
  return async (isStopping = () => false) => {
    if (clock() >= since + countedSeconds) added.clear();
    if (added.size === 0) since = clock();
    last ??= await newestEntry(db.read);
    for (const { account_id, bytes, newest } of await addedSince(db.read, last)) {
      last = Math.max(last, newest);
      added.set(account_id, (added.get(account_id) ?? 0) + bytes);
    }
    await overItems(async (doItem) => {
      for (const [account_id, bytes] of added) {
        if (bytes <= most / 8) continue;
        added.delete(account_id);
        const end = clock() + turnSeconds;
        const shouldStop = () => isStopping() || clock() >= end;
        await doItem(account_id, () => pruneAccount(db, account_id, { isStopping: shouldStop, most }));
      }
    });
  };
}

async function pruneAccount(
  db: Database,
  account_id: number,
  { isStopping, most }: { readonly isStopping: () => boolean; readonly most: number },
): Promise<number> {
  let excess = 0;
  return removeSome(db, isStopping, async () => {
    // Entries added meanwhile count too.
    if (excess <= 0) excess = (await bytesOf(db.read, account_id)) - most;
    const oldest = excess > 0 ? await oldestEntries(db.read, (entries) => entries.where({ account_id })) : [];
    return oldest.filter(({ size }) => (excess -= size) + size > 0);
  });
}

async function removeSome(db: Database, isStopping: () => boolean, find: () => Promise<readonly Sized[]>) {
  for (let removed = 0; ;) {
    if (isStopping()) return removed;
    const ids = (await find()).map(({ id }) => id);
    if (ids.length === 0) return removed;
    await db.transaction((trx) => history(trx).whereIn("id", ids).delete());
    removed += ids.length;
  }
}

function largeHistories(db: Db, most: number): Promise<readonly number[]> {
  return history(db).groupBy("account_id").havingRaw(`sum(${sizeSql}) > ?`, [most]).pluck("account_id");
}

async function bytesOf(db: Db, account_id: number): Promise<number> {
  const [row] = await history(db)
    .where({ account_id })
    .select<{ readonly bytes: number | null }[]>(db.raw(`cast(sum(${sizeSql}) as bigint) as bytes`));
  return row?.bytes ?? 0;
}

export async function newestEntry(db: Db): Promise<number> {
  return (await history(db).max({ id: "id" }).first())?.id ?? 0;
}

interface Added {
  readonly account_id: number;
  readonly bytes: number;
  readonly newest: number;
}

function addedSince(db: Db, id: number): Promise<readonly Added[]> {
  return history(db)
    .where("id", ">", id)
    .groupBy("account_id")
    .select<Added[]>("account_id", db.raw(`cast(sum(${sizeSql}) as bigint) as bytes, max(id) as newest`));
}
