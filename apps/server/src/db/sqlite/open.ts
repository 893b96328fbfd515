import type { Database, Reader } from "../database.js";
import { Limiter, listWork } from "../limiter.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { openChangeCounter } from "./change-counter.js";
import { dialect, queryOn } from "./statements.js";
import { withCause } from "./failures.js";
import { listConnections, openPools, prepareFile } from "./pool.js";
import { openWriter } from "./transaction.js";
import { tryWrite } from "../properties.js";
import { type OnQuery, timedQuery, watchKnex } from "../query-times.js";
import { reserveIds } from "../transaction.js";

/** Opens the file, which is created when it does not exist. */
export function openSqlite(path: string, observer?: DatabaseObserver, onQuery?: OnQuery): Database {
  prepareFile(path);
  const { read, write, lookups } = openPools(path);
  watchKnex(read, onQuery);
  const counter = openChangeCounter(path);
  const writer = openWriter(write, observer, onQuery);
  for (const [name, pool] of Object.entries({ writer: write, readers: read, lookups }))
    observePool(observer, name, pool);
  const listLimiter = new Limiter({ ...listWork, ofOne: 1, ofAll: listConnections });
  const query = timedQuery(onQuery, queryOn(read));
  const reader: Reader = { read, query, dialect, snapshot: (work) => read.transaction(work) };
  return {
    ...reader,
    list: (owner, work) => listLimiter.run(owner, () => work(reader)),
    lookUp: timedQuery(onQuery, queryOn(lookups)),
    transaction: writer.transaction,
    reserve: (table, count) => writer.transaction((trx) => reserveIds(trx, table, count)),
    exclusively: (work) => withNamedCause(writer.exclusively(work), path),
    changeCounter: () => counter.read(),
    readChangeCounter: () => Promise.resolve(counter.read()),
    ping: async () => {
      await read("calendars").select("id").first();
      await writer.transaction(tryWrite);
    },
    close: async () => {
      await writer.close();
      // Pools close one after the other: the last connection removes the WAL, and of two that close at once neither does.
      for (const pool of [lookups, read, write]) await pool.destroy();
      counter.close();
    },
  };
}

async function withNamedCause<T>(work: Promise<T>, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw withCause(error, path);
  }
}
