import type { Knex } from "knex";
import type { Query } from "./query.js";

/** Receives the text of each finished statement, without its values, and its duration with the wait for a connection. */
export type OnQuery = (sql: string, ms: number) => void;

export async function timed<T>(onQuery: OnQuery | undefined, sql: string, run: () => Promise<T>): Promise<T> {
  if (onQuery === undefined) return run();
  const began = performance.now();
  try {
    return await run();
  } finally {
    onQuery(sql, performance.now() - began);
  }
}

export function timedQuery(onQuery: OnQuery | undefined, query: Query): Query {
  return (sql, values) => timed(onQuery, sql, () => query(sql, values));
}

interface KnexQuery {
  readonly sql: string;
  /** Undefined for BEGIN, COMMIT and ROLLBACK, whose end Knex does not report. */
  readonly __knexQueryUid?: string;
}

/** Reports the queries of Knex, also in transactions. */
export function watchKnex(knex: Knex, onQuery: OnQuery | undefined): void {
  if (onQuery === undefined) return;
  const running = new Map<string, number>();
  const end = ({ sql, __knexQueryUid: id = "" }: KnexQuery): void => {
    const began = running.get(id);
    running.delete(id);
    if (began !== undefined) onQuery(sql, performance.now() - began);
  };
  knex.on("query", ({ __knexQueryUid: id }: KnexQuery) => {
    if (id !== undefined) running.set(id, performance.now());
  });
  knex.on("query-response", (_rows: unknown, query: KnexQuery) => end(query));
  knex.on("query-error", (_error: unknown, query: KnexQuery) => end(query));
}
