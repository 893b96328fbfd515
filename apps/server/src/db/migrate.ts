import type { Database, Db } from "./open-database.js";
import { type Migration, migrations } from "./migrations/all.js";

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
