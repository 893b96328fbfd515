import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knex } from "knex";
import pg from "pg";
import { afterAll, inject } from "vitest";
import { type Database, openDatabase } from "../src/db/open-database.js";
import { templateDatabase } from "./postgres.js";
import { applySchema } from "./schema.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server that the tests make their databases on; undefined where they run on SQLite. */
    postgresUrl: string | undefined;
    /** Of the pooler in front of it; undefined where there is none. */
    poolerUrl: string | undefined;
    /** False where the files run whose names say that they touch no data (vitest.config.ts); undefined in other packages. */
    hasData: boolean | undefined;
  }
}

/** A database of its own for a test, empty. */
export interface TestDatabase {
  readonly url: string;
  /** The file of a SQLite database; elsewhere a path that does not exist. */
  readonly file: string;
  remove(): Promise<void>;
}

/** Whether the tests run on PostgreSQL; else on SQLite. */
export const onPostgres = inject("postgresUrl") !== undefined;

/**
 * Makes a database on the server of the tests, or a SQLite file in a temporary folder. "migrated" saves the first
 * start its migrations; else it is empty. On PostgreSQL its time limits are longer than the server's own unless they are "strict".
 */
export async function createTestDatabase(
  content: "empty" | "migrated" = "empty",
  limits: "patient" | "strict" = "patient",
): Promise<TestDatabase> {
  if (inject("hasData") === false)
    throw new Error("Touches data: its name says .pure., which is wrong (vitest.config.ts).");
  const server = inject("postgresUrl");
  const folder = mkdtempSync(join(tmpdir(), "kalends-test-"));
  const file = join(folder, "kalends.sqlite");
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  if (server === undefined) {
    if (content === "migrated") writeFileSync(file, await (template ??= createTemplate()), { mode: 0o600 });
    return { url: `sqlite:${file}`, file, remove: () => Promise.resolve(removeFolder()) };
  }
  const name = `test_${randomBytes(8).toString("hex")}`;
  const source = content === "migrated" ? templateDatabase : "template0";
  await administer(server, `create database ${name} template ${source}`);
  const url = `${inject("poolerUrl") ?? server}/${name}${limits === "strict" ? "" : `?${patient}`}`;
  return {
    url,
    file,
    remove: async () => {
      removeFolder();
      await administer(server, `drop database ${name} with (force)`);
    },
  };
}

/** Opens a migrated database for the tests of a file, which is closed and removed after them. */
export async function testDatabase(): Promise<{ readonly db: Database; readonly url: string }> {
  const { url, remove } = await createTestDatabase("migrated");
  const db = await openDatabase(url);
  afterAll(async () => {
    await db.close();
    await remove();
  });
  return { db, url };
}

/** A migrated SQLite file, made once by each worker. */
let template: Promise<Buffer> | undefined;

async function createTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-template-"));
  try {
    const file = join(folder, "kalends.sqlite");
    await applySchema(`sqlite:${file}`);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Limits that writes which wait for each other do not reach on a busy machine; connect_timeout is in seconds. */
const patient = "connect_timeout=20&lock_timeout=15000&statement_timeout=20000&query_timeout=25000";

/** What the database's own checks find wrong: rows that refer to nothing, pages that are not whole. */
export async function faultsOf({ read }: Database): Promise<readonly unknown[]> {
  if (onPostgres) return []; // it never lets a reference break
  const references: readonly unknown[] = await read.raw("PRAGMA foreign_key_check");
  const pages: readonly { integrity_check: string }[] = await read.raw("PRAGMA integrity_check");
  return [...references, ...pages.filter(({ integrity_check }) => integrity_check !== "ok")];
}

/** How the database reads a query: each index that it searches, in order; "sort" and "scan TABLE" where it has to. */
export async function planOf(
  db: Database,
  sql: string,
  bindings: readonly Knex.RawBinding[],
): Promise<readonly string[]> {
  if (!onPostgres) {
    const { text, values } = knexQuery(sql, bindings);
    const rows: readonly { detail: string }[] = await db.read.raw(`explain query plan ${text}`, values);
    return rows.map(({ detail }) => step(detail, /INDEX (\w+ \(.*\))/, /USE TEMP B-TREE/, /^SCAN (\w+)/));
  }
  return db.snapshot(async (trx) => {
    // With next to no rows it would rather scan the table: the question is what it can do.
    for (const way of ["seqscan", "bitmapscan", "sort"]) await trx.raw(`set local enable_${way} = off`);
    const { text, values } = knexQuery(sql, bindings);
    const { rows }: { rows: readonly Record<"QUERY PLAN", string>[] } = await trx.raw(
      `explain ${text}`,
      values,
    );
    return rows
      .map((row) => row["QUERY PLAN"])
      .filter((line) => /Scan|Sort/.test(line))
      .map((line) =>
        step(line, /Index (?:Only )?Scan (?:Backward )?using (\w+)/, /Sort/, /Seq Scan on (\w+)/),
      );
  });
}

/** A query with `$1`, `$2`, … as Knex takes it: with a `?` for each place. */
function knexQuery(
  sql: string,
  bindings: readonly Knex.RawBinding[],
): { readonly text: string; readonly values: Knex.RawBinding[] } {
  const places = [...sql.matchAll(/\$(\d+)/g)].map(([, place]) => bindings[Number(place) - 1] ?? null);
  if (places.length === 0) return { text: sql, values: [...bindings] };
  return { text: sql.replaceAll(/\$\d+/g, "?"), values: places };
}

/** A search of `index`, such as "events_by_id (calendar_id=?)", as planOf tells it: PostgreSQL names no columns. */
export function searches(index: string): string {
  return onPostgres ? index.replace(/ .*/, "") : index;
}

function step(line: string, index: RegExp, sort: RegExp, scan: RegExp): string {
  const [, name] = index.exec(line) ?? [];
  if (name !== undefined) return name;
  if (sort.test(line)) return "sort";
  const [, table] = scan.exec(line) ?? [];
  return table === undefined ? line : `scan ${table}`;
}

/** One session of each worker. */
let administrator: pg.Pool | undefined;

async function administer(server: string, sql: string): Promise<void> {
  administrator ??= new pg.Pool({ connectionString: `${server}/postgres`, max: 1, allowExitOnIdle: true });
  await administrator.query(sql);
}
