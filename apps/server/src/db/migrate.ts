import type { Database, Db } from "./open-database.js";
import type { Dialect } from "./query.js";
import { createSchema } from "./schema.js";

export interface Migration {
  readonly name: string;
  readonly up: (trx: Db, dialect: Pick<Dialect, "name">) => Promise<void>;
}

/** Every migration, in order. A released one is never edited. */
export const migrations: readonly Migration[] = [{ name: "0001_schema", up: createSchema }];

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
    return applyMigrations(trx, database.dialect, now, known);
  });
}

/** Applies the missing migrations in an exclusive transaction. Returns their names. */
export async function applyMigrations(
  trx: Db,
  dialect: Dialect,
  now: number,
  known: readonly Migration[] = migrations,
): Promise<readonly string[]> {
  await trx.raw("create table if not exists migrations (name text primary key, applied_at bigint not null)");
  const pending = await pendingMigrations(trx, known);
  for (const { name, up } of pending) {
    await up(trx, dialect);
    await trx("migrations").insert({ name, applied_at: now });
  }
  return pending.map(({ name }) => name);
}

export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  if (!(await db.schema.hasTable("migrations"))) return [];
  return db<{ name: string }>("migrations").orderBy("name").pluck("name");
}

/** Returns the missing migrations. @throws Error when the database has one that this version does not know */
export async function pendingMigrations(
  db: Db,
  known: readonly Migration[] = migrations,
): Promise<readonly Migration[]> {
  const applied = await appliedMigrations(db);
  const unknown = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `The database has migrations of a newer version (${unknown.join(", ")}): start that version instead.`,
    );
  }
  return known.filter(({ name }) => !applied.includes(name));
}
