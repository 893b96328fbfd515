import type { Knex } from "knex";
import type { Db } from "../db/database.js";
import type { HistoryRow } from "../db/rows.js";

/** Entries that one transaction removes, and their bytes: few enough that other writers hardly wait. */
const [batchSize, batchBytes] = [500, 4 * 1024 * 1024];

/** SQL: the bytes of an entry, of which a row without its texts is some. */
export const sizeSql = "octet_length(changes) + 256";

export type Sized = Pick<HistoryRow, "id" | "created_at"> & { readonly size: number };

/** Returns as many of the oldest entries, of those that `where` leaves, as one transaction removes. */
export async function oldestEntries(
  db: Db,
  where: (entries: Knex.QueryBuilder<HistoryRow>) => unknown = () => undefined,
): Promise<readonly Sized[]> {
  const query = db<HistoryRow>("history").orderBy("id").limit(batchSize);
  void where(query);
  const oldest = await query.select<Sized[]>("id", "created_at", db.raw(`${sizeSql} as size`));
  let bytes = 0;
  const end = oldest.findIndex(({ size }, index) => (bytes += size) > batchBytes && index > 0);
  return end === -1 ? oldest : oldest.slice(0, end);
}
