import { type RunItem, untilFailure } from "../background/units.js";
import type { Database, Db } from "../db/database.js";
import type { HistoryRow } from "../db/rows.js";
import { oldestEntries, type Sized, sizeSql } from "./batch-queries.js";

/** How long entries are kept, in seconds. */
const keptSeconds = 365 * 86_400;

/** Bytes that the history of an account may have: of more the oldest entries go. */
export const mostHistoryBytes = 256 * 1024 * 1024;

const history = (db: Db) => db<HistoryRow>("history");

/**
 * Removes entries that are older than a year, and of each account the oldest beyond `most` bytes. Safe on several servers at once.
 * Returns how many.
 */
export async function pruneHistory(
  db: Database,
  now: number,
  isStopping: () => boolean = () => false,
  {
    runItem = untilFailure,
    most = mostHistoryBytes,
  }: { readonly runItem?: RunItem; readonly most?: number } = {},
): Promise<number> {
  let removed = await removeSome(db, isStopping, async () => {
    const oldest = await oldestEntries(db.read);
    return oldest.filter(({ created_at }) => created_at <= now - keptSeconds);
  });
  for (const account_id of await largeHistories(db.read, most)) {
    let excess = 0;
    const find = async (): Promise<readonly Sized[]> => {
      // What was added meanwhile counts too.
      if (excess <= 0) excess = (await bytesOf(db.read, account_id)) - most;
      const oldest =
        excess > 0 ? await oldestEntries(db.read, (entries) => entries.where({ account_id })) : [];
      return oldest.filter(({ size }) => (excess -= size) + size > 0);
    };
    await runItem("account", account_id, async (late) => {
      removed += await removeSome(db, () => isStopping() || late.aborted, find);
    });
  }
  return removed;
}

/** Removes what `find` returns, in batches, until it returns none. Returns how many. */
async function removeSome(
  db: Database,
  isStopping: () => boolean,
  find: () => Promise<readonly Sized[]>,
): Promise<number> {
  for (let removed = 0; ;) {
    if (isStopping()) return removed;
    const ids = (await find()).map(({ id }) => id);
    if (ids.length === 0) return removed;
    await db.transaction((trx) => history(trx).whereIn("id", ids).delete());
    removed += ids.length;
  }
}

/** Returns the accounts whose history has more bytes. */
function largeHistories(db: Db, most: number): Promise<readonly number[]> {
  return history(db).groupBy("account_id").havingRaw(`sum(${sizeSql}) > ?`, [most]).pluck("account_id");
}

async function bytesOf(db: Db, account_id: number): Promise<number> {
  const [row] = await history(db)
    .where({ account_id })
    .select<{ readonly bytes: number | null }[]>(db.raw(`cast(sum(${sizeSql}) as bigint) as bytes`));
  return row?.bytes ?? 0;
}
