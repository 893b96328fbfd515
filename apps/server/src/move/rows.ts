import { createHash, type Hash } from "node:crypto";
import type { Db } from "../db/open-database.js";
import { type Column, isPostgres, query, type Table } from "./catalog.js";

/** A column's value; both databases store only integers and text. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** Rows in one statement; stays below SQLite's limit on bound parameters. */
const batchSize = 500;

/** Values of a primary key, in key order. */
export type Key = readonly (string | number)[];

/**
 * Yields the rows of a table in key order, in batches; reads the next batch while the caller handles the current one.
 * @throws Error on a value that one of the databases cannot store unchanged
 */
export async function* batches(
  db: Db,
  table: Table,
  { after, upTo }: { readonly after?: Key | undefined; readonly upTo?: Key | undefined } = {},
): AsyncGenerator<readonly Row[]> {
  const read = (from: Key | undefined): Promise<readonly Row[]> => {
    const rows = readBatch(db, table, from, upTo);
    rows.catch(() => undefined); // avoids an unhandled rejection when the caller fails first
    return rows;
  };
  let nextBatch = read(after);
  for (;;) {
    const rows = await nextBatch;
    const last = rows.at(-1);
    if (last === undefined) return;
    nextBatch = rows.length < batchSize ? Promise.resolve([]) : read(keyOf(table, last));
    for (const row of rows) {
      for (const column of table.columns) {
        if (!isPlain(row[column.name], column)) await requireStorable(db, table, row, column);
      }
    }
    yield rows;
  }
}

async function readBatch(
  db: Db,
  table: Table,
  after: Key | undefined,
  upTo: Key | undefined,
): Promise<readonly Row[]> {
  const key = keyColumns(db, table);
  const placeholders = `(${table.key.map(() => "?").join(", ")})`;
  const where = [
    ...(after === undefined ? [] : [`(${key}) > ${placeholders}`]),
    ...(upTo === undefined ? [] : [`(${key}) <= ${placeholders}`]),
  ];
  return query(
    db,
    `select ${table.columns.map(({ name, sql }) => `${sql ?? ""} "${name}"`).join(", ")} from "${table.name}" ${where.length > 0 ? `where ${where.join(" and ")}` : ""}
     order by ${key} limit ${batchSize}`,
    [...(after ?? []), ...(upTo ?? [])],
  );
}

/** Returns the key columns for comparison by bytes: SQLite's default, the collation "C" on PostgreSQL. */
function keyColumns(db: Db, { key }: Table): string {
  return key
    .map(({ name, type }) => (type === "text" && isPostgres(db) ? `"${name}" collate "C"` : `"${name}"`))
    .join(", ");
}

function columnList(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

function keyOf(table: Table, row: Row): Key {
  return table.key.map(({ name }) => row[name] ?? "");
}

/** Returns the last key of a table; undefined when the table is empty. */
export async function lastKey(db: Db, table: Table): Promise<Key | undefined> {
  const order = keyColumns(db, table).replaceAll(/$|,/g, " desc$&");
  const [row] = await query<Row>(
    db,
    `select ${columnList(table.key)} from "${table.name}" order by ${order} limit 1`,
  );
  return row === undefined ? undefined : keyOf(table, row);
}

/** Inserts rows in one statement. */
export async function insert(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  const into = `insert into "${table.name}" (${columnList(table.columns)})`;
  if (isPostgres(db)) {
    // One JSON parameter: thousands of bound parameters are much slower on PostgreSQL.
    const types = table.columns.map(({ name, type }) => `"${name}" ${type === "text" ? "text" : "bigint"}`);
    const columns = columnList(table.columns);
    const records = `json_to_recordset(?::json) as r(${types.join(", ")})`;
    await db.raw(`${into} select ${columns} from ${records}`, [JSON.stringify(rows)]);
    return;
  }
  const placeholders = `(${table.columns.map(() => "?").join(", ")})`;
  const values = rows.flatMap((row) => table.columns.map(({ name }) => row[name] ?? null));
  await db.raw(`${into} values ${rows.map(() => placeholders).join(", ")}`, values);
}

/** Reports whether both databases can surely store a value; false needs the check of the bytes. */
function isPlain(value: Value | undefined, { type }: Column): boolean {
  if (value === null) return true;
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === "string" && !/[\0\uFFFD]/.test(value);
}

async function requireStorable(db: Db, table: Table, row: Row, { name, type }: Column): Promise<void> {
  const value = row[name];
  if (type === "text" && typeof value === "string" && !value.includes("\0")) {
    if (isPostgres(db) || (await isValidUtf8(db, table, row, name, value))) return;
  }
  const problem =
    type === "integer"
      ? "is not a whole number within ±(2^53 - 1)"
      : typeof value !== "string"
        ? "is not text"
        : value.includes("\0")
          ? "contains the character U+0000, which PostgreSQL cannot store"
          : "contains bytes that are not UTF-8, such as half of a surrogate pair";
  throw new Error(
    `${table.name}.${name} of the row ${keyOf(table, row).join(", ")} ${problem}. Fix it in the source, then run the command again.`,
  );
}

/** Reports whether SQLite stores exactly this text; it reads invalid UTF-8 as U+FFFD. */
async function isValidUtf8(db: Db, table: Table, row: Row, name: string, value: string): Promise<boolean> {
  const where = table.key.map((column) => `"${column.name}" = ?`).join(" and ");
  const [stored] = await query<{ bytes: string }>(
    db,
    `select hex("${name}") as bytes from "${table.name}" where ${where}`,
    keyOf(table, row),
  );
  return stored?.bytes === Buffer.from(value).toString("hex").toUpperCase();
}

/** Number and checksum of rows. */
export interface Sum {
  readonly rows: number;
  /** SHA-256 in hex of the rows in key order, each a JSON array on a line. */
  readonly checksum: string;
}

/** Creates an accumulator for the sum of a table; rows are added in key order. */
export function startSum(table: Table): {
  add(rows: readonly Row[]): void;
  /** Returns the sum of the rows added so far. */
  now(): Sum;
} {
  const columns = table.columns.map(({ name }) => name).toSorted();
  const hash: Hash = createHash("sha256");
  let count = 0;
  return {
    add: (rows) => {
      count += rows.length;
      const lines = rows.map((row) => JSON.stringify(columns.map((name) => row[name])));
      hash.update(`${lines.join("\n")}\n`);
    },
    now: () => ({ rows: count, checksum: hash.copy().digest("hex") }),
  };
}
