import type { Database, Db } from "./database.js";
import { codeOf } from "./error-code.js";
import { applyMigrations, pendingMigrations } from "./migrate.js";
import { postgresMessage } from "./postgres/advice.js";
import type { Dialect } from "./query.js";

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

/** Rows in one statement, below the limits of both databases. */
const batchSize = 100;

/**
 * Queries of each database's catalog. Tables come in the order of creation, so each follows the tables that it references. Those of
 * extensions of PostgreSQL, such as PostGIS, are not ours (db/postgres/foreign.ts).
 */
const catalogs = {
  sqlite: {
    tables: `select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by rowid`,
    key: "select name from pragma_table_info(?) where pk > 0 order by pk",
    lastIds: "select name, seq from sqlite_sequence where seq > 0",
  },
  postgres: {
    tables: `select relname as name from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace and not exists
        (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
      order by oid`,
    key: `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
      where indisprimary and indrelid = to_regclass(?) order by array_position(indkey::int2[], attnum)`,
    lastIds: `select left(sequencename, -length('_id_seq')) as name, last_value as seq from pg_sequences
      where schemaname = current_schema() and last_value is not null`,
  },
} as const;

/**
 * Copies all rows of a database into an empty one, in one transaction there: until it ends, the target stays empty. No one
 * writes to the source meanwhile. Returns how many rows were copied.
 * @param begun is called with each table and its count of rows before it is copied
 * @throws Error when the source lacks migrations, when the target is not empty, and when the counts differ at the end
 */
export async function copyDatabase(
  from: Database,
  to: Database,
  now: number,
  begun: (table: string, rows: number) => void,
): Promise<number> {
  await requireCurrent(from);
  await requireEmpty(to.read, to.dialect);
  return from.exclusively((source) =>
    to.exclusively(async (target) => {
      await lockTables(source, from.dialect);
      await applyMigrations(target, to.dialect, now);
      const copied = await copyTables({ source, target }, to.dialect, begun);
      await setLastIds(target, to.dialect, await rowsOf(source, catalogs[from.dialect.name].lastIds));
      return copied;
    }),
  );
}

/** @throws Error when the source lacks migrations */
export async function requireCurrent({ read }: Database): Promise<void> {
  const pending = await pendingMigrations(read);
  if (pending.length > 0)
    throw new Error(
      `The source lacks the migrations ${pending.map(({ name }) => name).join(", ")}: run "kalends migrate" on it first.`,
    );
}

export async function tableNames(db: Db, { name }: Pick<Dialect, "name">): Promise<readonly string[]> {
  return (await rowsOf<{ name: string }>(db, catalogs[name].tables)).map((table) => table.name);
}

async function requireEmpty(db: Db, dialect: Dialect): Promise<void> {
  const [first] = await tableNames(db, dialect);
  if (first !== undefined)
    throw new Error(`The target is not empty: it has the table ${first}. Use an empty database.`);
}

/** On SQLite the transaction itself blocks other writers. */
async function lockTables(db: Db, dialect: Dialect): Promise<void> {
  if (dialect.name === "sqlite") return;
  await db.raw("set local idle_in_transaction_session_timeout = 0");
  await db.raw(`lock table ${(await tableNames(db, dialect)).join(", ")} in share mode`);
}

interface Copied {
  readonly source: Db;
  readonly target: Db;
}

/** Triggers of PostgreSQL would update one row of event_counts for each event, which gets slower with each update. */
async function copyTables(
  { source, target }: Copied,
  dialect: Dialect,
  begun: (table: string, rows: number) => void,
): Promise<number> {
  const isPostgres = dialect.name === "postgres";
  if (isPostgres) await target.raw("alter table events disable trigger user");
  let copied = 0;
  for (const table of await tableNames(target, dialect)) {
    if (table === "migrations") continue;
    const rows = await countOf(source, table);
    begun(table, rows);
    await copyTable({ source, target }, table, await keyOf(target, table, dialect));
    const arrived = await countOf(target, table);
    if (arrived !== rows)
      throw new Error(`The table ${table} has ${rows} rows in the source and ${arrived} in the copy.`);
    copied += rows;
  }
  if (isPostgres) {
    await target.raw("alter table events enable trigger user");
    await target.raw("analyze"); // the planner has no statistics until autovacuum runs
  }
  return copied;
}

/** Without a key the rows have no order in which batches could follow one another. */
async function keyOf(db: Db, table: string, { name }: Dialect): Promise<readonly string[]> {
  const columns = await rowsOf<{ name: string }>(db, catalogs[name].key, [table]);
  if (columns.length === 0) throw new Error(`The table ${table} has no primary key.`);
  return columns.map((column) => column.name);
}

/** Copies rows in the order of the primary key. Replaces rows that triggers have inserted. */
async function copyTable({ source, target }: Copied, table: string, key: readonly string[]): Promise<void> {
  await target(table).delete();
  let after: readonly Value[] | undefined;
  for (;;) {
    const query = source<Row>(table)
      .orderBy([...key])
      .limit(batchSize);
    if (after !== undefined)
      void query.whereRaw(`(${key.join(", ")}) > (${key.map(() => "?").join(", ")})`, [...after]);
    const rows: readonly Row[] = await query;
    if (rows.length > 0) await target(table).insert(rows).catch(explain(table));
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = key.map((name) => last[name] ?? null);
  }
}

/** Error codes of class 22 are about values: SQLite holds texts with U+0000, for example. Knex sets the long statement first. */
function explain(table: string): (error: Error) => never {
  return (error) => {
    if (!codeOf(error).startsWith("22")) throw error;
    const message = `The table ${table} has a value that the target cannot store: ${postgresMessage(error)}`;
    throw new Error(message, { cause: error });
  };
}

async function countOf(db: Db, table: string): Promise<number> {
  const [row] = await db(table).count({ rows: "*" });
  return Number(row?.rows ?? 0);
}

interface LastId {
  readonly name: string;
  readonly seq: number;
}

/** Makes tables generate ids above these, the last ones, whose rows may be deleted. */
async function setLastIds(db: Db, dialect: Dialect, lastIds: readonly LastId[]): Promise<void> {
  const tables = await tableNames(db, dialect);
  for (const { name, seq } of lastIds) {
    if (!tables.includes(name)) continue; // of another program in the source
    if (dialect.name === "postgres") await db.raw("select setval(?, ?)", [`${name}_id_seq`, seq]);
    else {
      await db("sqlite_sequence").where({ name }).delete();
      await db("sqlite_sequence").insert({ name, seq });
    }
  }
}

async function rowsOf<Found>(db: Db, sql: string, values: readonly string[] = []): Promise<readonly Found[]> {
  const result: readonly Found[] | { readonly rows: readonly Found[] } = await db.raw(sql, [...values]);
  return "rows" in result ? result.rows : result;
}
