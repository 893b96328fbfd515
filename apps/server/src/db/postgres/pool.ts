import knex, { type Knex } from "knex";
import PostgresClient, {
  type Connection,
  type QueryRequest,
  type QueryResult,
} from "knex/lib/dialects/postgres/index.js";
import pg from "pg";
import pgpass from "pgpass";
import { isLostConnection, isWrongServer, withCode } from "./failures.js";
import { ends, idleLimit, limitedClient, requestLimits, type TimeLimits } from "./time-limits.js";
import type { PostgresAddress } from "./tls.js";

// All integers fit a number: ids end at 2^53-1 (rulings R4.1).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Connections of one process, and how long a request waits for one of them, in milliseconds. */
export const poolSize = 10;
const acquireMs = 2_000;

/** Time limit to connect without one in the URL, how much earlier than its waiters that fails, and the limit to close. */
const defaultConnectMs = 1_500;
const spareMs = 500;
const destroyMs = 1_000;

/** After this time without an answer the connection counts as lost, in milliseconds. */
const silenceMs = 6_000;

/** Idle time before the first TCP keep-alive, in milliseconds. */
const keepAliveMs = 10_000;

export function openPool(address: PostgresAddress): Knex {
  return open(address, poolSize, { ...requestLimits, ...address.limits }, silenceMs);
}

/** Opens a single connection for long work: waiting for another server, or changing a large table. */
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
 * pg keeps a connection that it failed to make. Without a password it would stay open for the minute that PostgreSQL waits for
 * one, and a process that cannot start would not end before.
 */
class Client extends pg.Client {
  /** pg reads the password file too, but warns that this is deprecated. */
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

/** Statements that are sent at once take one write to the socket: with one each, these took a third of the CPU of a create. */
function writeTogether({ connection: { stream } }: Connection): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/**
 * Returns Knex's client, extended to discard lost connections: those that PostgreSQL ended or that fell silent, and, after a
 * failover, every connection to the old server, which refuses writes. Each pool has its own class, since Knex creates the
 * instances and passes them nothing else.
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

    /** A silent server never closes its side, and this process would wait for it. */
    override async destroyRawConnection(connection: Connection): Promise<void> {
      const timer = setTimeout(() => connection.connection.stream.destroy(), destroyMs);
      await super.destroyRawConnection(connection).finally(() => clearTimeout(timer));
    }

    override validateConnection(connection: Connection): Promise<boolean> {
      return Promise.resolve(!lost.has(connection) && generations.get(connection) === generation);
    }

    // oxlint-disable no-underscore-dangle -- Knex's own name
    override async _query(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      // For example the ROLLBACK after a failure: the transaction has ended with its connection.
      if (lost.has(connection)) throw lost.get(connection);
      writeTogether(connection);
      try {
        return await super._query(connection, query);
      } catch (thrown) {
        const error = withCode(thrown);
        // After an end that failed, the next transaction would be a part of this one.
        if (isLostConnection(error) || ends.test(query.sql)) lost.set(connection, error);
        const isFirst = query.options?.query_timeout !== undefined; // a full pooler is silent too
        if (isWrongServer(error) && !isFirst && generations.get(connection) === generation) generation++;
        throw error;
      }
    }
    // oxlint-enable no-underscore-dangle
  };
}
