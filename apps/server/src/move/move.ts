import { lastId, query, setLastId, type Table, isPostgres } from "./catalog.js";
import type { Database, Db } from "../db/connect.js";
import { pendingMigrations } from "../db/migrate.js";
import { batches, insert, lastKey, startSum, type Sum } from "./rows.js";
import { emptyTarget, movedTables, prepareTarget, releaseTarget } from "./target.js";

/** What tells two tables apart. */
export interface TableSum extends Sum {
  /** The highest id ever given out; 0 for a table without. */
  readonly lastId: number;
}

export interface Compared {
  readonly table: string;
  readonly from: TableSum;
  readonly to: TableSum;
}

/** Called as rows pass: what is done with them, in which table, how many more. */
export type Progress = (step: "copy" | "check", table: string, rows: number) => void;

/**
 * Copies an installation into an empty database: all tables that the schema names, the rows as they are. Goes on where an
 * interrupted move of the same data stopped, else starts over.
 * @param now in Unix seconds
 * @throws Error when the source's schema is not of this version, the target is not empty, or the two differ at the end
 */
export async function move(
  from: Database,
  to: Database,
  now: number,
  progress: Progress,
): Promise<readonly Compared[]> {
  const lacking = await pendingMigrations(from.read);
  if (lacking.length > 0)
    throw new Error(
      `The source lacks ${lacking.map(({ name }) => name).join(", ")}: run "kalends migrate" on it first.`,
    );
  const state = await prepareTarget(to, now);
  const tables = await movedTables(from.read);
  requireSameShape(tables, await movedTables(to.read));
  const stamp = from.changeCounter();
  const copied = await snapshot(from, async (source) => {
    if (state === "interrupted" && !(await isBegun(source, to, tables))) await emptyTarget(to, tables);
    const sums: TableSum[] = [];
    for (const table of tables) sums.push(await copy(source, to, table, progress));
    return sums;
  });
  const arrived = await sums(to, tables, progress);
  requireEqual(tables, copied, arrived, "The copy is not what was read.");
  const unchanged = stamp !== undefined && stamp === from.changeCounter();
  const still = unchanged ? copied : await sums(from, tables, progress);
  const compared = requireEqual(
    tables,
    still,
    arrived,
    "The source was written to during the move: stop the servers, then run it again.",
  );
  await releaseTarget(to);
  return compared;
}

/** Sums up the tables of two installations and compares them. @throws Error when one differs */
export async function compare(
  from: Database,
  to: Database,
  progress: Progress,
): Promise<readonly Compared[]> {
  const tables = await movedTables(from.read);
  requireSameShape(tables, await movedTables(to.read));
  const [first, second] = [await sums(from, tables, progress), await sums(to, tables, progress)];
  return requireEqual(tables, first, second, "The two differ.");
}

/** How many rows are moved, for a look ahead: PostgreSQL's own guess, since counting takes it too long. */
export async function countRows(database: Database): Promise<number> {
  const guess = "select greatest(reltuples, 0)::bigint as count from pg_class where oid = to_regclass(?)";
  let rows = 0;
  for (const { name } of await movedTables(database.read)) {
    const [row] = isPostgres(database.read)
      ? await query<{ count: number }>(database.read, guess, [`"${name}"`])
      : await query<{ count: number }>(database.read, `select count(*) as count from "${name}"`);
    rows += row?.count ?? 0;
  }
  return rows;
}

/** A state of the data to read for as long as it takes. */
function snapshot<T>(database: Database, work: (trx: Db) => Promise<T>): Promise<T> {
  return database.snapshot(async (trx) => {
    if (isPostgres(trx)) {
      for (const limit of ["statement_timeout", "idle_in_transaction_session_timeout"])
        await trx.raw(`set local ${limit} = 0`);
    }
    return work(trx);
  });
}

/** Whether what stands in the target is the beginning of each table of the source. */
async function isBegun(source: Db, to: Database, tables: readonly Table[]): Promise<boolean> {
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

/** Copies the rows of a table that the target has not yet, each batch in a transaction, and sums all of them up. */
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

function sums(
  database: Database,
  tables: readonly Table[],
  progress: Progress,
): Promise<readonly TableSum[]> {
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

function requireSameShape(from: readonly Table[], to: readonly Table[]): void {
  const shape = (tables: readonly Table[]): readonly string[] =>
    tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name} (${column.type})`));
  const [ours, theirs] = [shape(from), shape(to)];
  const lone = [
    ...ours.filter((column) => !theirs.includes(column)).map((column) => `${column} only in the source`),
    ...theirs.filter((column) => !ours.includes(column)).map((column) => `${column} only in the target`),
  ];
  if (lone.length > 0) throw new Error(`The schemas differ: ${lone.join(", ")}.`);
}

/** The installations differ; `compared` says where. */
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

export function isDifferent({ from, to }: Compared): boolean {
  return from.rows !== to.rows || from.checksum !== to.checksum || from.lastId !== to.lastId;
}
