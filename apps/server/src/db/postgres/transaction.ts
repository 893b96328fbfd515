import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection } from "knex/lib/dialects/postgres/index.js";
import type { Database, Db } from "../database.js";
import type { Query, Value } from "../query.js";
import { Limiter } from "../limiter.js";
import type { DatabaseObserver } from "../observer.js";
import { type OnQuery, timed, watchKnex } from "../query-times.js";
import {
  callAfterCommit,
  knexOn,
  type OnBehalf,
  openedLate,
  senderOf,
  type Transaction,
  transactionOn,
} from "../transaction.js";
import { type Client, dialect, noteLostName, plain, runNamed } from "./statements.js";
import { isAborted, mayBeRunAgain } from "./failures.js";

/** Most concurrent transactions, of all accounts and of one: each may wait for a lock, and reads need connections too. */
export const mostTransactions = 6;
const limits = { ofOne: 3, ofAll: mostTransactions, mostWaiting: 256, waitMs: 5_000 } as const;

export function openTransactions(
  pool: Db,
  observer?: DatabaseObserver,
  onQuery?: OnQuery,
): Database["transaction"] {
  const limiter = new Limiter(limits);
  let waiting = 0;
  observer?.queue(() => waiting);
  return async (work, behalf = {}) => {
    const since = performance.now();
    waiting++;
    let hasBegun = false;
    const begin = (): void => {
      if (!hasBegun) waiting--;
      hasBegun = true;
    };
    try {
      return await limiter.run(behalf.owner ?? "none", () => {
        begin();
        observer?.group([(performance.now() - since) / 1000]);
        return withRetries(() => runTransaction(pool, work, behalf, onQuery));
      });
    } finally {
      begin();
    }
  };
}

/** Runs `work` in a transaction on a connection of the pool. */
export async function runTransaction<T>(
  pool: Db,
  work: (trx: Transaction) => Promise<T>,
  behalf: OnBehalf = {},
  onQuery?: OnQuery,
): Promise<T> {
  const client: Client = pool.client;
  const connection = await client.acquireConnection();
  try {
    return await onConnection({ client, connection, onQuery }, work, behalf);
  } finally {
    await client.releaseConnection(connection);
  }
}

interface On {
  readonly client: Client;
  readonly connection: Connection;
  readonly onQuery: OnQuery | undefined;
}

async function onConnection<T>(on: On, work: (trx: Transaction) => Promise<T>, { by }: OnBehalf): Promise<T> {
  let failure: { readonly error: unknown } | undefined;
  /** Keeps the cause of those that only say that the transaction has failed. */
  const note = (error: unknown): void => {
    if (!isAborted(error)) failure ??= { error };
  };
  let isOpen = true;
  /** Afterwards the connection is of others. */
  const requireOpen = (): void => {
    if (!isOpen) throw new Error("the transaction has ended");
  };
  const runNoted = queryIn(on, note);
  const { send, settle } = senderOf(requireOpen, runNoted);
  const query: Query = async (sql, values) => {
    requireOpen();
    return runNoted(sql, values);
  };
  const trx = transactionOn(
    openedLate(() => knexIn(on, note, requireOpen)),
    { query, send, dialect, by },
  );
  const end = async (sql: string): Promise<string> => {
    isOpen = false;
    return run(on, sql);
  };
  try {
    await run(on, "BEGIN");
    const result = await work(trx);
    if (failure === undefined) {
      const [command] = await Promise.all([end("COMMIT"), settle()]);
      // PostgreSQL answers the COMMIT of a failed transaction without an error, although it has rolled back.
      if (command !== "COMMIT") throw new Error(`COMMIT was answered by ${command}`);
      callAfterCommit(trx);
      return result;
    }
  } catch (error) {
    throw isAborted(error) ? (failure?.error ?? error) : error;
  } finally {
    if (isOpen) await end("ROLLBACK").catch(() => undefined); // then the pool gives up the connection
  }
  throw failure.error;
}

const queryIn =
  ({ client, connection, onQuery }: On, note: (error: unknown) => void): Query =>
  async <Row>(sql: string, values: readonly Value[]) => {
    try {
      return await timed(onQuery, sql, () => runNamed<Row>(client, connection, { sql, values }));
    } catch (error) {
      note(error);
      throw error;
    }
  };

async function run({ client, connection }: On, sql: string): Promise<string> {
  // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
  return (await client._query(connection, plain(sql))).response.command;
}

function knexIn(
  { client, connection, onQuery }: On,
  note: (error: unknown) => void,
  requireOpen: () => void,
): Knex {
  const opened = knexOn(client.constructor, async () => {
    requireOpen();
    return connection;
  });
  opened.on("query-error", note);
  watchKnex(opened, onQuery);
  return opened;
}

const mostTries = 3;

/** Pause before a retry after a conflict, in milliseconds. */
const [leastPauseMs, mostPauseMs] = [10, 80];

/** Retries a transaction that PostgreSQL rolled back, never one whose connection was lost: it may have been committed. */
export async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      noteLostName(error);
      if (tries === mostTries || !mayBeRunAgain(error)) throw error;
      await setTimeout(randomInt(leastPauseMs, mostPauseMs + 1)); // at random, so that two transactions do not collide again
    }
  }
}
