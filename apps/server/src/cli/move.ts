import { existsSync } from "node:fs";
import { type Database, openDatabase } from "../db/connect.js";
import { compare, type Compared, countRows, DifferenceError, isDifferent, move } from "../move/move.js";
import { table } from "./database.js";
import { showProgress } from "./progress.js";

export interface MoveOptions {
  readonly from: string;
  readonly to: string;
  /** Compares the two and changes neither. */
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Copies an installation from one database into another, or compares the two, and prints each table's rows and checksums. */
export async function moveInstallation({
  from,
  to,
  check = false,
  json = false,
}: MoveOptions): Promise<void> {
  if (from === to) throw new Error("--from and --to name the same database.");
  const source = await openExisting(from);
  try {
    const target = check ? await openExisting(to) : await openDatabase(to);
    try {
      const report = check ? await compareBoth(source, target) : await moveAll(source, target);
      console.log(json ? JSON.stringify(report.json) : report.text);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function moveAll(source: Database, target: Database) {
  console.error("Servers must not run on the source: what they write from now on may not be moved.");
  const now = Math.floor(Date.now() / 1000);
  const started = performance.now();
  const compared = await withProgress(2 * (await countRows(source)), (pass) =>
    move(source, target, now, pass),
  );
  const rows = compared.reduce((sum, { to }) => sum + to.rows, 0);
  const seconds = Math.max(0.001, (performance.now() - started) / 1000);
  const perSecond = Math.round(rows / seconds);
  return {
    json: { tables: compared, rows, seconds: Math.round(seconds), equal: true },
    text: `${sumsOf(compared)}\n\nMoved ${rows} rows in ${seconds.toFixed(1)} s, ${perSecond} a second. Both sides are equal.`,
  };
}

async function compareBoth(source: Database, target: Database) {
  const rows = (await countRows(source)) + (await countRows(target));
  const compared = await withProgress(rows, (pass) => compare(source, target, pass));
  return { json: { tables: compared, equal: true }, text: `${sumsOf(compared)}\n\nBoth sides are equal.` };
}

async function withProgress<T>(
  total: number,
  work: (pass: (step: string, table: string, rows: number) => void) => Promise<T>,
): Promise<T> {
  const display = showProgress(total);
  try {
    return await work(display.pass);
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

/** A line for each table and side, since what is to be equal is best read below each other. */
function sumsOf(compared: readonly Compared[]): string {
  return table([
    ["table", "side", "rows", "last id", "SHA-256"],
    ...compared.flatMap(({ table: name, from, to }) =>
      (
        [
          [name, "from", from],
          ["", "to", to],
        ] as const
      ).map(([title, side, { rows, lastId, checksum }]) => [
        title,
        side,
        String(rows),
        lastId === 0 ? "" : String(lastId),
        checksum.slice(0, 32),
      ]),
    ),
  ]);
}

/** @throws Error when SQLite would make the file */
function openExisting(url: string): Promise<Database> {
  const file = url.replace(/^sqlite:(?:\/\/)?/, "");
  if (file !== url && !existsSync(file)) throw new Error(`There is no database ${file}.`);
  return openDatabase(url);
}
