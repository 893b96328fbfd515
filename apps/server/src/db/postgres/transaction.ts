import type { QueryResponse } from "knex/lib/dialects/postgres/index.js";
import type { Db } from "../database.js";
import type { Query } from "../query.js";
import { onConnection, plain, runPrepared } from "./statements.js";

/**
 * Runs `work` in a transaction of prepared statements on a pool whose connections pipeline: BEGIN is sent together with the
 * first statement, and statements that do not wait for each other are sent together. Rolls back when `work` throws.
 */
export function inPipelinedTransaction<T>(pool: Db, work: (query: Query) => Promise<T>): Promise<T> {
  return onConnection(pool, async (run) => {
    const begun = run(plain("BEGIN"));
    begun.catch(() => undefined); // it is awaited below
    try {
      const result = await work((sql, values) => runPrepared(run, sql, values));
      await begun;
      requireCommit(await run(plain("COMMIT")));
      return result;
    } catch (error) {
      // A connection that was lost has ended its transaction; any other failure to roll back discards it.
      await run(plain("ROLLBACK")).catch(() => undefined);
      await begun; // where BEGIN failed, that is why the statement sent with it did
      throw error;
    }
  });
}

/** PostgreSQL answers the COMMIT of a transaction in which something failed without an error: it has rolled back. */
function requireCommit({ command }: QueryResponse): void {
  if (command !== "COMMIT") throw new Error(`the transaction was not committed: ${command}`);
}
