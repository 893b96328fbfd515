import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { callbackify } from "node:util";
import knex, { type Knex } from "knex";
import SqliteClient from "knex/lib/dialects/sqlite3/index.js";
import { requireNoFolder } from "./file.js";
import { type SqliteConnection, statementsOf } from "./statements.js";

type Pragmas = Readonly<Record<string, string | number>>;

/** How long a writer waits for another process's write, in milliseconds. */
export const busyTimeoutMs = 5_000;

/**
 * How long each attempt of the writer waits for the lock. SQLite polls less and less often: a longer attempt would miss the
 * moment at which another process releases it.
 */
const writerTryMs = 5;

/** Pragmas of every connection. `synchronous` 2 is FULL: an acknowledged write survives a power cut. */
const shared: Pragmas = {
  journal_mode: "wal",
  synchronous: 2,
  foreign_keys: 1,
  busy_timeout: busyTimeoutMs,
  trusted_schema: 0,
};

/** A cache of 8,000 KiB holds the pages that an import changes: with 2,000, index pages are written again and again. */
const writing: Pragmas = { busy_timeout: writerTryMs, cache_size: -8_000, query_only: 0 };

/** Concurrent lists: one may be a long one, and another account's still runs. */
export const listConnections = 2;

const readers = 2 * listConnections; // each list may need a second connection for a snapshot

/**
 * Creates the folder and a file that only its owner may read: SQLite gives its other files the same mode.
 * @throws Error when the path is a folder, when only its write-ahead log is there, which SQLite would delete, or when the file
 * is read-only: SQLite would open it and refuse writes later
 */
export function prepareFile(path: string): void {
  // Resolved, since Node would retry for ever in a working directory that was removed.
  mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o700 });
  requireNoFolder(path);
  const hasLog = existsSync(`${path}-wal`); // before the file: another process may create both
  if (!existsSync(path)) {
    if (hasLog)
      throw new Error(
        `The database ${path} does not exist, but its log does: move the database back, or move ${path}-wal away too.`,
      );
    closeSync(openSync(path, "a", 0o600));
    return;
  }
  try {
    accessSync(path, constants.W_OK); // passes for root whatever the mode is, and then writes succeed too
  } catch (error) {
    throw new Error(`The database file ${path} is read-only: this user must be able to write to it.`, {
      cause: error,
    });
  }
}

const discarded = new WeakSet<SqliteConnection>();

/** Has the pool close a connection instead of reusing it. */
export function discard(connection: SqliteConnection): void {
  discarded.add(connection);
}

/** Knex's client, which closes a connection with its prepared statements. */
class Client extends SqliteClient {
  override validateConnection(connection: SqliteConnection): Promise<boolean> {
    return Promise.resolve(!discarded.has(connection));
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    await statementsOf(connection)
      .finalize()
      .catch(() => undefined);
    await super.destroyRawConnection(connection);
  }
}

/** Opens the pools: look-ups have their own, so that they never wait for a long list. Asserts the pragmas. */
export function openPools(path: string): Readonly<Record<"write" | "read" | "lookups", Knex>> {
  const open = (max: number, pragmas: Pragmas): Knex =>
    knex({
      client: Client,
      connection: { filename: path },
      useNullAsDefault: true,
      acquireConnectionTimeout: busyTimeoutMs,
      log: { warn: () => undefined }, // Knex logs to stdout; the caller gets the failure
      pool: {
        min: 1,
        max,
        afterCreate: callbackify((connection: SqliteConnection) => applyPragmas(connection, pragmas)),
      },
    });
  return {
    // secure_delete: erased personal data must not stay in the file's free pages (decision 0014).
    write: open(1, { ...shared, ...writing, secure_delete: 1 }),
    read: open(readers, { ...shared, query_only: 1 }),
    lookups: open(1, { ...shared, query_only: 1 }),
  };
}

async function applyPragmas(connection: SqliteConnection, pragmas: Pragmas): Promise<void> {
  // busy_timeout first: changing the journal mode may have to wait for another connection.
  await all(connection, `PRAGMA busy_timeout = ${busyTimeoutMs}`);
  for (const [name, value] of Object.entries(pragmas)) {
    await all(connection, `PRAGMA ${name} = ${value}`);
    const [row] = await all(connection, `PRAGMA ${name}`);
    const [found] = Object.values(row ?? {});
    if (found !== value)
      throw new Error(`SQLite did not take PRAGMA ${name} = ${value}: it is ${String(found)}`);
  }
}

function all(connection: SqliteConnection, sql: string): Promise<readonly Record<string, unknown>[]> {
  return new Promise((resolve, reject) => {
    connection.all(sql, (error, rows) => (error === null ? resolve(rows) : reject(error)));
  });
}
