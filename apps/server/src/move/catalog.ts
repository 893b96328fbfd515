import type { Db } from "../db/database.js";

/** A table as described by the database's own catalog. */
export interface Table {
  readonly name: string;
  /** In the order of definition. */
  readonly columns: readonly Column[];
  /** Columns of the primary key, in key order. */
  readonly key: readonly Column[];
  /** Whether the database generates the ids and never reuses one. */
  readonly generatesIds: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: "integer" | "text";
  /** What it is read as, where that is not itself. */
  readonly sql?: string | undefined;
}

/** Reports whether a connection or transaction is on PostgreSQL; otherwise it is on SQLite. */
export function isPostgres(db: Db): boolean {
  const { dialect }: { readonly dialect: string } = db.client;
  return dialect === "postgresql";
}

/** Runs a query in the dialect of the database and returns its rows. */
export async function query<Row>(
  db: Db,
  sql: string,
  values: readonly (string | number)[] = [],
): Promise<readonly Row[]> {
  const result: readonly Row[] | { readonly rows: readonly Row[] } = await db.raw(sql, [...values]);
  return "rows" in result ? result.rows : result;
}

/** Returns the names of all tables except the database's internal ones. */
export async function tableNames(db: Db): Promise<readonly string[]> {
  const rows = await query<{ name: string }>(db, isPostgres(db) ? postgres.tables : sqlite.tables);
  return rows.map(({ name }) => name);
}

/**
 * Returns all tables, each after the tables it references.
 * @throws Error when a table has an unsupported column type or no primary key, or when references form a cycle
 */
export async function tablesOf(db: Db): Promise<readonly Table[]> {
  const catalog = isPostgres(db) ? postgres : sqlite;
  const columns = await query<ColumnRow>(db, catalog.columns);
  const references = await query<{ name: string; parent: string }>(db, catalog.references);
  const tables = [...new Set(columns.map(({ table }) => table))].map((name): Table => {
    const own = columns.filter(({ table }) => table === name).map((row) => ({ ...row, ...columnOf(row) }));
    const key = own.filter((row) => row.key_position > 0).toSorted((a, b) => a.key_position - b.key_position);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
    const generatesIds = own.some(({ generated }) => generated === 1);
    return { name, columns: own.map(columnOf), key: key.map(columnOf), generatesIds };
  });
  return parentsFirst(tables, references);
}

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Position in the primary key from 1; 0 for other columns. */
  readonly key_position: number;
  /** 1 when the database generates the values. */
  readonly generated: number;
}

function columnOf({ table, name, type }: { table?: string; name: string; type: string }): Column {
  const kind = /^(?:bigint|integer|text)$/.exec(type.toLowerCase())?.[0];
  if (kind === undefined)
    throw new Error(`${table}.${name} has the type ${type}: only integers and text are supported.`);
  return { name, type: kind === "text" ? "text" : "integer" };
}

function parentsFirst(
  tables: readonly Table[],
  references: readonly { readonly name: string; readonly parent: string }[],
): readonly Table[] {
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables
      .filter((table) => !ordered.includes(table))
      .find(({ name }) =>
        references.every(
          (reference) =>
            reference.name !== name ||
            reference.parent === name ||
            ordered.some((table) => table.name === reference.parent),
        ),
      );
    if (next === undefined) throw new Error("Foreign keys form a cycle.");
    ordered.push(next);
  }
  return ordered;
}

/** Returns the highest id a table ever generated, including ids of deleted rows; 0 when it generated none. */
export async function lastId(db: Db, table: Table): Promise<number> {
  if (!table.generatesIds) return 0;
  if (!isPostgres(db)) {
    const [row] = await query<{ seq: number }>(db, "select seq from sqlite_sequence where name = ?", [
      table.name,
    ]);
    return row?.seq ?? 0;
  }
  const [row] = await query<{ last: number }>(
    db,
    `select case when is_called then last_value else 0 end as last from ${await sequenceOf(db, table)}`,
  );
  return row?.last ?? 0;
}

/** Makes a table generate ids above `id`. */
export async function setLastId(db: Db, table: Table, id: number): Promise<void> {
  if (!table.generatesIds) return;
  if (isPostgres(db)) {
    await query(db, "select setval(?, ?, ?::boolean)", [
      await sequenceOf(db, table),
      Math.max(1, id),
      String(id > 0),
    ]);
    return;
  }
  await query(db, "delete from sqlite_sequence where name = ?", [table.name]);
  await query(db, "insert into sqlite_sequence (name, seq) values (?, ?)", [table.name, id]);
}

async function sequenceOf(db: Db, { name, key }: Table): Promise<string> {
  const [row] = await query<{ sequence: string }>(
    db,
    "select pg_get_serial_sequence(quote_ident(?), ?) as sequence",
    [name, key[0]?.name ?? ""],
  );
  if (row === undefined) throw new Error(`The table ${name} has no sequence.`);
  return row.sequence;
}

/** Returns the triggers, each with its CREATE statement. */
export function triggersOf(
  db: Db,
): Promise<readonly { readonly name: string; readonly table: string; readonly sql: string }[]> {
  return query(db, isPostgres(db) ? postgres.triggers : sqlite.triggers);
}

const ownTables = "m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'";
const sqlite = {
  tables: `select m.name from sqlite_master m where ${ownTables} order by m.name`,
  columns: `select m.name as "table", c.name, c.type, c.pk as key_position,
      c.pk > 0 and lower(m.sql) like '%autoincrement%' as generated
    from sqlite_master m, pragma_table_info(m.name) c where ${ownTables} order by m.name, c.cid`,
  references: `select m.name, f."table" as parent
    from sqlite_master m, pragma_foreign_key_list(m.name) f where ${ownTables}`,
  triggers: `select name, tbl_name as "table", sql from sqlite_master where type = 'trigger' order by name`,
} as const;

const postgres = {
  tables: `select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`,
  columns: `select t.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      coalesce(array_position(i.indkey::int2[], a.attnum) + 1, 0) as key_position,
      (i.indrelid is not null and a.attnum = any(i.indkey)
        and pg_get_serial_sequence(quote_ident(t.relname), a.attname) is not null)::int as generated
    from pg_class t
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = t.oid and i.indisprimary
    where t.relkind = 'r' and t.relnamespace = current_schema()::regnamespace order by t.relname, a.attnum`,
  references: `select child.relname as name, parent.relname as parent from pg_constraint c
      join pg_class child on child.oid = c.conrelid join pg_class parent on parent.oid = c.confrelid
    where c.contype = 'f' and child.relnamespace = current_schema()::regnamespace`,
  triggers: `select g.tgname as name, t.relname as "table", pg_get_triggerdef(g.oid) as sql from pg_trigger g
      join pg_class t on t.oid = g.tgrelid
    where not g.tgisinternal and t.relnamespace = current_schema()::regnamespace order by g.tgname`,
} as const;
