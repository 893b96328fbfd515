import type { Member, Shared } from "./batch.js";
import type { Db } from "./database.js";
import type { Dialect, Value } from "./query.js";

/** What Knex returns of a statement: SQLite's rows, or PostgreSQL's result. */
type Result<Row> = readonly Row[] | { readonly rows: readonly Row[] };

/** Returns a transaction of its own as one that batched queries run in, each by itself. */
export function memberOf(trx: Db, dialect: Dialect): Member {
  const shared: Shared = {
    query: async <Row>(sql: string, values: readonly Value[]) => {
      const bindings: Value[] = [];
      const text = sql.replaceAll(/\$(\d+)/g, (_match, number: string) => {
        bindings.push(values[Number(number) - 1] ?? "");
        return "?";
      });
      const result: Result<Row> = await trx.raw(text, bindings);
      return "rows" in result ? result.rows : result;
    },
    dialect,
    holders: new Map(),
    timings: [],
    afterCommit: new Set(),
    failure: undefined,
  };
  return { shared, hasWritten: false, ended: Promise.resolve() };
}
