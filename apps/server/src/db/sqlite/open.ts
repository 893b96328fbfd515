import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import knex, { type Knex } from "knex";
import SqliteClient from "knex/lib/dialects/sqlite3/index.js";
import type { Primary, StorageFailure } from "../database.js";
import { prepareOn, type SqliteConnection } from "./statements.js";
import { openSqliteWriter } from "./writer.js";
import { openCommitStamp } from "./change-counter.js";

/**
 * Knex begins with a plain BEGIN, which takes the write lock only at the first write: a transaction that reads first then
 * fails at once with SQLITE_BUSY, without waiting for busy_timeout. BEGIN IMMEDIATE takes the lock first.
 */
class ImmediateSqliteClient extends SqliteClient {
  override transaction(container: unknown, config: unknown, outer: unknown) {
    const transaction = super.transaction(container, config, outer);
    transaction.begin = (connection) => transaction.query(connection, "BEGIN IMMEDIATE;");
    return transaction;
  }
}

type Pragmas = Readonly<Record<string, string | number>>;

/** How long a writer waits for another process's write, in milliseconds. */
const busyTimeoutMs = 5_000;

/** What every connection must run with; `synchronous` 2 is FULL: an acknowledged write survives a power cut. */
const shared: Pragmas = {
  journal_mode: "wal",
  synchronous: 2,
  foreign_keys: 1,
  busy_timeout: busyTimeoutMs,
  trusted_schema: 0,
};

/**
 * Each connection works in one of libuv's four threads, so there are no more than those: a writer, two readers that are held
 * for prepared statements, and one for everything else.
 */
const readers = 3;

/** Opens the file with one writing and at most three reading connections. Their pragmas are read back and asserted. */
export function openSqlite(path: string): Primary {
  const { read, write } = openPools(path);
  // Two connections, so that a look-up never waits for a long list.
  const [prepared, lists] = [prepareOn(read), prepareOn(read)];
  const stamp = openCommitStamp(path);
  const writer = openSqliteWriter(write, () => stamp.read());
  return {
    read,
    transaction: (work) => write.transaction(work),
    write: writer.write,
    writers: 1,
    words: { items: "json_each", lock: "" },
    exclusively: (work) => withPatience(write, work),
    snapshot: (work) => read.transaction(work),
    prepare: (sql) => prepared.prepare(sql),
    ask: (sql, values) => lists.ask(sql, values),
    // As a BLOB: the sqlite3 package makes a Buffer of it in half the time that a string takes.
    joined: (expression) => `cast(group_concat(${expression}, ',') as blob)`,
    jsonObject: (fields) =>
      `json_object(${Object.entries(fields)
        .map(([name, value]) => `'${name}', ${value}`)
        .join(", ")})`,
    commitStamp: () => stamp.read(),
    accessStamp: writer.accessStamp,
    ping: async () => {
      await read.raw("select 1");
    },
    close: async () => {
      await write.raw("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => undefined); // a reader may hold it: the WAL stays
      await Promise.all([prepared.close(), lists.close(), writer.close()]);
      await Promise.all([read.destroy(), write.destroy()]);
      stamp.close();
    },
  };
}

/** Runs `work` in a write transaction once no other process writes, such as one that migrates for minutes. */
async function withPatience<T>(write: Knex, work: (trx: Knex) => Promise<T>): Promise<T> {
  for (;;) {
    const progress = { hasBegun: false };
    try {
      return await write.transaction(async (trx) => {
        if (trx.isCompleted()) throw new Error("not begun"); // Knex calls this even so; the caller gets the failure of BEGIN
        progress.hasBegun = true;
        return work(trx);
      });
    } catch (error) {
      const isBusy = error instanceof Error && sqliteFailure(error) === "overloaded";
      if (progress.hasBegun || !isBusy) throw error; // else the next try waits for busy_timeout again
    }
  }
}

/** What a failure of SQLite means to a caller; undefined for anything else. */
export function sqliteFailure(error: Error): StorageFailure | undefined {
  switch ("code" in error ? error.code : undefined) {
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

function openPools(path: string): { readonly read: Knex; readonly write: Knex } {
  // Resolved, since in a working directory that was removed meanwhile Node would try for ever.
  mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o700 });
  const open = (client: typeof SqliteClient, max: number, pragmas: Pragmas): Knex =>
    knex({
      client,
      connection: { filename: path },
      useNullAsDefault: true,
      acquireConnectionTimeout: busyTimeoutMs,
      pool: {
        min: 1,
        max,
        afterCreate: (
          connection: SqliteConnection,
          done: (error: Error | null, connection: SqliteConnection) => void,
        ) => {
          applyPragmas(connection, pragmas).then(
            () => done(null, connection),
            (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), connection),
          );
        },
      },
    });
  return {
    write: open(ImmediateSqliteClient, 1, { ...shared, query_only: 0 }),
    read: open(SqliteClient, readers, { ...shared, query_only: 1 }),
  };
}

async function applyPragmas(connection: SqliteConnection, pragmas: Pragmas): Promise<void> {
  // busy_timeout first: changing the journal mode may have to wait for another connection.
  await all(connection, `PRAGMA busy_timeout = ${busyTimeoutMs}`);
  for (const [name, wanted] of Object.entries(pragmas)) {
    await all(connection, `PRAGMA ${name} = ${wanted}`);
    const [row] = await all(connection, `PRAGMA ${name}`);
    const [found] = Object.values(row ?? {});
    if (found !== wanted)
      throw new Error(`SQLite did not take PRAGMA ${name} = ${wanted}: it is ${String(found)}`);
  }
}

function all(connection: SqliteConnection, sql: string): Promise<readonly Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    connection.all(sql, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
}
