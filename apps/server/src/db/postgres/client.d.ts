/** Knex publishes no types for its dialects; we extend this one to give up connections that only a new one can replace. */
declare module "knex/lib/dialects/postgres/index.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- the class below extends a value
  import { Knex } from "knex";
  import type { Duplex } from "node:stream";
  import type pg from "pg";

  export interface Connection {
    readonly connection: { readonly stream: Duplex };
  }

  export interface QueryRequest {
    readonly sql: string;
    readonly bindings: readonly unknown[];
    readonly options?: {
      readonly name?: string | undefined;
      readonly query_timeout?: number | undefined;
      /** Whether the query runs without a transaction. */
      readonly isBare?: boolean | undefined;
    };
  }

  export interface QueryResponse {
    readonly command: string;
    readonly rows: readonly never[];
  }

  export interface QueryResult extends QueryRequest {
    readonly response: QueryResponse;
  }

  export default class PostgresClient extends Knex.Client {
    override acquireRawConnection(): Promise<Connection>;
    destroyRawConnection(connection: Connection): Promise<void>;
    // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
    _driver(): { readonly Client: typeof pg.Client };
    override validateConnection(connection: Connection): Promise<boolean>;
    // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
    _query(connection: Connection, query: QueryRequest): Promise<QueryResult>;
  }
}
