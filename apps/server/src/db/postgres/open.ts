import type { Database, Reader } from "../database.js";
import { Limiter, listWork } from "../limiter.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { openChangeCounter } from "./change-counter.js";
import { dialect } from "./dialect.js";
import { requireWritable } from "./health.js";
import { tryWrite } from "../properties.js";
import { type OnQuery, timedQuery, watchKnex } from "../query-times.js";
import { reserveIds } from "../transaction.js";
import { openExclusive } from "./exclusive.js";
import { openPool, poolSize } from "./pool.js";
import { queryOn } from "./statements.js";
import { postgresAddress } from "./tls.js";
import { mostTransactions, openTransactions, withRetries } from "./transaction.js";

/** Opens a pool on a `postgres:` URL. Nothing is connected yet. @throws Error when what it says of TLS cannot be followed. */
export function openPostgres(url: string, observer?: DatabaseObserver, onQuery?: OnQuery): Database {
  const address = postgresAddress(url);
  const pool = openPool(address);
  observePool(observer, "primary", pool);
  watchKnex(pool, onQuery);
  const query = timedQuery(onQuery, queryOn(pool));
  const lookUp = timedQuery(onQuery, queryOn(pool, true));
  const exclusive = openExclusive(address, query);
  // Some connections of the pool stay free for look-ups and writes, and some of those for lists for other accounts.
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
