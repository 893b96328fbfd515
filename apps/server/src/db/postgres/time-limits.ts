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
/** Statements that end a transaction. */
export const ends = /^(?:COMMIT|ROLLBACK|END)\b(?! TO\b)/i;

/** Statements that leave nothing behind when BEGIN has failed and they run alone. All others wait for its answer. */
const reads = /^[\s(]*select\b/i;

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
        noteBeginning(connection, this.begin(connection, query.sql));
        return { ...query, response: { command: "BEGIN", rows: [] } };
      }
      const send = () => super._query(connection, query);
      const beginning = beginnings.get(connection);
      if (ends.test(query.sql)) {
        inTransaction.delete(connection);
        beginnings.delete(connection);
        return beginning === undefined ? send() : endAfter(beginning, send);
      }
      if (beginning !== undefined) return sendAfter(beginning, query.sql, send);
      if (query.options?.isBare === true) return this.first(connection, query);
      return inTransaction.has(connection) ? send() : this.alone(connection, query);
    }

    private begin(connection: Connection, sql: string): Promise<QueryResult> {
      return this.first(connection, plain(sql.replace(/;?$/, setLimits.join(""))));
    }

    /** Sends the first query, which may wait for a session of a pooler. */
    private first(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const options = { ...query.options, query_timeout: patienceMs };
      return orOverloaded(super._query(connection, patienceMs === undefined ? query : { ...query, options }));
    }

    private alone(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const beginning = { answer: this.begin(connection, "BEGIN"), isFirst: true };
      const send = (one: QueryRequest) => () => super._query(connection, one);
      return runAlone(beginning, query.sql, send(query), send(plain("COMMIT")));
    }
    // oxlint-enable no-underscore-dangle
  };
}

/** A transaction whose BEGIN has no answer yet, or failed. */
interface Beginning {
  readonly answer: Promise<QueryResult>;
  /** Whether nothing was sent since. */
  isFirst: boolean;
}

const beginnings = new WeakMap<Connection, Beginning>();

/** A failure is thrown to each statement of the transaction; before that it must not end the process. */
function noteBeginning(connection: Connection, answer: Promise<QueryResult>): void {
  beginnings.set(connection, { answer, isFirst: true });
  answer.then(
    () => beginnings.delete(connection),
    () => undefined,
  );
}

/**
 * Sends a statement of a transaction in the order of the calls: the first together with BEGIN if it only reads, else after the
 * answer. A session whose BEGIN failed, such as one that was cancelled, would run it alone and keep what it wrote.
 */
async function sendAfter(
  beginning: Beginning,
  sql: string,
  send: () => Promise<QueryResult>,
): Promise<QueryResult> {
  const { answer, isFirst } = beginning;
  beginning.isFirst = false;
  if (isFirst && reads.test(sql)) return (await Promise.all([send(), answer]))[0];
  await answer;
  return send();
}

/** Sends the end of a transaction, which a BEGIN that failed halfway needs too. It fails when BEGIN has failed. */
async function endAfter({ answer }: Beginning, send: () => Promise<QueryResult>): Promise<QueryResult> {
  await Promise.allSettled([answer]);
  const [ended] = await Promise.all([send(), answer]);
  return ended;
}

/** Sends a single statement and the end of its transaction: together with BEGIN if the statement only reads. */
async function runAlone(
  beginning: Beginning,
  sql: string,
  send: () => Promise<QueryResult>,
  end: () => Promise<QueryResult>,
): Promise<QueryResult> {
  const answering = sendAfter(beginning, sql, send);
  const ending = reads.test(sql) ? end() : endAfter(beginning, end);
  const [answered, ended] = await Promise.allSettled([answering, ending]);
  if (answered.status === "rejected") throw answered.reason;
  if (ended.status === "rejected") throw ended.reason;
  return answered.value;
}

async function orOverloaded(answer: Promise<QueryResult>): Promise<QueryResult> {
  try {
    return await answer;
  } catch (error) {
    throw codeOf(error) === "ETIMEDOUT" ? new Overloaded("no session answers") : error;
  }
}
