import type { Knex } from "knex";
import { type Query, type Value, type Dialect, namedColumns } from "../query.js";

/** The part of a sqlite3 connection that we use. */
export interface SqliteConnection {
  all(sql: string, callback: (error: Error | null, rows: readonly Record<string, unknown>[]) => void): void;
  exec(sql: string, callback: (error: Error | null) => void): void;
  prepare(sql: string, callback: (error: Error | null) => void): SqliteStatement;
}

interface SqliteStatement {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the columns that its SQL selects
  all<Row>(values: readonly Value[], callback: (error: Error | null, rows: readonly Row[]) => void): void;
  finalize(callback: () => void): void;
}

export interface Statements {
  readonly query: Query;
  /** Must be called before the connection is closed. */
  finalize(): Promise<void>;
}

const known = new WeakMap<SqliteConnection, Statements>();

/** Returns the cached prepared statements of a connection: Knex would prepare them again for each query. */
export function statementsOf(connection: SqliteConnection): Statements {
  const statements = known.get(connection) ?? prepareOn(connection);
  known.set(connection, statements);
  return statements;
}

function prepareOn(connection: SqliteConnection): Statements {
  const prepared = new Map<string, Promise<SqliteStatement>>();

  function statementFor(sql: string, values: readonly Value[]): Promise<SqliteStatement> {
    const statement = prepared.get(sql) ?? prepare(connection, isPacked(values) ? packedSql(sql) : sql);
    prepared.set(sql, statement);
    return statement;
  }

  /** A failed statement stays active, and its transaction open, until it is finalized or reset. */
  async function drop(sql: string): Promise<void> {
    const statement = await prepared.get(sql)?.catch(() => undefined);
    prepared.delete(sql);
    if (statement !== undefined) await new Promise<void>((resolve) => statement.finalize(resolve));
  }

  return {
    query: async <Row>(sql: string, values: readonly Value[]) => {
      try {
        const statement = await statementFor(sql, values);
        // Always `all`: `get` stops after the first row, which keeps the connection on an old snapshot.
        return await new Promise<readonly Row[]>((resolve, reject) => {
          statement.all<Row>(isPacked(values) ? [JSON.stringify(values)] : values, (error, rows) =>
            error === null ? resolve(rows) : reject(error),
          );
        });
      } catch (error) {
        await drop(sql);
        throw error;
      }
    },
    finalize: async () => {
      await Promise.all([...prepared.keys()].map(drop));
    },
  };
}

function prepare(connection: SqliteConnection, sql: string): Promise<SqliteStatement> {
  requireOrder(sql);
  return new Promise((resolve, reject) => {
    const statement = connection.prepare(sql, (error) =>
      error === null ? resolve(statement) : reject(error),
    );
  });
}

/** Many values are sent as one JSON array: the sqlite3 package is slow to bind each. */
const isPacked = (values: readonly Value[]): boolean => values.length > 6;

const packedSql = (sql: string): string =>
  sql.replaceAll(/\$(\d+)/g, (_match, number: string) => `(?1 ->> ${Number(number) - 1})`);

/** SQLite takes `$2` for a name and numbers names in order of appearance, unlike PostgreSQL. */
function requireOrder(sql: string): void {
  const places = new Set(sql.match(/\$\d+/g));
  for (const [index, place] of [...places].entries())
    if (place !== `$${index + 1}`) throw new Error(`${place} is used before $${index + 1}: ${sql}`);
}

export function execute(connection: SqliteConnection, sql: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.exec(sql, (error) => (error === null ? resolve() : reject(error)));
  });
}

export function queryOn(pool: Knex): Query {
  return async (sql, values) => {
    const connection = await acquire(pool);
    try {
      return await statementsOf(connection).query(sql, values);
    } finally {
      await release(pool, connection);
    }
  };
}

export function acquire(pool: Knex): Promise<SqliteConnection> {
  return clientOf(pool).acquireConnection();
}

export function release(pool: Knex, connection: SqliteConnection): Promise<void> {
  return clientOf(pool).releaseConnection(connection);
}

interface Client {
  acquireConnection(): Promise<SqliteConnection>;
  releaseConnection(connection: SqliteConnection): Promise<void>;
}

function clientOf(pool: Knex): Client {
  const client: Client = pool.client;
  return client;
}

export const dialect: Dialect = {
  name: "sqlite",
  items: "jsonb_each",
  // As a BLOB: the sqlite3 package makes a Buffer of it in half the time that a string takes.
  joined: (expression) => `cast(group_concat(${expression}, ',') as blob)`,
  jsonObject: (columns) => `json_object(${namedColumns(columns)})`,
  lock: () => "",
  tryLock: () => "true",
  nextId: () => "null",
  reserveIds: (table) =>
    `update sqlite_sequence set seq = seq + $1 where name = '${table}' returning seq as id`,
};
