import type { Knex } from "knex";
import type { Author } from "./author.js";
import type { Dialect, Query, Value } from "./query.js";

/** On whose behalf a transaction is: its account, and the author of its entries in the history. */
export interface OnBehalf {
  readonly owner?: number | undefined;
  readonly by?: Author | undefined;
}

export interface State {
  /** For prepared statements. */
  readonly query: Query;
  readonly dialect: Dialect;
  /** Undefined for a job of the service. */
  readonly by: Author | undefined;
  /** Called once it is committed. */
  readonly afterCommit: Set<() => void>;
  /** Bytes by which it has made accounts grow so far (calendars/stored-bytes.ts), by account. */
  readonly grown: Map<number, number>;
}

/** An open write transaction: Knex's, with what our own statements need. Its queries run in the order of their calls. */
export type Transaction = Knex & State;

export function transactionOn(
  knex: Knex,
  { query, dialect, by }: Pick<State, "query" | "dialect" | "by">,
): Transaction {
  return Object.assign(knex, { query, dialect, by, afterCommit: new Set<() => void>(), grown: new Map() });
}

/** Begins transactions. */
export interface Writer {
  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T>;
}

/** Returns a database all of whose transactions are on behalf of an account, an author or both. */
export function writesAs<Host extends Writer>(db: Host, behalf: OnBehalf): Host {
  return { ...db, transaction: (work) => db.transaction(work, behalf) };
}

/** Calls what waits for a commit, each by itself: what one throws reaches neither the others nor a write that is done. */
export function callAfterCommit({ afterCommit }: Pick<State, "afterCommit">): void {
  for (const call of afterCommit) queueMicrotask(call);
}

/** Rows of one statement: as many long texts fill some megabytes. */
const mostRows = 200;

/** Runs a statement that takes rows as a JSON array, `$1`, for some rows at a time. Returns what it returns for all. */
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

/** Reserves ids of new rows; they are used or lost. */
export async function reserveIds(
  { query, dialect }: Pick<State, "query" | "dialect">,
  table: "events" | "series",
  count: number,
): Promise<readonly number[]> {
  const rows = await query<{ readonly id: number }>(dialect.reserveIds(table), [count]);
  // A row is the last of a run of ids; all runs are equally long.
  const length = count / rows.length;
  return rows.flatMap(({ id }) => Array.from({ length }, (_, index) => id - length + 1 + index));
}
