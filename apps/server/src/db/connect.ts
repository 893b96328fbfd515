import { type Database, type Db, Overloaded, type Primary, type StorageFailure } from "./database.js";
import { openPostgres, postgresFailure } from "./postgres.js";
import { openReplica, type ReplicaOptions } from "./replica.js";
import { openSqlite, sqliteFailure } from "./sqlite.js";

export type { ReplicaOptions } from "./replica.js";
export type { Database, Db, PreparedQuery, Reader } from "./database.js";

/**
 * Opens the database of a `sqlite:` or `postgres:` URL and asks it something. The file of SQLite and its folder are made when
 * they are not there. A replica may be away; then the database answers all reads.
 * @throws Error when the database cannot be opened, or does not take the settings it must run with.
 */
export async function openDatabase(url: string, replica?: ReplicaOptions): Promise<Database> {
  const primary = url.startsWith("sqlite:")
    ? openSqlite(url.replace(/^sqlite:(?:\/\/)?/, ""))
    : openPostgres(url);
  try {
    const ask = (trx: Db): Promise<unknown> => trx.raw("select 1");
    // The writer of a file first: it makes it and turns WAL on. While another server migrates, it waits.
    await (url.startsWith("sqlite:") ? primary.exclusively(ask) : primary.transaction(ask));
    await primary.ping();
  } catch (error) {
    await primary.close();
    throw error;
  }
  return replica === undefined
    ? { ...primary, list: (work) => work(primary) }
    : withReplica(primary, url, replica);
}

function withReplica(primary: Primary, url: string, options: ReplicaOptions): Database {
  const replica = openReplica(primary, url, options);
  return {
    ...primary,
    list: (work) => replica.list(work),
    close: async () => {
      await replica.close();
      await primary.close();
    },
  };
}

/** What a storage failure means to a caller; undefined for anything else. */
export function storageFailure(error: unknown): StorageFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "KnexTimeoutError" || error instanceof Overloaded) return "overloaded";
  return sqliteFailure(error) ?? postgresFailure(error);
}
