/** Knex publishes no types for its dialects; we extend this one to run on a connection that is given. */
declare module "knex/lib/dialects/sqlite3/index.js" {
  // oxlint-disable-next-line typescript/consistent-type-imports -- the class below extends a value
  import { Knex } from "knex";

  export default class SqliteClient extends Knex.Client {
    destroyRawConnection(connection: unknown): Promise<void>;
  }
}
