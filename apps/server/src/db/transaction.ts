import knex, { type Knex } from "knex";
import type { Author } from "./rows.js";
import type { Dialect, Query, Value } from "./query.js";

/** The account of a transaction, and the author of its entries in the history. */
export interface OnBehalf {
  readonly owner?: number | undefined;
  readonly by?: Author | undefined;
}

export interface State {
  readonly query: Query;
  /**
   * Sends a statement whose rows no one reads; PostgreSQL gets the last ones together with COMMIT. Queries that follow see what it
   * writes, and a failure is thrown at the end. On SQLite statements that are sent one after the other run in any order.
   */
  readonly send: (sql: string, values: readonly Value[]) => void;
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
  state: Pick<State, "query" | "send" | "dialect" | "by">,
): Transaction {
  return Object.assign(knex, { ...state, afterCommit: new Set<() => void>(), grown: new Map() });
}

/**
 * Returns `send`, which runs statements without waiting for them, and `settle`, which does, and throws what the first failure was.
 * @param check receives each statement before it is sent, and refuses it by throwing
 */
export function senderOf(
  check: (sql: string) => void,
  run: Query,
): Pick<State, "send"> & { readonly settle: () => Promise<void> } {
  let sent: Promise<unknown> = Promise.resolve();
  const failures: unknown[] = [];
  return {
    send: (sql, values) => {
      check(sql);
      const done = run(sql, values).catch((error: unknown) => failures.push(error));
      sent = Promise.all([sent, done]).then(() => undefined);
    },
    settle: async () => {
      for (let awaited; awaited !== sent; await awaited) awaited = sent;
      if (failures.length > 0) throw failures[0];
    },
  };
}

const unopened = knex({ client: knex.Client });

/**
 * Returns a Knex that `open` opens at its first use: most writes use only prepared statements, and opening one takes a tenth of
 * their time.
 */
export function openedLate(open: () => Knex): Knex {
  let opened: Knex | undefined;
  const added = new Map<PropertyKey, unknown>();
  return new Proxy(unopened, {
    apply: (_target, _this, args): unknown => Reflect.apply((opened ??= open()), undefined, args),
    get: (_target, name): unknown =>
      added.has(name) ? added.get(name) : Reflect.get((opened ??= open()), name),
    set: (_target, name, value) => added.set(name, value) === added,
  });
}

export interface Writer {
  transaction<T>(work: (trx: Transaction) => Promise<T>, behalf?: OnBehalf): Promise<T>;
}

/** Returns a database whose transactions are on behalf of an account, an author or both. */
export function writesAs<Host extends Writer>(db: Host, behalf: OnBehalf): Host {
  return { ...db, transaction: (work) => db.transaction(work, behalf) };
}

/** Opens a Knex on the connection of a transaction, which `acquire` returns when a query may be sent. */
export function knexOn(
  base: typeof Knex.Client,
  acquire: () => Promise<unknown>,
  config: Knex.Config = {},
): Knex {
  class TransactionClient extends base {
    /** Knex's own name: its transactions are savepoints. */
    readonly transacting = true;
    override acquireConnection(): Promise<unknown> {
      return acquire();
    }
    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }
  }
  return knex({ ...config, client: TransactionClient });
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
