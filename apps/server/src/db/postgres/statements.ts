import type { Connection, QueryRequest, QueryResponse } from "knex/lib/dialects/postgres/index.js";
import type { Db } from "../database.js";
import type { Query, Value } from "../query.js";
import { isOutdated } from "./failures.js";

/** The names of the statements, which every connection of the process knows them by. */
const names = new Map<string, string>();
let last = 0;

interface Client {
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
  _query(connection: Connection, query: QueryRequest): Promise<{ readonly response: QueryResponse }>;
}

export async function onConnection<T>(
  pool: Db,
  work: (run: (query: QueryRequest) => Promise<QueryResponse>) => Promise<T>,
): Promise<T> {
  const client: Client = pool.client;
  const connection = await client.acquireConnection();
  try {
    return await work(async (query) => {
      // oxlint-disable-next-line no-underscore-dangle -- without what Knex adds to a query of its own builder
      const { response } = await client._query(connection, query);
      return response;
    });
  } finally {
    await client.releaseConnection(connection);
  }
}

export function plain(sql: string): QueryRequest {
  return { sql, bindings: [], options: {} };
}

/** Runs a named statement, which each connection plans the first time it meets it. */
export async function runPrepared<Row>(
  run: (query: QueryRequest) => Promise<QueryResponse>,
  sql: string,
  values: readonly Value[],
): Promise<readonly Row[]> {
  const name = names.get(sql) ?? `kalends_${++last}`;
  names.set(sql, name);
  try {
    const { rows } = await run({ sql, bindings: values, options: { name } });
    return rows;
  } catch (error) {
    if (isOutdated(error) && names.get(sql) === name) names.delete(sql); // every connection plans it again, by another name
    throw error;
  }
}

export function queryOn(pool: Db): Query {
  return async function query<Row>(sql: string, values: readonly Value[]) {
    const runOnce = (): Promise<readonly Row[]> =>
      onConnection(pool, (run) => runPrepared<Row>(run, sql, values));
    try {
      return await runOnce();
    } catch (error) {
      if (!isOutdated(error) || pool.isTransaction === true) throw error; // a transaction is over, and may be run again
      return runOnce();
    }
  };
}
