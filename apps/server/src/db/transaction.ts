import type { Database, Db } from "./database.js";
import type { Dialect, Query } from "./query.js";

/** A value of a row that goes to the database within a JSON array. */
export type Cell = string | number | null;

/** Who makes a write, as the history names them (extensions X9.4). */
export interface Author {
  readonly kind: "token" | "person" | "command_line" | "sync";
  /** Of the token, the person or the sync; 0 on the command line. */
  readonly id: number;
  /** Of the request; empty where there was none. */
  readonly operation: string;
}

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
export type Transaction = Db & State;

export function transactionOn(
  knex: Db,
  { query, dialect, by }: Pick<State, "query" | "dialect" | "by">,
): Transaction {
  return Object.assign(knex, { query, dialect, by, afterCommit: new Set<() => void>(), grown: new Map() });
}

/** Returns a database all of whose transactions are on behalf of an account, an author or both. */
export function writesAs<Host extends Pick<Database, "transaction">>(db: Host, behalf: OnBehalf): Host {
  return { ...db, transaction: (work) => db.transaction(work, behalf) };
}

/** Calls what waits for a commit, each by itself: what one throws reaches neither the others nor a write that is done. */
export function callAfterCommit({ afterCommit }: Pick<State, "afterCommit">): void {
  for (const call of afterCommit) queueMicrotask(call);
}

interface RowsQuery<Input, Row, Result> {
  /** Takes one value, `$1`: a JSON array of rows, each an array. So the text is the same for any number of rows. */
  readonly sql: (dialect: Dialect) => string;
  /** The rows of the array. To SQL an object is its JSON. */
  readonly rows: (inputs: readonly Input[]) => readonly (readonly (Cell | object)[])[];
  readonly results: (inputs: readonly Input[], rows: readonly Row[]) => readonly Result[];
  readonly name?: string;
  readonly writes?: boolean;
  readonly copies?: (input: Input) => number;
}

type On = Pick<State, "query" | "dialect">;

/** Makes a query that takes the rows of several inputs as a JSON array. Returns the result of each. */
export function queryForMany<Input, Row, Result>({
  sql,
  rows,
  results,
}: RowsQuery<Input, Row, Result>): (on: On, inputs: readonly Input[]) => Promise<readonly Result[]> {
  return async (on, inputs) =>
    results(inputs, await on.query<Row>(sql(on.dialect), [JSON.stringify(rows(inputs))]));
}

/** Makes such a query for one input. */
export function batched<Input, Row, Result>(
  query: RowsQuery<Input, Row, Result>,
): (on: On, input: Input) => Promise<Result> {
  const run = queryForMany(query);
  return async (on, input) => {
    for (const result of await run(on, [input])) return result;
    throw new Error("a query has returned no result");
  };
}

/** Makes one that writes and returns nothing. */
export function batchedWrite<Input>(
  query: Omit<RowsQuery<Input, never, void>, "results">,
): (on: On, input: Input) => Promise<void> {
  return batched<Input, never, void>({ ...query, results: () => [undefined] });
}
