import type { Knex } from "knex";
import type { Database, Reader } from "../database.js";
import { Limiter, listWork } from "../limiter.js";
import { type DatabaseObserver, observePool } from "../observer.js";
import { openChangeCounter } from "./change-counter.js";
import { dialect } from "./dialect.js";
import { withCause } from "./failures.js";
import { listConnections, openPools, prepareFile } from "./pool.js";
import { type HeldConnection, queryOn, queryOnAny } from "./statements.js";
import { openWriter } from "./transaction.js";
import { tryWrite } from "../properties.js";
import { reserveIds } from "../reserve-ids.js";

/** Opens the file, which is made when there is none. */
export function openSqlite(path: string, observer?: DatabaseObserver): Database {
  prepareFile(path);
  const { read, write } = openPools(path);
  const counter = openChangeCounter(path);
  const writer = openWriter(write, observer);
  const [lookups, lists] = holdConnections(() => queryOn(read));
  observe(observer, { read, write, lookups, lists });
  const listLimiter = new Limiter({ ...listWork, ofOne: 1, ofAll: listConnections });
  const reader: Reader = { read, query: lists.query, dialect, snapshot: (work) => read.transaction(work) };
  return {
    ...reader,
    list: (owner, work) => listLimiter.run(owner, () => work(reader)),
    lookUp: lookups.query,
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
      await Promise.all([lookups.close(), lists.close()]);
      // One after the other: the last connection removes the WAL, and of two that close at once neither is the last.
      await read.destroy();
      await write.destroy();
      counter.close();
    },
  };
}

/** Those for look-ups, which never wait for a long list, and for lists, of which one account takes one at a time. */
function holdConnections(
  hold: () => HeldConnection,
): readonly [lookups: HeldConnection, lists: HeldConnection] {
  return [hold(), queryOnAny(hold(), hold())];
}

interface Connections {
  readonly read: Knex;
  readonly write: Knex;
  readonly lookups: HeldConnection;
  readonly lists: HeldConnection;
}

function observe(observer: DatabaseObserver | undefined, connections: Connections): void {
  const { read, write, lookups, lists } = connections;
  observePool(observer, "writer", write);
  observePool(observer, "readers", read, () => lookups.held() + lists.held());
  observer?.pool("lookups", lookups.load);
  observer?.pool("lists", lists.load);
}

/** For what open-database.ts opens a database with, so this is where opening fails. */
async function withNamedCause<T>(work: Promise<T>, path: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw withCause(error, path);
  }
}
