import type { Database, Db } from "./open-database.js";
import { up as schema } from "./migrations/0001_schema.js";
import { up as eventSearch } from "./migrations/0002_event_search.js";
import { up as trash } from "./migrations/0003_trash.js";
import { up as seriesIds } from "./migrations/0004_series_ids.js";
import { up as people } from "./migrations/0005_people.js";
import { up as movedEvents } from "./migrations/0006_moved_events.js";
import { up as drafts } from "./migrations/0007_drafts.js";
import { up as history } from "./migrations/0008_history.js";
import { up as passkeys } from "./migrations/0009_passkeys.js";
import { up as calendarDays } from "./migrations/0010_calendar_days.js";
import { up as historyIndex } from "./migrations/0011_history_index.js";
import { up as identities } from "./migrations/0012_identities.js";
import { up as joined } from "./migrations/0013_joined.js";
import { up as forgottenEvents } from "./migrations/0014_forgotten_events.js";
import { up as passkeysThatSync } from "./migrations/0015_passkeys_that_sync.js";
import type { Dialect } from "./query.js";

export interface Migration {
  readonly name: string;
  readonly up: (trx: Db, dialect: Pick<Dialect, "name">) => Promise<void>;
}

/** Every migration, in order. A merged one is never edited. */
export const migrations: readonly Migration[] = [
  { name: "0001_schema", up: schema },
  { name: "0002_event_search", up: eventSearch },
  { name: "0003_trash", up: trash },
  { name: "0004_series_ids", up: seriesIds },
  { name: "0005_people", up: people },
  { name: "0006_moved_events", up: movedEvents },
  { name: "0007_drafts", up: drafts },
  { name: "0008_history", up: history },
  { name: "0009_passkeys", up: passkeys },
  { name: "0010_calendar_days", up: calendarDays },
  { name: "0011_history_index", up: historyIndex },
  { name: "0012_identities", up: identities },
  { name: "0013_joined", up: joined },
  { name: "0014_forgotten_events", up: forgottenEvents },
  { name: "0015_passkeys_that_sync", up: passkeysThatSync },
];

/** The first migration of the builds before the first release. */
const firstOfOld = "0001_initial";

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
  known: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  if ((await pendingMigrations(database.read, known)).length === 0) return [];
  return database.exclusively(async (trx) => {
    begun?.();
    await trx.raw(
      "create table if not exists migrations (name text primary key, applied_at bigint not null)",
    );
    const pending = await pendingMigrations(trx, known);
    for (const { name, up } of pending) {
      await up(trx, database.dialect);
      await trx("migrations").insert({ name, applied_at: now });
    }
    return pending.map(({ name }) => name);
  });
}

/** Stands among the migrations of a database that a move has not filled yet, so that no server starts on it. */
export const unfinishedMove = "unfinished_move";

/** Returns the names of the migrations that a database has. */
export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  if (!(await db.schema.hasTable("migrations"))) return [];
  return db<{ name: string }>("migrations").orderBy("name").pluck("name");
}

/** Reports whether a build from before the first release made a database: "kalends move" takes it as a source. */
export function isOld(applied: readonly string[]): boolean {
  return applied.includes(firstOfOld);
}

/**
 * Returns the migrations that this database still lacks.
 * @throws Error when it has one that this version does not know
 */
export async function pendingMigrations(
  db: Db,
  known: readonly Migration[] = migrations,
): Promise<readonly Migration[]> {
  const applied = await appliedMigrations(db);
  if (applied.includes(unfinishedMove)) {
    throw new Error(
      'A move into this database is not finished: run "kalends move" again with the same arguments, or give another database.',
    );
  }
  if (isOld(applied)) {
    throw new Error(
      'The database was made before the first release: copy it into a new one with "kalends move --from OLD --to NEW", then use that.',
    );
  }
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `The database has migrations of a newer version (${unknown.join(", ")}): start that version instead.`,
    );
  }
  return known.filter(({ name }) => !applied.includes(name));
}
