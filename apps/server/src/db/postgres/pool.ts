import knex, { type Knex } from "knex";
import type PostgresClient from "knex/lib/dialects/postgres/index.js";
import type { Connection, QueryRequest, QueryResult } from "knex/lib/dialects/postgres/index.js";
import pg from "pg";
import { isLostConnection, isWrongServer, withCode } from "./failures.js";
import { keepingLimits, type TimeLimits } from "./time-limits.js";
import type { PostgresAddress } from "./tls.js";

// Every integer of ours fits a number: ids end at 2^53-1 (rulings R4.1).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connections of one process, and how long a request waits for one of them, in milliseconds. */
export const poolSize = 10;
const acquireMs = 2_000;

/** How long making a connection may take unless the URL says so, and how much earlier than its waiters that fails; and ending one. */
const defaultConnectMs = 1_500;
const spareMs = 500;
const destroyMs = 1_000;

/** How long a statement may run, a lock be waited for, and a transaction be left alone, in milliseconds: PostgreSQL sees to it. */
const statementMs = 5_000;
const lockMs = 2_000;
const idleInTransactionMs = 10_000;

/** After this long without an answer the network or the server must be to blame, in milliseconds. */
const silenceMs = 6_000;

/** A connection that is silent for so long is asked for a sign of life by the system, in milliseconds. */
const keepAliveMs = 10_000;

/** Opens a pool of connections. Nothing is connected yet. */
export function openPool(address: PostgresAddress): Knex {
  return open(address, poolSize, {
    limits: { statement_timeout: statementMs, lock_timeout: lockMs },
    silenceMs,
    pipeline: true,
  });
}

/** A single connection, for work that takes its time: waiting for another server, or changing a large table. */
export function openPatiently(address: PostgresAddress): Knex {
  return open(address, 1, { limits: {}, pipeline: false });
}

interface Options {
  readonly limits: TimeLimits;
  readonly silenceMs?: number;
  readonly pipeline: boolean;
}

function open(
  { connectMs = defaultConnectMs, pooled, ...address }: PostgresAddress,
  max: number,
  { limits: ownLimits, silenceMs: silence, pipeline }: Options,
): Knex {
  const patienceMs = Math.max(acquireMs, connectMs + spareMs);
  const limits = { idle_in_transaction_session_timeout: idleInTransactionMs, ...ownLimits };
  const { client, settings } = keepingLimits(pooled, { limits, silenceMs: silence, patienceMs });
  const connection = {
    ...address,
    pipeline,
    ...settings,
    application_name: "kalends",
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectMs,
  };
  return knex({
    client: failoverClient(client),
    acquireConnectionTimeout: patienceMs,
    pool: { min: 0, max, destroyTimeoutMillis: destroyMs },
    connection,
    log: { warn: () => undefined }, // the failure itself reaches the caller, and its log line
  });
}

/**
 * pg keeps a connection that it failed to make. One whose password is missing would stay for the minute that PostgreSQL waits for
 * it, and a process that cannot start would not end before.
 */
class Client extends pg.Client {
  override async connect(): Promise<pg.Client> {
    try {
      return await super.connect();
    } catch (error) {
      void this.end();
      throw error;
    }
  }
}

/**
 * Knex's client, made to give up connections that only a new one can replace: one that PostgreSQL ended or that fell silent,
 * and, after a failover, every connection to the old server, which lives on and refuses writes. A class for each pool, since
 * Knex makes objects of it that share nothing else.
 */
function failoverClient(base: typeof PostgresClient): typeof PostgresClient {
  let generation = 0;
  const generations = new WeakMap<Connection, number>();
  return class FailoverPostgresClient extends base {
    // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
    override _driver() {
      return { Client };
    }

    override async acquireRawConnection(): Promise<Connection> {
      const begun = generation;
      try {
        const connection = await super.acquireRawConnection();
        generations.set(connection, begun);
        return connection;
      } catch (error) {
        throw withCode(error);
      }
    }

    /** A server that has fallen silent never ends its side, and this process would wait for it. */
    override async destroyRawConnection(connection: Connection): Promise<void> {
      const timer = setTimeout(() => connection.connection.stream.destroy(), destroyMs);
      await super.destroyRawConnection(connection).finally(() => clearTimeout(timer));
    }

    override validateConnection(connection: Connection): Promise<boolean> {
      return Promise.resolve(generations.get(connection) === generation);
    }

    // oxlint-disable no-underscore-dangle, no-param-reassign -- Knex's own names
    override async _query(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      // Such as the ROLLBACK after a failure: the transaction has ended with its connection.
      if (connection.__knex__disposed instanceof Error) throw connection.__knex__disposed;
      try {
        return await super._query(connection, query);
      } catch (thrown) {
        const error = withCode(thrown);
        if (isLostConnection(error)) connection.__knex__disposed = error;
        if (isWrongServer(error) && generations.get(connection) === generation) generation++;
        throw error;
      }
    }
    // oxlint-enable no-underscore-dangle, no-param-reassign
  };
}
