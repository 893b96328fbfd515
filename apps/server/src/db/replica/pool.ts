import { setTimeout } from "node:timers/promises";
import knex, { type Knex } from "knex";
import type PostgresClient from "knex/lib/dialects/postgres/index.js";
import type { Connection, QueryRequest, QueryResult } from "knex/lib/dialects/postgres/index.js";
import type { Db, Reader } from "../database.js";
import { codeOf } from "../error-code.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { dialect } from "../postgres/dialect.js";
import { keepingLimits } from "../postgres/time-limits.js";
import { queryOn } from "../postgres/statements.js";
import type { PostgresAddress } from "../postgres/tls.js";
import { behindReplica, ofReplica, type WalPosition } from "./wal-position.js";

/** Why a replica cannot be read: the primary answers instead. */
export class ReplicaFailure extends Error {
  override readonly name = "ReplicaFailure";
  /** Stays as it is, while Knex adds the values of the query to the message. */
  readonly reason: string;
  /** What PostgreSQL or the network said; empty when it was neither. */
  readonly code: string;
  constructor(reason: string, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
    this.code = codeOf(cause);
  }
}

/** Connections of one process, and how long a read waits for one of them, in milliseconds. */
const poolSize = 10;
const acquireMs = 250;

/** How long connecting, a statement, and an answer may take, in milliseconds: the primary still has to answer after that. */
const connectMs = 1_000;
const statementMs = 1_000;
const silenceMs = 1_500;

/** The pauses between the questions to a replica that is nearly there, in milliseconds. */
const pausesMs = [1, 1, 2, 4, 8];

export interface ReplicaPool {
  /**
   * Runs `work` on a connection whose server holds all that was written up to the position. What `work` throws of its own is
   * thrown as it is. @throws ReplicaFailure when the replica is not there, fails, or does not get so far in 16 ms
   */
  read<T>(from: WalPosition, work: (on: Reader) => Promise<T>): Promise<T>;
  /** Returns how many bytes it is behind the position. @throws Error when it cannot be reached */
  lag(from: WalPosition): Promise<number>;
  close(): Promise<void>;
}

export function openReplicaPool(address: PostgresAddress, observer?: DatabaseObserver): ReplicaPool {
  const pool = open(address);
  observePool(observer, "replica", pool);
  return {
    read: async (from, work) => {
      const outcome = await pool
        .transaction(async (connection) => {
          await caughtUp(connection, from);
          // Each statement has a snapshot of its own, taken after the answer. A snapshot that was taken before would not do.
          return work(readerOn(connection)).then(
            (value) => ({ value }),
            (error: unknown) => {
              if (error instanceof ReplicaFailure) throw error;
              return { error };
            },
          );
        })
        .catch((error: unknown) => {
          throw error instanceof ReplicaFailure ? error : new ReplicaFailure("cannot be reached", error);
        });
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    },
    lag: async ({ position }) => {
      const { rows }: { rows: readonly { bytes: string }[] } = await pool.raw(behindReplica, [position]);
      return Number(rows[0]?.bytes);
    },
    close: () => pool.destroy(),
  };
}

interface State {
  readonly recovers: boolean;
  readonly follows: boolean;
  readonly holds: boolean;
}

/** Waits for a replica that is nearly there. */
async function caughtUp(connection: Db, { history, position }: WalPosition): Promise<void> {
  for (const pause of [...pausesMs, 0]) {
    const { rows }: { rows: readonly State[] } = await connection
      .raw(ofReplica, [history, position])
      .options({ name: "kalends_replica" });
    const [state] = rows;
    if (state?.recovers !== true) throw new ReplicaFailure("is not a replica");
    if (!state.follows) throw new ReplicaFailure("does not follow the database of DATABASE_URL");
    if (state.holds) return;
    await setTimeout(pause);
  }
  throw new ReplicaFailure("is behind");
}

function readerOn(connection: Db): Reader {
  return {
    read: connection,
    query: queryOn(connection),
    dialect,
    snapshot: async (work) => {
      await connection.raw("start transaction isolation level repeatable read, read only");
      try {
        return await work(connection);
      } finally {
        await connection.raw("end");
      }
    },
  };
}

function open({ pooled, ...address }: PostgresAddress): Knex {
  const limits = { statement_timeout: statementMs };
  const { client, settings } = keepingLimits(pooled, { limits, silenceMs, patienceMs: acquireMs });
  const connection = {
    ...address,
    ...settings,
    application_name: "kalends replica",
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
  };
  return knex({
    client: oneConnectionClient(client),
    acquireConnectionTimeout: acquireMs,
    pool: { min: 0, max: poolSize },
    connection,
    log: { warn: () => undefined },
  });
}

/**
 * Knex keeps to one connection only within a transaction. This client leaves the statements of those away, so that its
 * transactions are nothing but that. A connection on which something failed is not used again.
 */
function oneConnectionClient(base: typeof PostgresClient): typeof PostgresClient {
  return class OneConnectionClient extends base {
    // oxlint-disable no-underscore-dangle, no-param-reassign -- Knex's own names
    override async _query(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      if (/^(?:BEGIN|COMMIT|ROLLBACK);?$/.test(query.sql)) return { ...query, response: nothing };
      try {
        return await super._query(connection, query);
      } catch (error) {
        connection.__knex__disposed = error;
        throw new ReplicaFailure("failed", error);
      }
    }
    // oxlint-enable no-underscore-dangle, no-param-reassign
  };
}

const nothing = { command: "", rows: [] };
