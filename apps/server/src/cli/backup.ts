import { randomBytes } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { raiseFeedVersions, raiseFeedVersionsSql } from "../calendars/queries.js";
import { codeOf } from "../db/error-code.js";
import { openDatabase } from "../db/open-database.js";
import { migrate, migrations } from "../db/migrate.js";
import { isDiskFull } from "../db/sqlite/failures.js";
import { copySqlite, holdSqlite, inspectSqlite } from "../db/sqlite/file.js";
import { sqlitePath } from "../db/url.js";
import { requireThere } from "./database.js";

/**
 * Copies the SQLite database into a new file (mode 600), also while servers write. The file gets its name only after the copy
 * was verified and fsynced.
 * @throws Error when the database does not exist, when the file exists, and on PostgreSQL, which has `pg_dump`
 */
export async function backup(url: string, file: string): Promise<object> {
  const path = pathOf(url, `pg_dump --format=custom --no-owner --file=${quoted(file)} "$DATABASE_URL"`);
  requireThere(path, `The database ${path} does not exist: check DATABASE_URL.`);
  const taken = takenName(file);
  if (taken !== undefined)
    throw new Error(`${taken} already exists and was not overwritten: choose another name.`);
  requireThere(dirname(file), `The folder ${dirname(file)} does not exist: create it, then try again.`);
  const part = partOf(file);
  try {
    writeFileSync(part, "", { flag: "wx", mode: 0o600 });
    await copySqlite(path, part);
    const { contents } = await inspectSqlite(part);
    const bytes = statSync(part).size;
    flush(part);
    renameSync(part, file);
    flush(dirname(file));
    return { file: resolve(file), bytes, ...contents };
  } catch (error) {
    removePart(part);
    throw named(error, file);
  }
}

/**
 * Replaces the SQLite database with a copy of a backup. The replaced database is kept in the same folder under another name.
 * @param now Unix seconds
 * @throws Error when the backup is damaged or from a newer version, when another process has the database open, and on
 * PostgreSQL, which has `pg_restore`
 */
export async function restore(url: string, file: string, now: number): Promise<object> {
  const path = pathOf(
    url,
    // Drops the whole schema: pg_restore --clean leaves the tables of a newer release, whose references then stop it.
    `pg_restore --file=/dev/null ${quoted(file)} &&\n` +
      `  psql "$DATABASE_URL" --command='drop schema public cascade; create schema public' &&\n` +
      `  pg_restore --no-owner --single-transaction --dbname="$DATABASE_URL" ${quoted(file)} &&\n` +
      `  psql "$DATABASE_URL" --command=${quoted(raiseFeedVersionsSql(now))}`,
  );
  requireReadable(file);
  const found = await inspectSqlite(file).catch((error: unknown) => {
    throw unopened(error, file);
  });
  requireKnown(file, found.migrations);

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = existsSync(path) ? await hold(path) : undefined;
  const part = partOf(path);
  try {
    await prepare(file, part, now);
    giveTo(statSync(existsSync(path) ? path : dirname(path)), part);
    flush(part);
    const kept = setAside(path, now, release !== undefined);
    renameSync(part, path);
    flush(dirname(path));
    return { database: path, ...(kept === undefined ? {} : { kept }), ...found.contents };
  } catch (error) {
    removePart(part);
    throw named(error, path);
  } finally {
    await release?.();
  }
}

/** Keeps access for the server's user when root restores. This user may not be in the server's group. */
function giveTo({ uid, gid }: { readonly uid: number; readonly gid: number }, part: string): void {
  try {
    chownSync(part, uid, gid);
  } catch (error) {
    if (uid !== process.getuid?.()) throw error;
  }
}

function requireReadable(file: string): void {
  try {
    closeSync(openSync(file, "r"));
  } catch (error) {
    const problem = isForbidden(error)
      ? `This user may not read ${file}: copy it to where it may, or change its owner.`
      : `The file ${file} does not exist.`;
    throw new Error(problem, { cause: error });
  }
}

/** Returns an error that says what to do if a snapshot is on a read-only file system: SQLite reads it with a file of its own. */
function unopened(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || codeOf(error.cause) !== "SQLITE_CANTOPEN") return error;
  const problem = `${file} cannot be opened: SQLite must create ${file}-shm to read it.`;
  return new Error(
    `${problem} Copy it, with its -wal file if there is one, to a folder where this user may write.`,
    { cause: error },
  );
}

/** Returns an error that says what to do if a full disk or a missing right is the cause. */
function named(error: unknown, file: string): unknown {
  if (isDiskFull(error, dirname(file)))
    return new Error(
      `There is no space left for ${file}: nothing was changed. Free some space, then try again.`,
      { cause: error },
    );
  if (isForbidden(error))
    return new Error(`This user may not write to ${dirname(resolve(file))}: nothing was changed.`, {
      cause: error,
    });
  return error;
}

function isForbidden(error: unknown): boolean {
  return /^(?:EACCES|EPERM|EROFS)$/.test(codeOf(error));
}

