import { isPostgres, query, tableNames, tablesOf, type Table, triggersOf } from "./catalog.js";
import type { Database, Db } from "../db/open-database.js";
import { appliedMigrations, isOld, migrate, unfinishedMove } from "../db/migrate.js";
import { migrations } from "../db/migrations/all.js";
import { refillSearch } from "../events/search-queries.js";
import { copiedOfOld } from "./old.js";

/** Table that stores the target's trigger definitions until the migration ends. */
const triggerTable = "unfinished_move";

/** Tables that are not copied: each database has its own, as it has what is made of other rows; and imports that are not finished. */
const excluded: ReadonlySet<string> = new Set([
  "migrations",
  triggerTable,
  "staged_imports",
  "staged_events",
  "staged_values",
  "event_search",
  "event_search_backlog",
]);

/** Returns the tables to copy, parents first. */
export async function dataTables(db: Db): Promise<readonly Table[]> {
  const tables = (await tablesOf(db)).filter(({ name }) => !excluded.has(name));
  return isOld(await appliedMigrations(db)) ? copiedOfOld(tables) : tables;
}

/**
 * Prepares an empty database as the target: current schema, no rows, no triggers, and a marker that keeps servers from
 * starting on it. Returns "interrupted" when an earlier run already did so.
 * @param now Unix seconds
 * @throws Error when the database is not empty, or when another version prepared it
 */
export async function prepareTarget(to: Database, now: number): Promise<"new" | "interrupted"> {
  const applied = await appliedMigrations(to.read);
  if (applied.includes(unfinishedMove)) {
    if (applied.length !== migrations.length + 1)
      throw new Error("Another version began to copy into this database: use an empty one instead.");
    return "interrupted";
  }
  await requireEmpty(to.read);
  await migrate(to, now);
  await to.exclusively(async (trx) => {
    const triggers = await triggersOf(trx);
    for (const table of (await dataTables(trx)).toReversed()) await trx.raw(`delete from "${table.name}"`);
    await trx.raw(`create table ${triggerTable} (name text primary key, sql text not null)`);
    for (const { name, table, sql } of triggers) {
      await trx(triggerTable).insert({ name, sql });
      await trx.raw(`drop trigger "${name}"${isPostgres(trx) ? ` on "${table}"` : ""}`);
    }
    await trx("migrations").insert({ name: unfinishedMove, applied_at: now });
  });
  return "new";
}

/** Reports whether a copy into the database began and did not end. */
export async function isUnfinished(db: Db): Promise<boolean> {
  return (await appliedMigrations(db)).includes(unfinishedMove);
}

async function requireEmpty(db: Db): Promise<void> {
  const names = await tableNames(db);
  const foreign = names.length > 0 && !names.includes("migrations");
  for (const name of names) {
    const rows = name === "migrations" ? [] : await query(db, `select 1 from "${name}" limit 1`);
    if (foreign || rows.length > 0)
      throw new Error(
        `The target is not empty: it has ${rows.length > 0 ? "rows in " : ""}the table ${name}. Use an empty database.`,
      );
  }
}

/** Deletes the rows that an interrupted run copied. */
export async function emptyTarget(to: Database, tables: readonly Table[]): Promise<void> {
  await to.exclusively(async (trx) => {
    for (const { name } of tables.toReversed()) await trx.raw(`delete from "${name}"`);
  });
}

/** Recreates the triggers and removes the marker, so that servers can start. */
export async function releaseTarget(to: Database): Promise<void> {
  await to.exclusively(async (trx) => {
    for (const { sql } of await query<{ sql: string }>(trx, `select sql from ${triggerTable}`))
      await trx.raw(sql);
    await trx.raw(`drop table ${triggerTable}`);
    await trx("migrations").where({ name: unfinishedMove }).delete();
    await refillSearch(trx);
    if (isPostgres(trx)) await trx.raw("analyze"); // the planner has no statistics until autovacuum runs
  });
}
