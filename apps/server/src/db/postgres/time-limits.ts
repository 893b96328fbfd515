import type PostgresClient from "knex/lib/dialects/postgres/index.js";
import type { Connection, QueryRequest, QueryResult } from "knex/lib/dialects/postgres/index.js";
import { Overloaded } from "../database.js";
import { codeOf } from "../error-code.js";
import { plain } from "./statements.js";

/** Time limits that PostgreSQL keeps, in milliseconds, by the names of its settings. */
export type TimeLimits = Readonly<Partial<Record<(typeof timeLimits)[number], number>>>;

export const timeLimits = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
] as const;

/** Limit of an idle transaction, in milliseconds. */
export const idleLimit: TimeLimits = { idle_in_transaction_session_timeout: 10_000 };

/** Limits of a statement and of the wait for a lock, in milliseconds. */
export const requestLimits: TimeLimits = { ...idleLimit, statement_timeout: 5_000, lock_timeout: 2_000 };

const begins = /^(?:BEGIN|START TRANSACTION)\b/i;
const ends = /^(?:COMMIT|ROLLBACK|END)\b(?! TO\b)/i;

/**
 * Returns Knex's client, extended to leave no state in a session, since a pooler gives it to other transactions: each
 * transaction sets its own time limits, and a single statement gets a transaction for that. All are sent together, so
 * connections must pipeline.
 * @param patienceMs how long BEGIN waits for a session of a pooler; undefined for long work
 */
export function limitedClient(
  base: typeof PostgresClient,
  limits: TimeLimits,
  patienceMs: number | undefined,
): typeof PostgresClient {
  const setLimits = Object.entries(limits).map(([name, ms]) => `;SET LOCAL ${name} = ${ms}`);
  const inTransaction = new WeakSet<Connection>();
  return class LimitedPostgresClient extends base {
    // oxlint-disable no-underscore-dangle -- Knex's own name
    override async _query(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      if (begins.test(query.sql)) {
        inTransaction.add(connection);
        begun.set(connection, kept(this.begin(connection, query.sql)));
        return { ...query, response: { command: "BEGIN", rows: [] } };
      }
      if (begun.has(connection)) return withBegin(connection, () => this._query(connection, query));
      if (ends.test(query.sql)) inTransaction.delete(connection);
      else if (query.options?.isBare === true) return this.first(connection, query);
      else if (!inTransaction.has(connection)) return this.alone(connection, query);
      return super._query(connection, query);
    }

    private begin(connection: Connection, sql: string): Promise<QueryResult> {
      return this.first(connection, plain(sql.replace(/;?$/, setLimits.join(""))));
    }

    /** Sends the first query, which may wait for a session of a pooler. */
    private first(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const options = { ...query.options, query_timeout: patienceMs };
      return orOverloaded(super._query(connection, patienceMs === undefined ? query : { ...query, options }));
    }

    private async alone(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const [begun, answered, ended] = await Promise.allSettled([
        this.begin(connection, "BEGIN"),
        super._query(connection, query),
        super._query(connection, plain("COMMIT")),
      ]);
      for (const part of [begun, answered, ended]) if (part.status === "rejected") throw part.reason;
      if (answered.status === "rejected") throw answered.reason;
      return answered.value;
    }
    // oxlint-enable no-underscore-dangle
  };
}

/** Answers to BEGIN, which is sent with the first statement of its transaction. */
const begun = new WeakMap<Connection, Promise<QueryResult>>();

/** A failure is thrown where the answer is awaited; before that it must not end the process. */
function kept(answer: Promise<QueryResult>): Promise<QueryResult> {
  answer.catch(() => undefined);
  return answer;
}

/** Sends the first statement of a transaction. It fails when BEGIN has failed. */
async function withBegin(connection: Connection, send: () => Promise<QueryResult>): Promise<QueryResult> {
  const beginning = begun.get(connection);
  begun.delete(connection);
  const [, answer] = await Promise.all([beginning, send()]);
  return answer;
}

async function orOverloaded(answer: Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await answer;
  } catch (error) {
    throw codeOf(error) === "ETIMEDOUT" ? new Overloaded("no session answers") : error;
  }
}
