import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { PreparedQuery, Primary } from "../database.js";
import { mayBeRunAgain } from "./failures.js";
import { openPatiently, openPool } from "./pool.js";
import { askingOn } from "./statements.js";
import { postgresAddress } from "./tls.js";

/** Opens a pool on a `postgres:` URL. Nothing is connected yet. @throws Error when what it says of TLS cannot be followed. */
export function openPostgres(url: string): Primary {
  const address = postgresAddress(url);
  const pool = openPool(address);
  return {
    read: pool,
    transaction: (work) => withRetries(() => pool.transaction(work)),
    write: (work) =>
      withRetries(() =>
        pool.transaction(async (trx) => {
          const { ask } = askingOn(trx);
          const last: (readonly [sql: string, value: string])[] = [];
          const result = await work({ ask, atCommit: (...statement) => void last.push(statement) }, {});
          for (const [sql, value] of last) await ask(sql, [value]);
          return result;
        }),
      ),
    writers: 2,
    words: { items: "json_array_elements", lock: "for no key update" },
    exclusively: async (work) => {
      const patient = openPatiently(address);
      try {
        return await patient.transaction(async (trx) => {
          await trx.raw("select pg_advisory_xact_lock(?)", [exclusiveLock]);
          return work(trx);
        });
      } finally {
        await patient.destroy();
      }
    },
    snapshot: (work) =>
      withRetries(() => pool.transaction(work, { isolationLevel: "repeatable read", readOnly: true })),
    ...askingOn(pool),
    prepare: <Row>(sql: string): PreparedQuery<Row> => {
      const text = sql.replaceAll(/\$\d+/g, "?"); // Knex numbers the places itself
      const { ask } = askingOn(pool);
      return (...values) => ask<Row>(text, values);
    },
    commitStamp: () => undefined,
    accessStamp: () => undefined,
    ping: async () => {
      await pool.raw("select 1");
    },
    close: () => pool.destroy(),
  };
}

/** Number of the advisory lock, "kalends" in telephone letters. */
const exclusiveLock = 5_253_637;

const mostTries = 3;

/** How long a transaction that others were in the way of waits before it is run again, in milliseconds. */
const leastPauseMs = 10;
const mostPauseMs = 80;

/**
 * Runs a transaction again, from its start, when PostgreSQL rolled it back. Never when its connection was lost: then it may
 * have been committed.
 */
async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (tries === mostTries || !mayBeRunAgain(error)) throw error;
      await setTimeout(randomInt(leastPauseMs, mostPauseMs + 1)); // not in step with the other
    }
  }
}
