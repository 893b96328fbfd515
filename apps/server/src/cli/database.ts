import { statSync } from "node:fs";
import type { Command } from "commander";
import { codeOf } from "../db/error-code.js";
import { type Database, openDatabase } from "../db/open-database.js";
import { migrate, pendingMigrations } from "../db/migrate.js";
import { migrations } from "../db/migrations/all.js";
import { sqlitePath } from "../db/url.js";
import { sayingIfItWaits } from "../db/waiting.js";
import { applySettings } from "../process/apply-settings.js";
import { readConfig } from "../settings/config.js";
import { command, id, type Json } from "./arguments.js";

/** The output of a command: an object for `--json`, text otherwise. */
export interface Report {
  readonly json: object;
  readonly text: string;
}

/**
 * Opens and migrates the database of DATABASE_URL, runs a command on it, prints its report, and closes the database. A
 * command that prints its own output returns `undefined`. `now` is in Unix seconds.
 * @throws Error when there is no data yet, unless the command may create the database
 */
export async function withDatabase(
  work: (
    db: Database,
    now: number,
    context: { readonly applied: readonly string[] },
  ) => Promise<Report | undefined>,
  { json = false, mayCreate = false }: { readonly json?: boolean; readonly mayCreate?: boolean },
): Promise<void> {
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
    const report = await work(db, now, { applied });
    if (report !== undefined) printReport(report, json);
  } finally {
    await db.close();
  }
}

/** Lets a command do its work on the database and print its report; `given` are its arguments and its options. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- commander gives any; each command says what
export function reports<Given extends readonly unknown[]>(
  of: Command,
  work: (db: Database, now: number, ...given: Given) => Promise<Report>,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): void {
  of.option("--json", "print one JSON line").action((...given: Given) =>
    withDatabase((db, now) => work(db, now, ...given), { ...of.opts<Json>(), mayCreate }),
  );
}

/** Adds the command that lists what there is: all, or what belongs to the one that an option names. */
export function addList(
  parent: Command,
  description: string,
  of: "account" | "calendar",
  list: (db: Database, id: number | undefined, now: number) => Promise<Report>,
): void {
  reports(
    command(parent, "list", description).option(`--${of} <id>`, `only those of this ${of}`, id),
    (db, now, options: Readonly<Record<string, number | undefined>>) => list(db, options[of], now),
  );
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

/** @throws Error with the message `missing` when there is no such file or folder; another one when that may not be looked at */
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

/** Runs a command that opens the database, or its file, by itself, and prints its report. `now` is in Unix seconds. */
export async function withUrl(
  work: (url: string, now: number) => Promise<Report>,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const report = await work(readConfig().DATABASE_URL, Math.floor(Date.now() / 1000));
  printReport(report, json);
}

function printReport({ json, text }: Report, asJson: boolean): void {
  console.log(asJson ? printableJson(json) : printableLines(text));
}

/** Returns a text of several lines for a terminal: names of files may hold anything too. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Returns JSON for a terminal. What is escaped stands within strings, where it reads the same. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

/**
 * Returns user text for a terminal: control characters, line separators and those that change the direction of text are
 * written as in JavaScript, such as \u202e, because they could hide or reorder other parts of the output.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\ufeff]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Returns the rows as lines with aligned columns, two blanks apart. Cells are made printable. */
export function table(cells: readonly (readonly (string | number)[])[]): string {
  const rows = cells.map((row) => row.map((cell) => printable(String(cell))));
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats Unix seconds as "YYYY-MM-DD HH:MM" in UTC, and null as "never". */
export function formatTime(seconds: number | null): string {
  return seconds === null ? "never" : new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}
