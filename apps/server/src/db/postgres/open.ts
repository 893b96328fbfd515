import type { Database, Reader } from "../database.js";
import { Limiter, listWork, coalesce } from "../limiter.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { dialect, queryOn } from "./statements.js";
import { requireWritable } from "./health.js";
import { tryWrite } from "../properties.js";
import { type OnQuery, timedQuery, watchKnex } from "../query-times.js";
import { reserveIds } from "../transaction.js";
import { openExclusive } from "./exclusive.js";
import { openPool, poolSize } from "./pool.js";
import { postgresAddress } from "./tls.js";
import { mostTransactions, openTransactions, withRetries } from "./transaction.js";
import type { Query } from "../query.js";

/** Opens a pool on a `postgres:` URL, without connecting. @throws Error when its TLS parameters are invalid */
export function openPostgres(url: string, observer?: DatabaseObserver, onQuery?: OnQuery): Database {
  const address = postgresAddress(url);
  const pool = openPool(address);
  observePool(observer, "primary", pool);
  watchKnex(pool, onQuery);
  const query = timedQuery(onQuery, queryOn(pool));
  const lookUp = timedQuery(onQuery, queryOn(pool, true));
  const exclusive = openExclusive(address, query);
  // Some connections stay free for look-ups and writes, and some list connections for other accounts.
  const lists = new Limiter({ ...listWork, ofOne: 3, ofAll: poolSize - mostTransactions });
  const reader: Reader = {
    read: pool,
    query,
    dialect,
    snapshot: (work) =>
      withRetries(() => pool.transaction(work, { isolationLevel: "repeatable read", readOnly: true })),
  };
  return {
    ...reader,
    list: (owner, work) => lists.run(owner, () => work(reader)),
    lookUp,
    transaction: openTransactions(pool, observer, onQuery),
    reserve: (table, count) => reserveIds({ query, dialect }, table, count),
    ...exclusive,
    changeCounter: () => undefined,
    readChangeCounter: openChangeCounter(lookUp),
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

/**
 * The visible transactions: the text changes when one that has written commits. The timeline is included, so that a promoted
 * standby without the last commits never repeats the text of a state that it lacks.
 */
const snapshotSql = `select pg_current_snapshot()::text || ' ' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as counter`;

/** Returns a function that reads the change counter by a query, which concurrent callers share. */
function openChangeCounter(query: Query): () => Promise<string | undefined> {
  return coalesce(async () => {
    const [row] = await query<{ readonly counter: string }>(snapshotSql, []);
    return row?.counter;
  });
}