/** Returns the file of a SQLite URL. @throws Error on PostgreSQL, with the equivalent commands */
function pathOf(url: string, commands: string): string {
  const path = sqlitePath(url);
  if (path !== undefined) return path;
  throw new Error(
    `Nothing was done: on PostgreSQL run its own tools, with the password in PGPASSFILE.\n\n${commands}\n`,
  );
}

/**
 * Locks the database against other processes. Returns a function that releases it; undefined for a file that is no database,
 * which needs no lock.
 */
async function hold(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const release = await holdSqlite(path);
    if (release !== undefined) return release;
  } catch (error) {
    if (/^SQLITE_(?:NOTADB|CORRUPT)$/.test(codeOf(error))) return undefined;
    throw error;
  }
  throw new Error(`Nothing was done: a server or another command has ${path} open. Stop it, then try again.`);
}

/** Writes a copy of the backup to `part`, migrated to this version's schema. */
async function prepare(file: string, part: string, now: number): Promise<void> {
  writeFileSync(part, "", { flag: "wx", mode: 0o600 });
  await copySqlite(file, part, "read-only"); // through SQLite, since the last writes of a snapshot may be in its WAL
  const db = await openDatabase(`sqlite:${resolve(part)}`); // in a URL, "//" at the beginning of a path would be dropped
  try {
    await migrate(db, now);
    await db.transaction((trx) => raiseFeedVersions(trx, now));
  } finally {
    await db.close();
  }
  await requireInOneFile(part);
}

/** @throws Error of SQLite when the WAL cannot be written back to the file, such as on a full disk: closing ignores that */
async function requireInOneFile(part: string): Promise<void> {
  const release = await holdSqlite(part);
  if (release === undefined)
    throw new Error(`Another process has ${part} open: nothing was changed. Try again.`);
  await release();
}

/** @throws Error when a backup was written by a newer version */
function requireKnown(file: string, applied: readonly string[]): void {
  const unknown = applied.filter((name) => migrations.every((known) => known.name !== name));
  if (unknown.length > 0)
    throw new Error(
      `${file} was written by a newer version (${unknown.join(", ")}): restore it with that version.`,
    );
}

/**
 * Links the database to a second name, so that the caller's rename replaces the first name atomically. Moves its logs there, which
 * SQLite would apply to the restored database. Returns the name of the database, or of its first log where there is only that.
 * @param isHeld whether this process has the database open: its logs are then applied, and -journal belongs to that lock
 */
function setAside(path: string, now: number, isHeld: boolean): string | undefined {
  const time = new Date(now * 1000).toISOString().replace(/[-:]|\.000/g, "");
  const first = `${path}.before-${time}`;
  let kept = first;
  for (let number = 2; takenName(kept) !== undefined; number++) kept = `${first}-${number}`; // of a restore in the same second
  const found = (isHeld ? [""] : ["", "-wal", "-journal"]).filter((suffix) => existsSync(`${path}${suffix}`));
  for (const suffix of found) {
    if (suffix === "") linkSync(path, kept);
    else renameSync(`${path}${suffix}`, `${kept}${suffix}`);
  }
  rmSync(`${path}-shm`, { force: true });
  return found.map((suffix) => `${kept}${suffix}`)[0];
}

/** Calls fsync on a file, or on a folder so that renames in it are durable. */
function flush(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Quotes an argument for a POSIX shell where it needs quotes. */
function quoted(argument: string): string {
  return /^[\w./:-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

// Files are written under a temporary name first. A killed process leaves its file behind.

const sidecars = ["", "-wal", "-shm", "-journal"] as const;

/** Returns the first existing file that SQLite would take for a part of the database `file`. */
function takenName(file: string): string | undefined {
  return sidecars.map((suffix) => `${file}${suffix}`).find((name) => existsSync(name));
}

/** A temporary file of another machine or an unknown process may be removed after this time, in ms. */
const abandonedMs = 24 * 60 * 60 * 1000;

const machine = hostname().replaceAll(/[^\w-]/g, "_");

/** Removes temporary files of killed processes in the folder of `file`, and returns a temporary name for `file`. */
function partOf(file: string): string {
  for (const name of readdirSync(dirname(file))) {
    const leftover = join(dirname(file), name);
    if (isLeftover(leftover)) rmSync(leftover, { force: true });
  }
  return `${file}.${machine}-${process.pid}-${randomBytes(4).toString("hex")}.part`;
}

function removePart(part: string): void {
  for (const suffix of sidecars) rmSync(`${part}${suffix}`, { force: true });
}

const partName = /\.(?:([\w-]+)-([0-9]+)-)?[0-9a-f]{8}\.part(?:-wal|-shm|-journal)?$/;

function isLeftover(path: string): boolean {
  const match = partName.exec(basename(path));
  if (match === null) return false;
  const [, owner, pid] = match;
  if (owner === machine) return !isRunning(Number(pid));
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}

/** Reports whether another process has that id. This process has written nothing yet. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
