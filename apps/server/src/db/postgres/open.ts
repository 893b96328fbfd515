import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Database, Reader } from "../database.js";
import { createGroupCommit } from "../group-commit.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { openChangeCounter } from "./change-counter.js";
import { dialect, sharedDialect } from "./dialect.js";
import { mayBeRunAgain } from "./failures.js";
import { requireWritable } from "./health.js";
import { tryWrite } from "../properties.js";
import { openExclusive } from "./exclusive.js";
import { openPool, poolSize } from "./pool.js";
import { queryOn } from "./statements.js";
import { postgresAddress } from "./tls.js";
import { createTurns, transactionsInTurn, waitingLists } from "../turns.js";
import { inPipelinedTransaction } from "./transaction.js";

/** Transactions of requests at a time, beside the groups: each may wait for a lock. */
const mostTransactions = 2;

/** Opens a pool on a `postgres:` URL. Nothing is connected yet. @throws Error when what it says of TLS cannot be followed. */
export function openPostgres(url: string, observer?: DatabaseObserver): Database {
  const address = postgresAddress(url);
  const pool = openPool(address);
  observePool(observer, "primary", pool);
  const query = queryOn(pool);
  const groupTransaction = createGroupCommit({
    inTransaction: (work) => withRetries(() => inPipelinedTransaction(pool, work)),
    dialects: { shared: sharedDialect, patient: dialect },
    observer,
  });
  const exclusive = openExclusive(address, query);
  // Some connections of the pool stay free for look-ups and writes, and some of those for lists for other accounts.
  const listTurns = createTurns({ most: poolSize - 2 - mostTransactions, mostOfOne: 3, ...waitingLists });
  const reader: Reader = {
    read: pool,
    query,
    dialect,
    snapshot: (work) =>
      withRetries(() => pool.transaction(work, { isolationLevel: "repeatable read", readOnly: true })),
  };
  return {
    ...reader,
    list: (owner, work) => listTurns.run(owner, () => work(reader)),
    lookUp: query,
    transaction: transactionsInTurn(mostTransactions, (work) => withRetries(() => pool.transaction(work))),
    groupTransaction,
    staging: groupTransaction,
    ...exclusive,
    changeCounter: () => undefined,
    readChangeCounter: openChangeCounter(query),
    ping: async () => {
      await pool("calendars").select("id").first();
      await pool.transaction(async (trx) => {
        await requireWritable(trx);
        await tryWrite(trx);
      });
    },
    close: () => pool.destroy(),
  };
}

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
