import type { Transaction } from "./transaction.js";

/** Reserves ids of new rows; they are used or lost. */
export async function reserveIds(
  { query, dialect }: Pick<Transaction, "query" | "dialect">,
  table: "events" | "series",
  count: number,
): Promise<readonly number[]> {
  const rows = await query<{ readonly id: number }>(dialect.reserveIds(table), [count]);
  // A row is the last of a run of ids; all runs are equally long.
  const length = count / rows.length;
  return rows.flatMap(({ id }) => Array.from({ length }, (_, index) => id - length + 1 + index));
}
