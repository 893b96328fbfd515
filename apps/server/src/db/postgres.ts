import knex, { type Knex } from "knex";
import PostgresClient from "knex/lib/dialects/postgres/index.js";
import pg from "pg";
import type { Database, Db, PreparedQuery, StorageFailure } from "./database.js";

// Every integer of ours fits a number: ids end at 2^53-1 (rulings R4.1).
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** How long a request waits for a connection, a statement for its end, and a lock for its holder, in milliseconds. */
const acquireMs = 2_000;
const statementMs = 5_000;
const lockMs = 2_000;
const idleInTransactionMs = 10_000;

/** Connections of one process. */
const poolSize = 10;

/**
 * After a failover the old server may live on and refuse writes, and a server that stops ends its sessions: such a
 * connection is given up, so that the pool makes a new one, to whichever server then answers at that address.
 */
class FailoverPostgresClient extends PostgresClient {
  // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
  override async _query(connection: { __knex__disposed?: unknown }, query: unknown): Promise<unknown> {
    try {
      // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
      return await super._query(connection, query);
    } catch (error) {
      // oxlint-disable-next-line no-param-reassign, no-underscore-dangle -- how Knex is told
      if (isLostConnection(error)) connection.__knex__disposed = error;
      throw error;
    }
  }
}

/** Opens a pool on a `postgres:` URL. Nothing is connected yet. */
export function openPostgres(url: string): Database {
  const pool = openPool(url);
  let statements = 0;
  return {
    read: pool,
    transaction: (work) => withRetries(() => pool.transaction(work)),
    exclusively: (work) =>
      pool.transaction(async (trx) => {
        await trx.raw("set local lock_timeout = 0");
        await trx.raw("set local statement_timeout = 0");
        await trx.raw("select pg_advisory_xact_lock(?)", [exclusiveLock]);
        return work(trx);
      }),
    snapshot: (work) => pool.transaction(work, { isolationLevel: "repeatable read", readOnly: true }),
    prepare: (sql) => prepareOn(pool, `kalends_${++statements}`, sql),
    commitStamp: () => undefined,
    ping: async () => {
      await pool.raw("select 1");
    },
    close: () => pool.destroy(),
  };
}

/** Number of the advisory lock, "kalends" in telephone letters. */
const exclusiveLock = 5_253_637;

/** A transaction that PostgreSQL ended to untangle several may succeed on its own: it is run again, from its start. */
async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === mostTries || !/^(?:40001|40P01)$/.test(codeOf(error) ?? "")) throw error;
    }
  }
}

const mostTries = 3;

/** A named statement: each connection plans it the first time it meets it. */
function prepareOn<Row>(pool: Db, name: string, sql: string): PreparedQuery<Row> {
  const text = sql.replaceAll(/\$\d+/g, "?"); // Knex numbers the places itself
  return async (...values) => {
    const { rows }: { rows: readonly Row[] } = await pool.raw(text, [...values]).options({ name });
    return rows;
  };
}

function openPool(url: string): Knex {
  // In a value of its own, since Knex's types know fewer of pg's settings than pg.
  const connection = {
    connectionString: url,
    application_name: "kalends",
    keepAlive: true,
    connectionTimeoutMillis: acquireMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
  return knex({
    client: FailoverPostgresClient,
    acquireConnectionTimeout: acquireMs,
    pool: { min: 0, max: poolSize },
    connection,
    log: { warn: () => undefined }, // the failure itself reaches the caller, and its log line
  });
}

/** Whether only another connection can answer: the server stops, is gone, or takes no writes any more. */
function isLostConnection(error: unknown): boolean {
  return (
    /^(?:57P0[1-3]|25006|08...|ECONN.*|EPIPE|ETIMEDOUT)$/.test(codeOf(error) ?? "") ||
    endedUnexpectedly(error)
  );
}

/** What a failure of PostgreSQL means to a caller; undefined for anything else. */
export function postgresFailure(error: Error): StorageFailure | undefined {
  const code = codeOf(error) ?? "";
  if (code === "53100") return "storage_full";
  // Too many connections, out of memory; a statement or a lock took too long; a deadlock or a conflict of transactions.
  if (/^(?:53...|57014|55P03|40P01|40001)$/.test(code)) return "overloaded";
  if (
    isLostConnection(error) ||
    /^(?:58...|XX00.|E(?:NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH))$/.test(code)
  ) {
    return "storage_unavailable";
  }
  return undefined;
}

/** pg says these without a code. */
function endedUnexpectedly(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(?:Connection terminated|Client has encountered a connection error|timeout expired|Connection ended)/.test(
      error.message,
    )
  );
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
