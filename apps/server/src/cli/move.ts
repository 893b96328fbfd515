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
import { requireThere } from "./database.js";
import { progressLines } from "./output.js";

/** Options of the command `move`; `from` and `to` are database URLs. */
export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  /** Compares the two databases and changes neither. */
  readonly check?: boolean;
}

/**
 * Migrates all data from one database to another, or compares the two, and returns each table's row count and checksum.
 * @throws Error when the source does not exist or another process has it open, when both are the same, and when they differ at the end
 */
export async function runMove({ from, to, check = false }: MoveOptions): Promise<object> {
  if (from === to) throw new Error("--from and --to name the same database.");
  if (!check) await requireReady(from); // before the target's file is created
  const source = await openExisting(from);
  try {
    const target = check ? await openExisting(to) : await openDatabase(to);
    try {
      const copy = () =>
        copyData(source, target).catch((error: unknown) => failWithTarget(error, target, to));
      return check ? await compareBoth(source, target) : await copy();
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
  const progress = progressLines(2 * (await countRows(source)));
  const compared = await namingDifferences(migrateData(source, target, now, progress));
  const rows = compared.reduce((sum, { to }) => sum + to.rows, 0);
  const seconds = Math.round((performance.now() - started) / 1000);
  return { tables: compared, rows, seconds, equal: true };
}

async function compareBoth(source: Database, target: Database) {
  const rows = (await countRows(source)) + (await countRows(target));
  const tables = await namingDifferences(compare(source, target, progressLines(rows)));
  return { tables, equal: true };
}

/** @throws Error that names the tables that differ, with their rows and checksums */
async function namingDifferences(work: Promise<readonly Compared[]>): Promise<readonly Compared[]> {
  return work.catch((error: unknown) => {
    if (!(error instanceof DifferenceError)) throw error;
    const differing = error.compared.filter(isDifferent);
    const names = differing.map(({ table }) => table).join(", ");
    const sums = differing.map((compared) => JSON.stringify(compared)).join("\n");
    throw new Error(`${sums}\n\nNot equal: ${names}. ${error.message}`, { cause: error });
  });
}

/** Opens a database that exists. @throws Error when the SQLite file does not exist; opening would create it. */
async function openExisting(url: string): Promise<Database> {
  const file = sqlitePath(url);
  if (file !== undefined) requireThere(file, `The database ${file} does not exist.`);
  return openDatabase(url);
}
