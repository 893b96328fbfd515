import type { Knex } from "knex";
import { openSqlite } from "./sqlite.js";
import { type PreparedQuery, prepareOn } from "./sqlite-prepared.js";

export type { PreparedQuery };

/** What queries run on: a connection pool or an open transaction. */
export type Db = Knex;

/** An open database. Reads and writes are apart because SQLite takes one writer. */
export interface Database {
  /** For queries that only read. Sees every committed write. */
  readonly read: Db;
  /** Runs `work` in one write transaction; rolls back when it throws. Queries inside must use the given `trx`. */
  transaction<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** Runs queries that only read on one state of the data, whatever is written meanwhile. */
  snapshot<T>(work: (trx: Db) => Promise<T>): Promise<T>;
  /** A short query of the hot path, prepared once. Its answer is as new as that of `read`. */
  prepare<Row>(sql: string): PreparedQuery<Row>;
  /** Resolves when a query succeeds. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the database of a `sqlite:` URL. The file and its folder are made when they are not there.
 * @throws Error when the file cannot be opened or does not take the settings in sqlite.ts.
 */
export async function openDatabase(url: string): Promise<Database> {
  const { read, write } = openSqlite(url.replace(/^sqlite:(?:\/\/)?/, ""));
  const prepared = prepareOn(read);
  const database: Database = {
    read,
    transaction: (work) => write.transaction(work),
    snapshot: (work) => read.transaction(work),
    prepare: (sql) => prepared.prepare(sql),
    ping: async () => {
      await read.raw("select 1");
    },
    close: async () => {
      await write.raw("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined); // a reader may hold it: the WAL stays
      await prepared.close();
      await Promise.all([read.destroy(), write.destroy()]);
    },
  };
  try {
    // The writer first: it creates the file and turns WAL on.
    await write.raw("select 1");
    await database.ping();
  } catch (error) {
    await Promise.all([read.destroy(), write.destroy()]);
    throw error;
  }
  return database;
}

/** What a storage failure means to a caller; undefined for anything else. */
export function storageFailure(
  error: unknown,
): "overloaded" | "storage_unavailable" | "storage_full" | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "KnexTimeoutError") return "overloaded";
  const code = "code" in error ? error.code : undefined;
  switch (code) {
    case "SQLITE_BUSY":
    case "SQLITE_LOCKED":
      return "overloaded";
    case "SQLITE_FULL":
      return "storage_full";
    case "SQLITE_READONLY":
    case "SQLITE_CANTOPEN":
    case "SQLITE_IOERR":
    case "SQLITE_CORRUPT":
    case "SQLITE_NOTADB":
      return "storage_unavailable";
    default:
      return undefined;
  }
}
