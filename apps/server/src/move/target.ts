import { isPostgres, query, tableNames, tablesOf, type Table, triggersOf } from "./catalog.js";
import type { Database, Db } from "../db/connect.js";
import { migrate, migrations, unfinishedMove } from "../db/migrate.js";

/** Holds, until a move is done, the statements that make the target's triggers again. */
const state = "unfinished_move";

/** Tables that are not moved: each database has its own. */
const kept: ReadonlySet<string> = new Set(["migrations", state]);

/** The tables of an installation, parents first. */
export async function movedTables(db: Db): Promise<readonly Table[]> {
  return (await tablesOf(db)).filter(({ name }) => !kept.has(name));
}

/**
 * Makes a database the target of a move: with the schema of today, no rows, no triggers, and a mark that keeps servers away.
 * Returns whether it is that already, from a move that was interrupted.
 * @throws Error when it holds anything else
 */
export async function prepareTarget(to: Database, now: number): Promise<"new" | "interrupted"> {
  const applied = await appliedMigrations(to.read);
  if (applied.includes(unfinishedMove)) {
    if (applied.length !== migrations.length + 1)
      throw new Error("Another version began the move into this database: give an empty one instead.");
    return "interrupted";
  }
  await requireEmpty(to.read);
  await migrate(to, now);
  await to.exclusively(async (trx) => {
    const triggers = await triggersOf(trx);
    for (const table of (await movedTables(trx)).toReversed()) await trx.raw(`delete from "${table.name}"`);
    await trx.raw(`create table ${state} (name text primary key, sql text not null)`);
    for (const { name, table, sql } of triggers) {
      await trx(state).insert({ name, sql });
      await trx.raw(`drop trigger "${name}"${isPostgres(trx) ? ` on "${table}"` : ""}`);
    }
    await trx("migrations").insert({ name: unfinishedMove, applied_at: now });
  });
  return "new";
}

async function appliedMigrations(db: Db): Promise<readonly string[]> {
  if (!(await db.schema.hasTable("migrations"))) return [];
  return (await query<{ name: string }>(db, "select name from migrations")).map(({ name }) => name);
}

async function requireEmpty(db: Db): Promise<void> {
  const names = await tableNames(db);
  const foreign = names.length > 0 && !names.includes("migrations");
  for (const name of names) {
    const rows = name === "migrations" ? [] : await query(db, `select 1 from "${name}" limit 1`);
    if (foreign || rows.length > 0)
      throw new Error(
        `The target is not empty: it has ${rows.length > 0 ? "rows in " : ""}the table ${name}. Give a database that holds nothing.`,
      );
  }
}

/** Deletes what an interrupted move has copied. */
export async function emptyTarget(to: Database, tables: readonly Table[]): Promise<void> {
  await to.exclusively(async (trx) => {
    for (const { name } of tables.toReversed()) await trx.raw(`delete from "${name}"`);
  });
}

/** Makes the triggers again and takes the mark away: a server may start now. */
export async function releaseTarget(to: Database): Promise<void> {
  await to.exclusively(async (trx) => {
    for (const { sql } of await query<{ sql: string }>(trx, `select sql from ${state}`)) await trx.raw(sql);
    await trx.raw(`drop table ${state}`);
    await trx("migrations").where({ name: unfinishedMove }).delete();
    if (isPostgres(trx)) await trx.raw("analyze"); // else its first plans are guesses, until it looks by itself
  });
}
