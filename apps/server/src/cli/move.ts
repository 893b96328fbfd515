import { type Database, openDatabase } from "../db/open-database.js";
import { isInUse } from "../db/in-use.js";
import { sqlitePath } from "../db/url.js";
import {
  compare,
  type Compared,
  countRows,
  DifferenceError,
  isDifferent,
  migrateData,
  requireCurrent,
} from "../move/migrate-data.js";
import { isUnfinished } from "../move/target.js";
import { requireThere, table } from "./database.js";
import { type ProgressDisplay, showProgress } from "./terminal.js";

/** Options of the command `move`; `from` and `to` are database URLs. */
export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  /** Compares the two databases and changes neither. */
  readonly check?: boolean;
  readonly json?: boolean;
}

/**
 * Migrates all data from one database to another, or compares the two, and prints each table's row count and checksum.
 * @throws Error when the source does not exist or another process has it open, when both are the same, and when they differ at the end
 */
export async function runMove({ from, to, check = false, json = false }: MoveOptions): Promise<void> {
  if (from === to) throw new Error("--from and --to name the same database.");
  if (!check) await requireReady(from); // before the target's file is created
  const source = await openExisting(from);
  try {
    const target = check ? await openExisting(to) : await openDatabase(to);
    try {
      const copy = () =>
        copyData(source, target).catch((error: unknown) => failWithTarget(error, target, to));
      const report = check ? await compareBoth(source, target) : await copy();
      console.log(json ? JSON.stringify(report.json) : report.text);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** @throws Error when the source lacks migrations, and when another process has it open: what that writes might not be copied */
async function requireReady(from: string): Promise<void> {
  const source = await openExisting(from);
  try {
    await requireCurrent(source);
  } finally {
    await source.close();
  }
  if (await isInUse(from))
    throw new Error(
      "Nothing was copied: a server or another command has the source open. Stop it, then try again.",
    );
}

/** @throws Error that also says what to do about a target with a part of the rows */
async function failWithTarget(error: unknown, { read }: Database, to: string): Promise<never> {
  if (!(error instanceof Error) || !(await isUnfinished(read).catch(() => false))) throw error;
  const file = sqlitePath(to);
  const empty =
    file === undefined ? "run drop schema public cascade; create schema public in it" : `delete ${file}`;
  throw new Error(
    `${error.message}\nThe target is not complete, and no server starts on it. Run the same command again to continue; or, to empty the target, ${empty}.`,
    { cause: error },
  );
}

async function copyData(source: Database, target: Database) {
  console.error("No server may run on the source: what it writes from now on may not be copied.");
  const now = Math.floor(Date.now() / 1000);
  const started = performance.now();
  const compared = await withProgress(2 * (await countRows(source)), (progress) =>
    migrateData(source, target, now, progress),
  );
  const rows = compared.reduce((sum, { to }) => sum + to.rows, 0);
  const seconds = Math.max(0.001, (performance.now() - started) / 1000);
  const perSecond = Math.round(rows / seconds);
  return {
    json: { tables: compared, rows, seconds: Math.round(seconds), equal: true },
    text: `${sumsOf(compared)}\n\nCopied ${rows} rows in ${seconds.toFixed(1)} s (${perSecond} rows/s). Both databases are equal.`,
  };
}

async function compareBoth(source: Database, target: Database) {
  const rows = (await countRows(source)) + (await countRows(target));
  const compared = await withProgress(rows, (progress) => compare(source, target, progress));
  return {
    json: { tables: compared, equal: true },
    text: `${sumsOf(compared)}\n\nBoth databases are equal.`,
  };
}

async function withProgress<T>(total: number, work: (progress: ProgressDisplay["add"]) => Promise<T>) {
  const display = showProgress(total);
  try {
    return await work(display.add);
  } catch (error) {
    if (!(error instanceof DifferenceError)) throw error;
    const differing = error.compared.filter(isDifferent).map((compared) => compared.table);
    throw new Error(`${sumsOf(error.compared)}\n\nNot equal: ${differing.join(", ")}. ${error.message}`, {
      cause: error,
    });
  } finally {
    display.end();
  }
}

/** Returns two lines for each table, source above target, so that equal checksums align. */
function sumsOf(compared: readonly Compared[]): string {
  const line = (title: string, side: string, { rows, lastId, checksum }: Compared["from"]) => [
    title,
    side,
    rows,
    lastId || "",
    checksum.slice(0, 32),
  ];
  return table([
    ["table", "side", "rows", "last id", "SHA-256"],
    ...compared.flatMap(({ table: name, from, to }) => [line(name, "from", from), line("", "to", to)]),
  ]);
}

/** Opens a database that exists. @throws Error when the SQLite file does not exist; opening would create it. */
async function openExisting(url: string): Promise<Database> {
  const file = sqlitePath(url);
  if (file !== undefined) requireThere(file, `The database ${file} does not exist.`);
  return openDatabase(url);
}
