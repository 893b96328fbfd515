import { setTimeout as delay } from "node:timers/promises";
import knex, { type Knex } from "knex";
import SqliteClient from "knex/lib/dialects/sqlite3/index.js";
import type { Query } from "../query.js";
import { sqliteFailure } from "./failures.js";
import { busyTimeoutMs } from "./pool.js";
import { acquire, execute, release, type SqliteConnection, statementsOf } from "./statements.js";

/** Write transactions, one after the other, on the only connection of a pool. */
export interface SqliteWriter {
  readonly transaction: <T>(work: (trx: Knex) => Promise<T>) => Promise<T>;
  /** Waits for as long as another process writes, such as one that migrates for minutes. */
  readonly patiently: <T>(work: (trx: Knex) => Promise<T>) => Promise<T>;
  /** For prepared statements. */
  readonly grouped: <T>(work: (query: Query) => Promise<T>) => Promise<T>;
  /** A transaction that waits for another process fails soon. */
  readonly close: () => Promise<void>;
}

/** Opens the writer on a pool of one connection. */
export function openWriter(pool: Knex): SqliteWriter {
  let isClosing = false;
  const begin = (connection: SqliteConnection, waitMs: number): Promise<void> =>
    beginWithin(connection, waitMs, () => isClosing);
  async function completed<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
    let isOver = false;
    try {
      const result = await work();
      await execute(connection, "COMMIT");
      isOver = true;
      return result;
    } finally {
      if (!isOver) await rollBack(connection);
    }
  }
  async function inTransaction<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const connection = await acquire(pool);
    try {
      await begin(connection, busyTimeoutMs);
      return await completed(connection, () => work(connection));
    } finally {
      await release(pool, connection);
    }
  }
  const onKnex =
    <T>(work: (trx: Knex) => Promise<T>) =>
    (connection: SqliteConnection): Promise<T> =>
      withKnex(connection, work);
  return {
    transaction: (work) => inTransaction(onKnex(work)),
    patiently: async (work) => {
      const connection = await acquirePatiently(pool);
      try {
        await begin(connection, Infinity);
        return await completed(connection, () => withKnex(connection, work));
      } finally {
        await release(pool, connection);
      }
    },
    grouped: (work) => inTransaction((connection) => work(statementsOf(connection).query)),
    close: async () => {
      isClosing = true;
      const connection = await acquire(pool).catch(() => undefined);
      if (connection === undefined) return;
      await statementsOf(connection).finalize();
      await execute(connection, "PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined); // a reader may hold it: the WAL stays
      await release(pool, connection);
    },
  };
}

/**
 * Takes the write lock at once. A plain BEGIN takes it at the first write, and a transaction that reads first then fails
 * without waiting.
 * @throws Error when another process kept the lock for `waitMs`, or until the writer closes
 */
async function beginWithin(connection: SqliteConnection, waitMs: number, isClosing: () => boolean) {
  const endsAt = performance.now() + waitMs;
  for (;;) {
    try {
      await execute(connection, "BEGIN IMMEDIATE"); // waits for busy_timeout, a part of waitMs
      return;
    } catch (error) {
      await rollBack(connection);
      if (!isBusy(error) || isClosing() || performance.now() > endsAt) throw error;
    }
    await delay(1);
  }
}

/**
 * Ends what a failure left open: a transaction that outlives its failure keeps the write lock from every process and takes in
 * the next writes. A connection on which not even that works is closed, and the pool opens another one.
 */
async function rollBack(connection: SqliteConnection): Promise<void> {
  try {
    await execute(connection, "ROLLBACK");
  } catch (error) {
    if (error instanceof Error && error.message.includes("no transaction is active")) return;
    // First, so that nothing that fails from here on returns it to the pool with its lock.
    // oxlint-disable-next-line no-param-reassign, no-underscore-dangle -- Knex's own name for a connection to give up
    Object.assign(connection, { __knex__disposed: error });
    await statementsOf(connection)
      .finalize()
      .then(() => execute(connection, "ROLLBACK"))
      .catch(() => undefined);
  }
}

/**
 * Opens the connection, also while others open a new file: each turns WAL on, and SQLite does not wait for the one that is
 * doing so but fails at once.
 */
async function acquirePatiently(pool: Knex): Promise<SqliteConnection> {
  const endsAt = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await acquire(pool);
    } catch (error) {
      if (!isBusy(error) || performance.now() > endsAt) throw error;
      await delay(retryMs);
    }
  }
}

const retryMs = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && sqliteFailure(error) === "overloaded";
}

/** Runs `work` with a Knex whose queries go to that connection, and to nothing once it has ended. */
async function withKnex<T>(connection: SqliteConnection, work: (trx: Knex) => Promise<T>): Promise<T> {
  let hasEnded = false;
  class TransactionClient extends SqliteClient {
    override transacting = true;
    override acquireConnection(): Promise<SqliteConnection> {
      return hasEnded ? Promise.reject(new Error("the transaction has ended")) : Promise.resolve(connection);
    }
    override releaseConnection(): Promise<void> {
      return Promise.resolve();
    }
  }
  try {
    return await work(knex({ client: TransactionClient, useNullAsDefault: true }));
  } finally {
    hasEnded = true;
  }
}
