import { lastId, query, setLastId, type Table, isPostgres } from "./catalog.js";
import type { Database, Db } from "../db/open-database.js";
import { appliedMigrations, isOld, pendingMigrations } from "../db/migrate.js";
import { batches, insert, lastKey, startSum, type Sum } from "./rows.js";
import { emptyTarget, dataTables, prepareTarget, releaseTarget } from "./target.js";

/** Identifies the contents of a table. */
export interface TableSum extends Sum {
  /** The highest id ever generated; 0 for a table without generated ids. */
  readonly lastId: number;
}

/** The sums of one table in both databases. */
export interface Compared {
  readonly table: string;
  readonly from: TableSum;
  readonly to: TableSum;
}

/** Called after each batch with the step, the table and the number of rows in the batch. */
export type Progress = (step: "copy" | "check", table: string, rows: number) => void;

/**
 * Migrates all data of an installation into an empty database: every table of the schema, rows unchanged. The source may be of a
 * build from before the first release: then what it lacks is as in a new database (old.ts). Resumes an interrupted run when the copied rows still match the source, otherwise starts over. Returns the sums of each table.
 * @param now Unix seconds
 * @throws Error when the source has pending schema migrations, the target is not empty, or the two differ at the end
 */
export async function migrateData(
  from: Database,
  to: Database,
  now: number,
  progress: Progress,
): Promise<readonly Compared[]> {
  await requireCurrent(from);
  const state = await prepareTarget(to, now);
  const tables = await sharedTables(from, to);
  const counter = from.changeCounter();
  const copied = await snapshot(from, async (source) => {
    if (state === "interrupted" && !(await isPrefix(source, to, tables))) await emptyTarget(to, tables);
    const sums: TableSum[] = [];
    for (const table of tables) sums.push(await copy(source, to, table, progress));
    return sums;
  });
  const written = await sums(to, tables, progress);
  requireEqual(tables, copied, written, "The copy differs from what was read.");
  const unchanged = counter !== undefined && counter === from.changeCounter();
  const current = unchanged ? copied : await sums(from, tables, progress);
  const compared = requireEqual(
    tables,
    current,
    written,
    "The source changed during the copy: stop the servers, then run the command again.",
  );
  await releaseTarget(to);
  return compared;
}

/** @throws Error when the source has pending schema migrations */
export async function requireCurrent({ read }: Database): Promise<void> {
  if (isOld(await appliedMigrations(read))) return;
  const pending = await pendingMigrations(read);
  if (pending.length > 0)
    throw new Error(
      `The source lacks the migrations ${pending.map(({ name }) => name).join(", ")}: run "kalends migrate" on it first.`,
    );
}

/** Computes the sums of all tables in two databases and compares them. @throws DifferenceError when a table differs */
export async function compare(
  from: Database,
  to: Database,
  progress: Progress,
): Promise<readonly Compared[]> {
  const tables = await sharedTables(from, to);
  const [first, second] = [await sums(from, tables, progress), await sums(to, tables, progress)];
  return requireEqual(tables, first, second, "The two databases differ.");
}

/** Returns the number of rows for the progress display: exact on SQLite, the planner's estimate on PostgreSQL. */
export async function countRows(database: Database): Promise<number> {
  const estimate = "select greatest(reltuples, 0)::bigint as count from pg_class where oid = to_regclass(?)";
  let rows = 0;
  for (const { name } of await dataTables(database.read)) {
    const [row] = isPostgres(database.read)
      ? await query<{ count: number }>(database.read, estimate, [`"${name}"`])
      : await query<{ count: number }>(database.read, `select count(*) as count from "${name}"`);
    rows += row?.count ?? 0;
  }
  return rows;
}

/** Runs `work` on a snapshot of the data, without time limits. */
function snapshot<T>(database: Database, work: (trx: Db) => Promise<T>): Promise<T> {
  return database.snapshot(async (trx) => {
    if (isPostgres(trx)) {
      for (const setting of ["statement_timeout", "idle_in_transaction_session_timeout"])
        await trx.raw(`set local ${setting} = 0`);
    }
    return work(trx);
  });
}

/** Reports whether the rows in each target table equal the first rows of the source table. */
async function isPrefix(source: Db, to: Database, tables: readonly Table[]): Promise<boolean> {
  for (const table of tables) {
    const upTo = await lastKey(to.read, table);
    if (upTo === undefined) continue;
    const [ours, theirs] = [startSum(table), startSum(table)];
    for await (const rows of batches(source, table, { upTo })) ours.add(rows);
    for await (const rows of batches(to.read, table)) theirs.add(rows);
    if (ours.now().checksum !== theirs.now().checksum) return false;
  }
  return true;
}

/** Copies the rows that the target lacks, one transaction a batch, and returns the sum of the whole table. */
async function copy(source: Db, to: Database, table: Table, progress: Progress): Promise<TableSum> {
  const sum = startSum(table);
  const upTo = await lastKey(to.read, table);
  if (upTo !== undefined) {
    for await (const rows of batches(source, table, { upTo })) {
      sum.add(rows);
      progress("copy", table.name, rows.length);
    }
  }
  for await (const rows of batches(source, table, { after: upTo })) {
    sum.add(rows);
    await to.transaction((trx) => insert(trx, table, rows));
    progress("copy", table.name, rows.length);
  }
  const last = await lastId(source, table);
  await to.transaction((trx) => setLastId(trx, table, last));
  return { ...sum.now(), lastId: last };
}

function sums(database: Database, tables: readonly Table[], progress: Progress) {
  return snapshot(database, async (trx) => {
    const all: TableSum[] = [];
    for (const table of tables) {
      const sum = startSum(table);
      for await (const rows of batches(trx, table)) {
        sum.add(rows);
        progress("check", table.name, rows.length);
      }
      all.push({ ...sum.now(), lastId: await lastId(trx, table) });
    }
    return all;
  });
}

/** Returns the tables to copy or compare. @throws Error when the two databases have others */
async function sharedTables(from: Database, to: Database): Promise<readonly Table[]> {
  const tables = await dataTables(from.read);
  const shape = (those: readonly Table[]): readonly string[] =>
    those.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} (${column.type})`));
  const [ours, theirs] = [shape(tables), shape(await dataTables(to.read))];
  const lacking = isOld(await appliedMigrations(from.read)) ? [] : theirs;
  const differences = [
    ...ours.filter((column) => !theirs.includes(column)).map((column) => `${column} only in the source`),
    ...lacking.filter((column) => !ours.includes(column)).map((column) => `${column} only in the target`),
  ];
  if (differences.length > 0) throw new Error(`The schemas differ: ${differences.join(", ")}.`);
  return tables;
}

/** Thrown when two databases differ; `compared` has the sums of every table. */
export class DifferenceError extends Error {
  override readonly name = "DifferenceError";
  readonly compared: readonly Compared[];
  constructor(message: string, compared: readonly Compared[]) {
    super(message);
    this.compared = compared;
  }
}

function requireEqual(
  tables: readonly Table[],
  from: readonly TableSum[],
  to: readonly TableSum[],
  message: string,
): readonly Compared[] {
  const none = { rows: 0, checksum: "", lastId: 0 };
  const compared = tables.map(({ name }, index) => ({
    table: name,
    from: from[index] ?? none,
    to: to[index] ?? none,
  }));
  if (compared.some(isDifferent)) throw new DifferenceError(message, compared);
  return compared;
}

/** Reports whether the row counts, checksums or last ids of a table differ. */
export function isDifferent({ from, to }: Compared): boolean {
  return from.rows !== to.rows || from.checksum !== to.checksum || from.lastId !== to.lastId;
}
