import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { openDatabase } from "../db/connect.js";
import { migrate, migrations } from "../db/migrate.js";
import { type Contents, copySqlite, holdSqlite, inspectSqlite } from "../db/sqlite/file.js";
import type { Report } from "./database.js";

/**
 * Copies the database into a new file, also while servers write. The file has its name only once the copy was read through
 * and is on the disk; only its owner may read it.
 * @throws Error when there is no database, when the file is there already, and on PostgreSQL, whose own tool does it.
 */
export async function backup(url: string, file: string): Promise<Report> {
  const path = pathOf(url, `pg_dump --format=custom --no-owner --file=${quoted(file)} "$DATABASE_URL"`);
  if (!existsSync(path)) throw new Error(`There is no database at ${path}: check DATABASE_URL.`);
  if (existsSync(file))
    throw new Error(`${file} is there already, and is not written over: choose another name.`);
  const part = `${file}.${randomBytes(4).toString("hex")}.part`;
  writeFileSync(part, "", { flag: "wx", mode: 0o600 });
  try {
    await copySqlite(path, part);
    const { contents } = await inspectSqlite(part);
    const bytes = statSync(part).size;
    flush(part);
    renameSync(part, file);
    flush(dirname(file));
    return { json: { file, bytes, ...contents }, text: `${file}, ${bytes} bytes: ${listed(contents)}.` };
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/**
 * Puts a copy of a backup in the place of the database, which is kept beside it under another name.
 * @throws Error when the backup is damaged or of a newer version, when somebody has the database open, and on PostgreSQL.
 */
export async function restore(url: string, file: string, now: number): Promise<Report> {
  const path = pathOf(
    url,
    `pg_restore --clean --if-exists --no-owner --single-transaction --dbname="$DATABASE_URL" ${quoted(file)}\n` +
      `psql "$DATABASE_URL" --command=${quoted(pastFeeds(String(now)))}`,
  );
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const found = await inspectSqlite(file);
  const unknown = found.migrations.filter((name) => migrations.every((known) => known.name !== name));
  if (unknown.length > 0)
    throw new Error(`${file} is of a newer version (${unknown.join(", ")}): restore it with that version.`);

  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = existsSync(path) ? await hold(path) : undefined;
  const part = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    await prepare(file, part, now);
    const { uid, gid } = statSync(existsSync(path) ? path : dirname(path));
    chownSync(part, uid, gid); // whoever restores, the server's user has it
    flush(part);
    const kept = existsSync(path) ? putAside(path, now) : undefined;
    renameSync(part, path);
    flush(dirname(path));
    const { contents } = found;
    const aside = kept === undefined ? "" : `\nWhat was there before is ${kept}.`;
    return {
      json: { database: path, ...(kept === undefined ? {} : { kept }), ...contents },
      text: `${path} is restored from ${file}: ${listed(contents)}.${aside}`,
    };
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${part}${suffix}`, { force: true });
    throw error;
  } finally {
    await release?.();
  }
}

/** Where a SQLite database is. @throws Error with the command lines that do the same on PostgreSQL. */
function pathOf(url: string, lines: string): string {
  if (url.startsWith("sqlite:")) return url.replace(/^sqlite:(?:\/\/)?/, "");
  throw new Error(`Nothing was done: PostgreSQL has its own tools for this.\n\n${lines}\n`);
}

/** A database that cannot even be opened is held by nobody that could lose something. */
async function hold(path: string): Promise<() => Promise<void>> {
  const release = await holdSqlite(path).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && /^SQLITE_(?:NOTADB|CORRUPT)$/.test(String(error.code)))
      return () => Promise.resolve();
    throw error;
  });
  if (release === undefined)
    throw new Error(`Nothing was done: a server or another command has ${path} open. Stop it first.`);
  return release;
}

/** A copy of the backup with the tables of this version. */
async function prepare(file: string, part: string, now: number): Promise<void> {
  copyFileSync(file, part, constants.COPYFILE_EXCL);
  chmodSync(part, 0o600);
  const db = await openDatabase(`sqlite:${part}`);
  try {
    await migrate(db, now);
    await db.transaction((trx) => trx.raw(pastFeeds(String(now))));
  } finally {
    await db.close();
  }
}

/**
 * Apps remember the version of a feed that they have, and get none anew under the same number: what was lost since the backup
 * had numbers too, so all go past those.
 */
function pastFeeds(now: string): string {
  return `update calendars set feed_version = feed_version + 1000000, feed_modified_at = ${now}`;
}

/** The database is never missing: its second name comes before the first one is given to another file. */
function putAside(path: string, now: number): string {
  const time = new Date(now * 1000).toISOString().replace(/[-:]|\.000/g, "");
  const kept = `${path}.before-${time}`;
  linkSync(path, kept);
  // Only beside a database that could not be opened.
  if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${kept}-wal`);
  rmSync(`${path}-shm`, { force: true });
  return kept;
}

/** Waits until a file, or the names in a folder, are on the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, "r");
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function listed({ accounts, calendars, events, subscribers }: Contents): string {
  return `${accounts} accounts, ${calendars} calendars, ${events} events, ${subscribers} subscribers`;
}

/** A word for a shell. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
