import { createHash } from "node:crypto";
import type PostgresClient from "knex/lib/dialects/postgres/index.js";
import type { Connection, QueryRequest, QueryResult } from "knex/lib/dialects/postgres/index.js";
import type { Db } from "../database.js";
import { type Query, type Value, type Dialect, namedColumns } from "../query.js";
import { hasLostName } from "./failures.js";

/**
 * Names of prepared statements. The same text has the same name in every process, since a pooler may give a connection a
 * session in which another process has prepared it.
 */
const names = new Map<string, string>();

/**
 * False in this process once a session could not use a statement by its name: behind a pooler that does not track prepared
 * statements, such as PgBouncer before 1.21, or after a newer server has added columns.
 */
let usesNames = true;

/** Stops using names after a failure that was caused by one; in a transaction that has failed already, a name may be unknown too. */
export function noteLostName(error: unknown): void {
  if (hasLostName(error)) usesNames = false;
}

function nameOf(sql: string): string | undefined {
  if (!usesNames) return undefined;
  const name = names.get(sql) ?? `kalends_${createHash("sha256").update(sql).digest("hex").slice(0, 32)}`;
  names.set(sql, name);
  return name;
}

export interface Client {
  readonly constructor: typeof PostgresClient;
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
  _query(connection: Connection, query: QueryRequest): Promise<QueryResult>;
}

export function plain(sql: string): QueryRequest {
  return { sql, bindings: [], options: {} };
}

/** Runs a named prepared statement, without what Knex adds to a query of its own builder. */
export async function runNamed<Row>(
  client: Client,
  connection: Connection,
  {
    sql,
    values,
    isBare,
  }: { readonly sql: string; readonly values: readonly Value[]; readonly isBare?: boolean },
): Promise<readonly Row[]> {
  const query = { sql, bindings: values, options: { name: nameOf(sql), isBare } };
  // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
  return (await client._query(connection, query)).response.rows;
}

/**
 * Returns a Query with named prepared statements on a pool.
 * @param isBare whether statements run without a transaction and its time limits: short look-ups by a key
 */
export function queryOn(pool: Db, isBare = false): Query {
  const client: Client = pool.client;
  async function runOnce<Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]> {
    const connection = await client.acquireConnection();
    try {
      return await runNamed<Row>(client, connection, { sql, values, isBare });
    } finally {
      await client.releaseConnection(connection);
    }
  }
  return async <Row>(sql: string, values: readonly Value[]) => {
    try {
      return await runOnce<Row>(sql, values);
    } catch (error) {
      noteLostName(error);
      if (!hasLostName(error)) throw error;
      return runOnce<Row>(sql, values);
    }
  };
}

export const dialect: Dialect = {
  name: "postgres",
  items: "jsonb_array_elements",
  joined: (expression) => `string_agg(${expression}, ',')`,
  jsonObject: (columns) => `cast(json_build_object(${namedColumns(columns)}) as text)`,
  lock: (table) => `for no key update of ${table}`,
  tryLock: (name) => `pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`,
  nextId: (table) => `nextval(pg_get_serial_sequence('${table}', 'id'))`,
  reserveIds: (table) =>
    `select nextval(pg_get_serial_sequence('${table}', 'id')) as id
      from generate_series(1, cast($1 as bigint))`,
};
