import { createHash, type Hash } from "node:crypto";
import type { Db } from "../db/connect.js";
import { type Column, isPostgres, query, type Table } from "./catalog.js";

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** Rows read and written at once: some hundred kilobytes of text, a good half of the parameters that SQLite takes. */
const batchSize = 500;

/** Values of a row's key, in the key's order. */
export type Key = readonly (string | number)[];

/**
 * A table's rows in the order of its key, in batches; the next one is read while the caller is busy with one.
 * @throws Error on a value that the other database could not hold as it is
 */
export async function* batches(
  db: Db,
  table: Table,
  { after, upTo }: { readonly after?: Key | undefined; readonly upTo?: Key | undefined } = {},
): AsyncGenerator<readonly Row[]> {
  const read = (from: Key | undefined): Promise<readonly Row[]> => {
    const rows = readBatch(db, table, from, upTo);
    rows.catch(() => undefined); // the caller may have failed before it asks for these
    return rows;
  };
  let reading = read(after);
  for (;;) {
    const rows = await reading;
    const last = rows.at(-1);
    if (last === undefined) return;
    reading = rows.length < batchSize ? Promise.resolve([]) : read(keyOf(table, last));
    for (const row of rows) {
      for (const column of table.columns) {
        if (!isPlain(row[column.name], column)) await refuseUnlessWhole(db, table, row, column);
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
  const places = `(${table.key.map(() => "?").join(", ")})`;
  const where = [
    ...(after === undefined ? [] : [`(${key}) > ${places}`]),
    ...(upTo === undefined ? [] : [`(${key}) <= ${places}`]),
  ];
  return query(
    db,
    `select ${names(table.columns)} from "${table.name}" ${where.length > 0 ? `where ${where.join(" and ")}` : ""}
     order by ${key} limit ${batchSize}`,
    [...(after ?? []), ...(upTo ?? [])],
  );
}

/** SQLite compares text by its bytes; PostgreSQL is told to. */
function keyColumns(db: Db, { key }: Table): string {
  return key
    .map(({ name, type }) => (type === "text" && isPostgres(db) ? `"${name}" collate "C"` : `"${name}"`))
    .join(", ");
}

function names(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(", ");
}

function keyOf(table: Table, row: Row): Key {
  return table.key.map(({ name }) => row[name] ?? "");
}

/** The last key of a table; undefined when it is empty. */
export async function lastKey(db: Db, table: Table): Promise<Key | undefined> {
  const order = keyColumns(db, table).replaceAll(/$|,/g, " desc$&");
  const [row] = await query<Row>(
    db,
    `select ${names(table.key)} from "${table.name}" order by ${order} limit 1`,
  );
  return row === undefined ? undefined : keyOf(table, row);
}

export async function insert(db: Db, table: Table, rows: readonly Row[]): Promise<void> {
  const into = `insert into "${table.name}" (${names(table.columns)})`;
  if (isPostgres(db)) {
    // One text of JSON: PostgreSQL and its client take thousands of single parameters many times slower.
    const types = table.columns.map(({ name, type }) => `"${name}" ${type === "text" ? "text" : "bigint"}`);
    const columns = names(table.columns);
    const records = `json_to_recordset(?::json) as r(${types.join(", ")})`;
    await db.raw(`${into} select ${columns} from ${records}`, [JSON.stringify(rows)]);
    return;
  }
  const place = `(${table.columns.map(() => "?").join(", ")})`;
  const values = rows.flatMap((row) => table.columns.map(({ name }) => row[name] ?? null));
  await db.raw(`${into} values ${rows.map(() => place).join(", ")}`, values);
}

/** Whether both databases can hold a value, without a look at its bytes. */
function isPlain(value: Value | undefined, { type }: Column): boolean {
  if (value === null) return true;
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === "string" && !/[\0\uFFFD]/.test(value);
}

async function refuseUnlessWhole(db: Db, table: Table, row: Row, { name, type }: Column): Promise<void> {
  const value = row[name];
  if (type === "text" && typeof value === "string" && !value.includes("\0")) {
    if (isPostgres(db) || (await isWhole(db, table, row, name, value))) return;
  }
  const fault =
    type === "integer"
      ? "is not a whole number within ±(2^53 - 1)"
      : typeof value !== "string"
        ? "is not text"
        : value.includes("\0")
          ? "holds the character U+0000, which PostgreSQL cannot hold"
          : "holds bytes that are not UTF-8, such as half of a surrogate pair";
  throw new Error(
    `${table.name}.${name} of the row ${keyOf(table, row).join(", ")} ${fault}. Mend it in the source, then run the move again.`,
  );
}

/** Whether SQLite holds just the bytes of the text, which was read with U+FFFD for each byte that is no UTF-8. */
async function isWhole(db: Db, table: Table, row: Row, name: string, value: string): Promise<boolean> {
  const where = table.key.map((column) => `"${column.name}" = ?`).join(" and ");
  const [stored] = await query<{ bytes: string }>(
    db,
    `select hex("${name}") as bytes from "${table.name}" where ${where}`,
    keyOf(table, row),
  );
  return stored?.bytes === Buffer.from(value).toString("hex").toUpperCase();
}

/** Rows and what tells two lots of them apart. */
export interface Sum {
  readonly rows: number;
  /** SHA-256 in hex of the rows in the order of their key, each a line of JSON. */
  readonly checksum: string;
}

/** Sums rows up as they pass. */
export function startSum(table: Table): {
  add(rows: readonly Row[]): void;
  /** Of the rows so far. */
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
