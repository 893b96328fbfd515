import { statSync } from "node:fs";
import type { Command } from "commander";
import { codeOf } from "../db/error-code.js";
import { type Database, openDatabase } from "../db/open-database.js";
import { migrate, migrations, pendingMigrations } from "../db/migrate.js";
import { sqlitePath } from "../db/url.js";
import { sayingIfItWaits } from "../db/waiting.js";
import { applySettings } from "../process/apply-settings.js";
import { readConfig } from "../settings/config.js";
import { printable, prints } from "./output.js";

/**
 * Opens and migrates the database of DATABASE_URL, runs a command on it, and closes the database. `now` is in Unix seconds.
 * @throws Error when there is no data yet, unless the command may create the database
 */
export async function withDatabase<Result>(
  work: (db: Database, now: number, applied: readonly string[]) => Promise<Result>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<Result> {
  const now = Math.floor(Date.now() / 1000);
  const config = readConfig();
  const { DATABASE_URL: url } = config;
  applySettings(config);
  if (!mayCreate) requireFile(url);
  const say = (what: string): void => console.error(`${printable(what)} …`);
  const db = await sayingIfItWaits(say, () => openDatabase(url));
  try {
    if (!mayCreate) await requireSchema(db);
    const applied = await sayingIfItWaits(say, (begun) => migrate(db, now, begun), db.blocker);
    return await work(db, now, applied);
  } finally {
    await db.close();
  }
}

/** Lets a command do its work on the database and print the result; `given` are its arguments and its options. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- commander gives any; each command says what
export function reports<Given extends readonly unknown[]>(
  of: Command,
  work: (db: Database, now: number, ...given: Given) => Promise<unknown>,
  options: { readonly mayCreate?: boolean } = {},
): void {
  prints(of, (...given: Given) => withDatabase((db, now) => work(db, now, ...given), options));
}

/** @throws Error when the file of a SQLite URL does not exist: opening it would create it */
export function requireFile(url: string): void {
  const path = sqlitePath(url);
  if (path === undefined) return;
  requireThere(
    path,
    `The database ${path} does not exist: set DATABASE_URL, or give --env-file FILE, as for the server. The first start of the server creates it.`,
  );
}

/** @throws Error with the message `missing` when there is no such file or folder; another Error when access is denied */
export function requireThere(path: string, missing: string): void {
  try {
    statSync(path);
  } catch (error) {
    const hidden = `This user may not search a folder on the way to ${path}: change the mode of the folder, or run the command as the user of the service.`;
    throw new Error(codeOf(error) === "EACCES" ? hidden : missing, { cause: error });
  }
}

async function requireSchema(db: Database): Promise<void> {
  const pending = await pendingMigrations(db.read);
  if (pending.length < migrations.length) return;
  throw new Error(
    'The database of DATABASE_URL has no data of Kalends: check the setting, or run "kalends migrate" first.',
  );
}
