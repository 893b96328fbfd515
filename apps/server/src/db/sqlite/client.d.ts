/** Knex publishes no types for its dialects; we extend this one to begin transactions as BEGIN IMMEDIATE. */
declare module "knex/lib/dialects/sqlite3/index.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- the class below extends a value
  import { Knex } from "knex";

  interface TransactionInternals {
    begin(connection: unknown): Promise<unknown>;
    query(connection: unknown, sql: string): Promise<unknown>;
  }
  export default class SqliteClient extends Knex.Client {
    override transaction(
      container: unknown,
      config: unknown,
      outer: unknown,
    ): Knex.Transaction & TransactionInternals;
  }
}
