import { existsSync, statSync } from "node:fs";
import { join, resolve as absolute } from "node:path";
import { pathToFileURL } from "node:url";
import sqlite3 from "sqlite3";
import { codeOf } from "../error-code.js";

// Work on the file of a database as a whole, outside the pools of a server.

export interface Contents {
  readonly accounts: number;
  readonly calendars: number;
  readonly events: number;
  readonly subscribers: number;
}

export interface Inspection {
  readonly contents: Contents;
  /** Names of the applied migrations. */
  readonly migrations: readonly string[];
}

type Access = "read-only" | "writable";

const modes = { "read-only": sqlite3.OPEN_READONLY, writable: sqlite3.OPEN_READWRITE } as const;

/**
 * Copies a snapshot of a database into an empty or new file, despite concurrent writes. A copy of the files themselves would be
 * torn (sqlite.org/howtocorrupt.html, 1.2).
 */
export async function copySqlite(path: string, target: string, access: Access = "writable"): Promise<void> {
  requireNoFolder(path);
  await withConnection(path, modes[access], (connection) => connection.all("VACUUM INTO ?", target));
}

export interface Tables {
  /** Name of any table. */
  readonly first: string | undefined;
  readonly areOurs: boolean;
}

/**
 * Reads the names of the tables. "immutable" reads the file alone: it takes no lock and makes no other file, but does not see
 * what the write-ahead log has. @throws Error of SQLite
 */
export async function readTables(path: string, mode: "immutable" | "shared"): Promise<Tables> {
  const uri = `${pathToFileURL(absolute(path)).href}${mode === "immutable" ? "?immutable=1" : ""}`;
  return withConnection(uri, sqlite3.OPEN_READONLY | sqlite3.OPEN_URI, async ({ all }) => {
    const [table] = await all("select name from sqlite_schema where type = 'table' limit 1");
    // Other programs may have a table of this name, with other columns.
    const ours = await all(
      "select 1 from pragma_table_info('migrations') where name in ('name', 'applied_at')",
    );
    return { first: table && String(table.name), areOurs: ours.length === 2 };
  });
}

/**
 * Refuses the database of another program and leaves it as it is: opening it would turn WAL on, and migrations would add tables.
 * Lets pass what cannot be read, since opening it says why.
 * @throws Error which names the file
 */
export async function requireOwnFile(path: string): Promise<void> {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const log = `${absolute(path)}-wal`;
  const hadLog = existsSync(log);
  let found = await readTables(path, "immutable").catch(() => undefined);
  if (found === undefined || found.areOurs) return;
  // With a log the file alone may be older or half of a checkpoint. Where there is shared memory, reading makes no file.
  if ((hadLog || existsSync(log)) && existsSync(`${absolute(path)}-shm`))
    found = await readTables(path, "shared").catch(() => undefined);
  if (found === undefined || found.areOurs || found.first === undefined) return;
  throw new Error(
    `The file ${path} is the database of another program: it has the table ${found.first}, and none of Kalends. It was not changed: name another file.`,
  );
}

/**
 * Reads a file from end to end: its pages, its references, and whether the counters of its calendars are what its rows say.
 * @throws Error telling what is wrong with it.
 */
export async function inspectSqlite(path: string, access: Access = "read-only"): Promise<Inspection> {
  requireNoFolder(path);
  try {
    return await withConnection(path, modes[access], inspect);
  } catch (error) {
    // Without the code of the cause, whose advice would be about the database of the settings.
    throw new Error(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

async function inspect({ all }: Connection): Promise<Inspection> {
  const [pages] = await all("PRAGMA integrity_check(1)");
  if (pages?.integrity_check !== "ok") throw new Error(`it is damaged: ${String(pages?.integrity_check)}`);
  const migrations = (await all("select name from migrations order by name")).map(({ name }) => String(name));
  const [broken] = await all("PRAGMA foreign_key_check");
  if (broken !== undefined) throw new Error(`its ${String(broken.table)} refer to what is not there`);
  const [miscounted] = await all(miscountedCalendars);
  if (miscounted !== undefined)
    throw new Error(`calendar ${String(miscounted.id)} counts otherwise than its rows`);
  const [counts] = await all(countOfRows);
  const count = (name: keyof Contents): number => Number(counts?.[name]);
  return {
    contents: {
      accounts: count("accounts"),
      calendars: count("calendars"),
      events: count("events"),
      subscribers: count("subscribers"),
    },
    migrations,
  };
}

/**
 * Takes a database for itself, all of it in its one file, until the returned function is called. Undefined when another
 * connection has it open: in WAL mode each one holds a lock as long as it lives, so that no other one can end that mode.
 * @throws Error of SQLite when the file is no database or damaged.
 */
export async function holdSqlite(path: string): Promise<(() => Promise<void>) | undefined> {
  requireNoFolder(path);
  const connection = await connect(path, sqlite3.OPEN_READWRITE);
  try {
    await connection.all("PRAGMA locking_mode = exclusive");
    await connection.all("PRAGMA journal_mode = delete");
    await connection.all("BEGIN EXCLUSIVE");
    return connection.close;
  } catch (error) {
    await connection.close();
    if (codeOf(error) === "SQLITE_BUSY") return undefined;
    throw error;
  }
}

const countOfRows = `select
  (select count(*) from accounts) as accounts,
  (select count(*) from calendars where deleted_at is null) as calendars,
  (select count(*) from published_events) as events,
  (select count(*) from subscribers) as subscribers`;

/** Rows of a deleted calendar that are yet to be purged are no longer counted. */
const miscountedCalendars = `select c.id from calendars c
  left join (select calendar_id, count(*) as total from published_events group by calendar_id) e on e.calendar_id = c.id
  left join (
    select calendar_id, count(*) as total, sum(active = 1 and blocked = 0) as active, sum(active = 0) as inactive,
      sum(blocked = 1) as blocked
    from subscribers group by calendar_id
  ) s on s.calendar_id = c.id
  where c.deleted_at is null and (
    c.events_total <> coalesce(e.total, 0) or c.followers_total <> coalesce(s.total, 0)
    or c.followers_active <> coalesce(s.active, 0) or c.followers_inactive <> coalesce(s.inactive, 0)
    or c.followers_blocked <> coalesce(s.blocked, 0)
  ) limit 1`;

interface Connection {
  readonly all: (sql: string, ...values: readonly string[]) => Promise<readonly Row[]>;
  readonly close: () => Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;

async function withConnection<T>(path: string, mode: number, work: (connection: Connection) => Promise<T>) {
  const connection = await connect(path, mode);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** @throws Error when the path is that of a folder: SQLite would say that it cannot be opened */
export function requireNoFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Error(`${path} is a folder: name a file in it, such as ${join(path, "kalends.sqlite")}.`);
}

function connect(path: string, mode: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, mode, (failure) => {
      if (failure !== null) return reject(failure);
      return resolve({
        all: (sql, ...values) =>
          new Promise((done, fail) => {
            database.all<Row>(sql, values, (error, rows) => (error === null ? done(rows) : fail(error)));
          }),
        close: () =>
          new Promise((done, fail) => {
            database.close((error) => (error === null ? done() : fail(error)));
          }),
      });
    });
  });
}
