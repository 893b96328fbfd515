import type { Knex } from "knex";
import type { Database, Db } from "./connect.js";
import { up as initial } from "./migrations/0001_initial.js";
import { up as following } from "./migrations/0002_following.js";
import { up as lists } from "./migrations/0003_lists.js";
import { up as listItems } from "./migrations/0004_list_items.js";
import { up as longEvents } from "./migrations/0005_long_events.js";
import { up as paletteChanges } from "./migrations/0006_palette_changes.js";
import { up as accountStates } from "./migrations/0007_account_states.js";
import { up as safeWrites } from "./migrations/0008_safe_writes.js";
import { up as webhooks } from "./migrations/0009_webhooks.js";
import { up as series } from "./migrations/0010_series.js";
import { up as imports } from "./migrations/0011_imports.js";
import { up as categories } from "./migrations/0012_categories.js";
import { up as stagedImports } from "./migrations/0013_staged_imports.js";
import { up as setAside } from "./migrations/0014_set_aside.js";
import { up as storedBytes } from "./migrations/0015_stored_bytes.js";
import { up as privateEvents } from "./migrations/0016_private_events.js";
import { up as timesOfEvents } from "./migrations/0017_times_of_events.js";
import { up as beginnings } from "./migrations/0018_beginnings.js";

interface Migration {
  readonly name: string;
  readonly up: (db: Knex) => Promise<void>;
}

/** Every migration, in order. A merged one is never edited. */
export const migrations: readonly Migration[] = [
  { name: "0001_initial", up: initial },
  { name: "0002_following", up: following },
  { name: "0003_lists", up: lists },
  { name: "0004_list_items", up: listItems },
  { name: "0005_long_events", up: longEvents },
  { name: "0006_palette_changes", up: paletteChanges },
  { name: "0007_account_states", up: accountStates },
  { name: "0008_safe_writes", up: safeWrites },
  { name: "0009_webhooks", up: webhooks },
  { name: "0010_series", up: series },
  { name: "0011_imports", up: imports },
  { name: "0012_categories", up: categories },
  { name: "0013_staged_imports", up: stagedImports },
  { name: "0014_set_aside", up: setAside },
  { name: "0015_stored_bytes", up: storedBytes },
  { name: "0016_private_events", up: privateEvents },
  { name: "0017_times_of_events", up: timesOfEvents },
  { name: "0018_beginnings", up: beginnings },
];

/**
 * Brings the schema up to date, all in one transaction: a crash in the middle leaves the old schema, and a second server
 * waits for the first. Returns the names that were applied.
 * @param begun is called when the wait is over
 * @throws Error when the database has migrations that this version does not know.
 */
export async function migrate(
  database: Database,
  now: number,
  begun?: () => void,
): Promise<readonly string[]> {
  if ((await pendingMigrations(database.read)).length === 0) return [];
  return database.exclusively(async (trx) => {
    begun?.();
    await trx.raw(
      "create table if not exists migrations (name text primary key, applied_at bigint not null)",
    );
    const pending = await pendingMigrations(trx);
    for (const { name, up } of pending) {
      await up(trx);
      await trx("migrations").insert({ name, applied_at: now });
    }
    return pending.map(({ name }) => name);
  });
}

/** Stands among the migrations of a database that a move has not filled yet, so that no server starts on it. */
export const unfinishedMove = "unfinished_move";

/**
 * The migrations that this database still lacks.
 * @throws Error when it has one that this version does not know
 */
export async function pendingMigrations(db: Db): Promise<readonly Migration[]> {
  if (!(await db.schema.hasTable("migrations"))) return migrations;
  const rows = await db<{ name: string; applied_at: number }>("migrations").select("name");
  const applied = new Set(rows.map(({ name }) => name));
  if (applied.has(unfinishedMove)) {
    throw new Error(
      'A move into this database is not finished: run "kalends move" again with the same arguments, or give another database.',
    );
  }
  const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `The database has migrations of a newer version (${unknown.join(", ")}): start that version instead.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}
