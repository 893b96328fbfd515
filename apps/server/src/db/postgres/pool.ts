import knex, { type Knex } from "knex";
import PostgresClient, {
  type Connection,
  type QueryRequest,
  type QueryResult,
} from "knex/lib/dialects/postgres/index.js";
import pg from "pg";
import pgpass from "pgpass";
import { isLostConnection, isWrongServer, withCode } from "./failures.js";
import { idleLimit, limitedClient, requestLimits, type TimeLimits } from "./time-limits.js";
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

/** After this long without an answer the network or the server must be to blame, in milliseconds. */
const silenceMs = 6_000;

/** A connection that is silent for so long is asked for a sign of life by the system, in milliseconds. */
const keepAliveMs = 10_000;

/** Opens a pool of connections. Nothing is connected yet. */
export function openPool(address: PostgresAddress): Knex {
  return open(address, poolSize, { ...requestLimits, ...address.limits }, silenceMs);
}

/** A single connection, for work that takes its time: waiting for another server, or changing a large table. */
export function openPatiently(address: PostgresAddress): Knex {
  return open(address, 1, { ...idleLimit, ...address.limits });
}

function open(
  { connectMs = defaultConnectMs, limits: _own, ...address }: PostgresAddress,
  max: number,
  limits: TimeLimits,
  silence?: number,
): Knex {
  const patienceMs = Math.max(acquireMs, connectMs + spareMs);
  const connection = {
    ...address,
    pipeline: true,
    ...(silence === undefined ? {} : { query_timeout: silence }),
    application_name: "kalends",
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    connectionTimeoutMillis: connectMs,
  };
  return knex({
    client: limitedClient(failoverClient(), limits, silence === undefined ? undefined : patienceMs),
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
  /** pg reads the password file too, and warns that it will not for ever. */
  async #readPassword(): Promise<void> {
    if (this.password) return;
    const found = await new Promise<string | undefined>((resolve) => pgpass(this, resolve));
    if (found !== undefined) this.password = found;
  }

  override async connect(): Promise<pg.Client> {
    await this.#readPassword();
    try {
      return await super.connect();
    } catch (error) {
      void this.end();
      throw error;
    }
  }
}

/**
 * Returns Knex's client, made to give up connections that only a new one can replace: one that PostgreSQL ended or that fell silent, and, after
 * a failover, every connection to the old server, which lives on and refuses writes. A class for each pool, since Knex makes objects of it
 * that share nothing else.
 */
function failoverClient(): typeof PostgresClient {
  let generation = 0;
  const generations = new WeakMap<Connection, number>();
  const lost = new WeakMap<Connection, unknown>();
  return class FailoverPostgresClient extends PostgresClient {
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
      return Promise.resolve(!lost.has(connection) && generations.get(connection) === generation);
    }

    // oxlint-disable no-underscore-dangle -- Knex's own name
    override async _query(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      // Such as the ROLLBACK after a failure: the transaction has ended with its connection.
      if (lost.has(connection)) throw lost.get(connection);
      try {
        return await super._query(connection, query);
      } catch (thrown) {
        const error = withCode(thrown);
        if (isLostConnection(error)) lost.set(connection, error);
        const isFirst = query.options?.query_timeout !== undefined; // a full pooler is silent too
        if (isWrongServer(error) && !isFirst && generations.get(connection) === generation) generation++;
        throw error;
      }
    }
    // oxlint-enable no-underscore-dangle
  };
}
