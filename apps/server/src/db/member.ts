import { callAfterCommit, type Member, share, type Shared } from "./batch.js";
import { attachedTo } from "./budgeted-database.js";
import type { Database, Db } from "./database.js";
import type { Dialect, Value } from "./query.js";

/** What Knex returns of a statement: SQLite's rows, or PostgreSQL's result. */
type Result<Row> = readonly Row[] | { readonly rows: readonly Row[] };

/** What a transaction is begun with; its result may be kept for a repeated request. */
export interface TransactionHost<T> extends Pick<Database, "dialect"> {
  transaction(work: (trx: Db) => Promise<T>): Promise<T>;
}

/**
 * Runs `work` in a transaction of its own, with Knex and as a member, then what the batched queries of the member have left for
 * after the commit.
 */
export async function memberTransaction<T>(
  db: TransactionHost<T>,
  work: (trx: Member, knex: Db) => Promise<T>,
): Promise<T> {
  let shared: Shared | undefined;
  const result = await db.transaction((knex) => {
    const trx = memberOf(knex, db.dialect);
    ({ shared } = trx);
    return work(trx, knex);
  });
  if (shared !== undefined) callAfterCommit(shared);
  return result;
}

/** Returns a transaction of its own as one that batched queries run in, each by itself. */
export function memberOf(trx: Db, dialect: Dialect): Member {
  const query = async <Row>(sql: string, values: readonly Value[]): Promise<readonly Row[]> => {
    const bindings: Value[] = [];
    const text = sql.replaceAll(/\$(\d+)/g, (_match, number: string) => {
      bindings.push(values[Number(number) - 1] ?? "");
      return "?";
    });
    const result: Result<Row> = await trx.raw(text, bindings);
    return "rows" in result ? result.rows : result;
  };
  return {
    shared: share(query, dialect, true),
    hasWritten: false,
    ...attachedTo(trx),
    ended: Promise.resolve(),
  };
}
