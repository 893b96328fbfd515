import { randomInt } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Database, Db } from "../database.js";
import type { Query } from "../query.js";
import { Limiter } from "../limiter.js";
import type { DatabaseObserver } from "../observer.js";
import { type OnQuery, timed } from "../query-times.js";
import { callAfterCommit, type OnBehalf, type Transaction, transactionOn } from "../transaction.js";
import { dialect, queryOn } from "./statements.js";
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

async function runTransaction<T>(
  pool: Db,
  work: (trx: Transaction) => Promise<T>,
  { by }: OnBehalf,
  onQuery: OnQuery | undefined,
): Promise<T> {
  let after: () => void = () => undefined;
  const result = await pool.transaction(async (knex) => {
    // PostgreSQL answers the COMMIT of a failed transaction without an error, although it has rolled back.
    let failure: { readonly error: unknown } | undefined;
    const note = (error: unknown) => (failure ??= { error });
    knex.on("query-error", note);
    const run = queryOn(knex);
    const query: Query = async (sql, values) => {
      try {
        return await timed(onQuery, sql, () => run(sql, values));
      } catch (error) {
        note(error);
        throw error;
      }
    };
    const trx = transactionOn(knex, { query, dialect, by });
    after = () => callAfterCommit(trx);
    try {
      const made = await work(trx);
      if (failure === undefined) return made;
    } catch (error) {
      if (!isAborted(error)) throw error; // of two statements sent at once, the error of the second can arrive first
    }
    throw failure?.error;
  });
  after();
  return result;
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
      if (tries === mostTries || !mayBeRunAgain(error)) throw error;
      await setTimeout(randomInt(leastPauseMs, mostPauseMs + 1)); // at random, so that two transactions do not collide again
    }
  }
}
