import type { Knex } from "knex";
import type { PreparedQuery } from "../database.js";

/** What we use of a connection of the sqlite3 package. */
export interface SqliteConnection {
  all(sql: string, callback: (error: Error | null, rows: readonly Record<string, unknown>[]) => void): void;
  exec(sql: string, callback: (error: Error | null) => void): void;
  prepare(sql: string, callback: (error: Error | null) => void): SqliteStatement;
}

export interface SqliteStatement {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the columns that its SQL selects
  all<Row>(
    values: readonly (string | number)[],
    callback: (error: Error | null, rows: readonly Row[]) => void,
  ): void;
  finalize(callback: () => void): void;
}

/**
 * Prepared statements on one connection that is taken from the pool at the first use and kept: Knex prepares anew for each
 * query and spends most of a short one on its pool. Always `all`, never `get`, which stops after the first row and so keeps
 * the connection on that state of the data.
 */
export function prepareOn(pool: Knex): {
  prepare<Row>(sql: string): PreparedQuery<Row>;
  /** The same, kept by the text of the query. */
  ask<Row>(sql: string, values: readonly (string | number)[]): Promise<readonly Row[]>;
  close(): Promise<void>;
} {
  let held: Promise<SqliteConnection> | undefined;
  const statements: SqliteStatement[] = [];

  const connection = (): Promise<SqliteConnection> => {
    held ??= acquire(pool).catch((error: unknown) => {
      held = undefined; // the next query tries again
      throw error;
    });
    return held;
  };

  const prepare = (sql: string): Statement => {
    let statement: Promise<SqliteStatement> | undefined;
    const prepared = (): Promise<SqliteStatement> => {
      statement ??= connection()
        .then((database) => prepareStatement(database, sql))
        .then((made) => {
          statements.push(made);
          return made;
        })
        .catch((error: unknown) => {
          statement = undefined;
          throw error;
        });
      return statement;
    };
    return async <Row>(values: readonly (string | number)[]) => {
      const ready = await prepared();
      return new Promise<readonly Row[]>((resolve, reject) => {
        ready.all<Row>(values, (error, rows) => (error === null ? resolve(rows) : reject(error)));
      });
    };
  };

  const byText = new Map<string, Statement>();

  return {
    prepare: <Row>(sql: string): PreparedQuery<Row> => {
      const run = prepare(sql);
      return (...values) => run<Row>(values);
    },
    ask: <Row>(sql: string, values: readonly (string | number)[]) => {
      const run = byText.get(sql) ?? prepare(sql);
      byText.set(sql, run);
      return run<Row>(values);
    },
    close: async () => {
      await Promise.all(
        statements.splice(0).map((statement) => new Promise<void>((resolve) => statement.finalize(resolve))),
      );
      const database = await held?.catch(() => undefined);
      if (database !== undefined) await release(pool, database);
    },
  };
}

type Statement = <Row>(values: readonly (string | number)[]) => Promise<readonly Row[]>;

/**
 * SQLite plans with the value of a bare `limit ?`, and so prepares the statement again whenever a value is bound: not with that
 * of an expression. Measured on a page of events: a quarter of its time.
 */
export function prepareStatement(database: SqliteConnection, sql: string): Promise<SqliteStatement> {
  const text = sql.replaceAll(/\b(limit|offset) \?/g, "$1 ? + 0");
  return new Promise((resolve, reject) => {
    const statement = database.prepare(text, (error) =>
      error === null ? resolve(statement) : reject(error),
    );
  });
}

export async function acquire(pool: Knex): Promise<SqliteConnection> {
  const connection: SqliteConnection = await clientOf(pool).acquireConnection();
  return connection;
}

export async function release(pool: Knex, connection: SqliteConnection): Promise<void> {
  await clientOf(pool).releaseConnection(connection);
}

interface Client {
  acquireConnection(): Promise<SqliteConnection>;
  releaseConnection(connection: SqliteConnection): Promise<void>;
}

function clientOf(pool: Knex): Client {
  const client: Client = pool.client;
  return client;
}
