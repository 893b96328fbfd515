/** Knex publishes no types for its dialects; we extend this one to give up connections that only a new one can replace. */
declare module "knex/lib/dialects/postgres/index.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- the class below extends a value
  import { Knex } from "knex";

  export default class PostgresClient extends Knex.Client {
    // oxlint-disable-next-line no-underscore-dangle -- Knex's own name
    _query(connection: { __knex__disposed?: unknown }, query: unknown): Promise<unknown>;
  }
}
