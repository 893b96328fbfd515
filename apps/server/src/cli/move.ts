import { copyDatabase, requireCurrent } from "../db/copy.js";
import { isInUse, openDatabase } from "../db/open-database.js";
import { sqlitePath } from "../db/url.js";
import { requireThere } from "./database.js";

export interface MoveOptions {
  readonly from: string;
  readonly to: string;
}

/**
 * Copies all data from one database to an empty one.
 * @throws Error when the source does not exist or another process has it open, and when both are the same
 */
export async function runMove({ from, to }: MoveOptions): Promise<object> {
  if (from === to) throw new Error("--from and --to name the same database.");
  const file = sqlitePath(from);
  if (file !== undefined) requireThere(file, `The database ${file} does not exist.`); // opening would create it
  if (await isInUse(from))
    throw new Error(
      "Nothing was copied: a server or another command has the source open. Stop it, then try again.",
    );
  const source = await openDatabase(from);
  try {
    await requireCurrent(source); // before the target's file is created
    const target = await openDatabase(to);
    try {
      console.error("No server may run on the source: what it writes from now on is not copied.");
      const started = performance.now();
      const rows = await copyDatabase(source, target, Math.floor(Date.now() / 1000), (table, count) =>
        console.error(`copying ${table}: ${count} rows`),
      );
      return { rows, seconds: Math.round((performance.now() - started) / 1000) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
