import type { Knex } from "knex";
import type { Author } from "./rows.js";
import type { Dialect, Query, Value } from "./query.js";

/** The account of a transaction, and the author of its entries in the history. */
export interface OnBehalf {
  readonly owner?: number | undefined;
  readonly by?: Author | undefined;
}

export interface State {
  readonly query: Query;
  readonly dialect: Dialect;
  /** Undefined for a job of the service. */
  readonly by: Author | undefined;
  /** Callbacks after the commit. */
  readonly afterCommit: Set<() => void>;
  /** Bytes by which the transaction has grown each account (calendars/stored-bytes.ts). */
  readonly grown: Map<number, number>;
}

/** An open write transaction. Its queries run in the order of their calls. */
export type Transaction = Knex & State;

export function transactionOn(
  knex: Knex,
  { query, dialect, by }: Pick<State, "query" | "dialect" | "by">,
): Transaction {
  return Object.assign(knex, { query, dialect, by, afterCommit: new Set<() => void>(), grown: new Map() });
}

export interface Writer {
  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T>;
}

/** Returns a database whose transactions are on behalf of an account, an author or both. */
export function writesAs<Host extends Writer>(db: Host, behalf: OnBehalf): Host {
  return { ...db, transaction: (work) => db.transaction(work, behalf) };
}

/** Calls the callbacks separately: an error in one affects neither the others nor the committed write. */
export function callAfterCommit({ afterCommit }: Pick<State, "afterCommit">): void {
  for (const call of afterCommit) queueMicrotask(call);
}

/** Most rows of one statement: that many long texts take some megabytes. */
const mostRows = 200;

/** Runs a statement that takes rows as a JSON array, `$1`, in slices. Returns the rows of all. */
export async function queryInSlices<Row extends object>(
  { query }: Pick<State, "query">,
  sql: string,
  rows: readonly (readonly Value[])[],
): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let from = 0; from < rows.length; from += mostRows)
    found.push(...(await query<Row>(sql, [JSON.stringify(rows.slice(from, from + mostRows))])));
  return found;
}

export async function reserveIds(
  { query, dialect }: Pick<State, "query" | "dialect">,
  table: "events" | "series",
  count: number,
): Promise<readonly number[]> {
  const rows = await query<{ readonly id: number }>(dialect.reserveIds(table), [count]);
  const length = count / rows.length;
  return rows.flatMap(({ id }) => Array.from({ length }, (_, index) => id - length + 1 + index));
}
