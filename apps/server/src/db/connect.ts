import type { Database, StorageFailure } from "./database.js";
import { openPostgres, postgresFailure } from "./postgres.js";
import { openSqlite, sqliteFailure } from "./sqlite.js";

export type { Database, Db, PreparedQuery } from "./database.js";

/**
 * Opens the database of a `sqlite:` or `postgres:` URL and asks it something. The file of SQLite and its folder are made when
 * they are not there.
 * @throws Error when the database cannot be opened, or does not take the settings it must run with.
 */
export async function openDatabase(url: string): Promise<Database> {
  const database = url.startsWith("sqlite:")
    ? openSqlite(url.replace(/^sqlite:(?:\/\/)?/, ""))
    : openPostgres(url);
  try {
    await database.transaction((trx) => trx.raw("select 1")); // the writer first: it creates the file and turns WAL on
    await database.ping();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** What a storage failure means to a caller; undefined for anything else. */
export function storageFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "KnexTimeoutError") return "overloaded";
  return sqliteFailure(error) ?? postgresFailure(error);
}
