import { type RunItem, untilFailure } from "../background/units.js";
import type { Database, Db } from "../db/database.js";
import type { HistoryRow } from "../db/rows.js";

/** How long entries are kept, in seconds. */
const keptSeconds = 365 * 86_400;

/** Bytes that the history of an account may have, of which a row without its texts is some: of more the oldest entries go. */
export const mostHistoryBytes = 256 * 1024 * 1024;
const rowBytes = 256;
const sizeSql = `octet_length(changes) + ${rowBytes}`;

/** Entries removed in one transaction: few enough that other writers hardly wait. */
const batchSize = 500;

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
    const oldest = await history(db.read).orderBy("id").limit(batchSize).select("id", "created_at");
    return oldest.filter(({ created_at }) => created_at <= now - keptSeconds);
  });
  for (const { account_id, bytes } of await largeHistories(db.read, most)) {
    let excess = bytes - most;
    await runItem("account", account_id, async (late) => {
      removed += await removeSome(
        db,
        () => isStopping() || late.aborted,
        async () => {
          const oldest = await oldestOf(db.read, account_id);
          return oldest.filter(({ size }) => {
            excess -= size;
            return excess + size > 0;
          });
        },
      );
    });
  }
  return removed;
}

/** Removes what `find` returns, in batches. Returns how many. */
async function removeSome(
  db: Database,
  isStopping: () => boolean,
  find: () => Promise<readonly Pick<HistoryRow, "id">[]>,
): Promise<number> {
  for (let removed = 0; ;) {
    if (isStopping()) return removed;
    const ids = (await find()).map(({ id }) => id);
    if (ids.length > 0) await db.transaction((trx) => history(trx).whereIn("id", ids).delete());
    removed += ids.length;
    if (ids.length < batchSize) return removed;
  }
}

/** Returns the accounts whose history has more bytes. */
async function largeHistories(
  db: Db,
  most: number,
): Promise<readonly { readonly account_id: number; readonly bytes: number }[]> {
  const sum = `sum(${sizeSql})`;
  return history(db)
    .groupBy("account_id")
    .havingRaw(`${sum} > ?`, [most])
    .select("account_id", db.raw(`cast(${sum} as bigint) as bytes`));
}

async function oldestOf(
  db: Db,
  account_id: number,
): Promise<readonly { readonly id: number; readonly size: number }[]> {
  return history(db)
    .where({ account_id })
    .orderBy("id")
    .limit(batchSize)
    .select("id", db.raw(`${sizeSql} as size`));
}
