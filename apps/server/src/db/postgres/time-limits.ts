import PostgresClient, {
  type Connection,
  type QueryRequest,
  type QueryResult,
} from "knex/lib/dialects/postgres/index.js";
import { Overloaded } from "../database.js";
import { plain } from "./statements.js";

/** Time limits that PostgreSQL keeps, in milliseconds, by the names of its settings. */
export type TimeLimits = Readonly<Partial<Record<(typeof timeLimits)[number], number>>>;

export const timeLimits = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
] as const;

interface LimitOptions {
  readonly limits: TimeLimits;
  /** After so long without an answer the network or the server is to blame; undefined for work that takes its time. */
  readonly silenceMs: number | undefined;
  /** How long a caller waits for a connection, and so BEGIN for a session of a pooler. */
  readonly patienceMs: number;
}

/**
 * Returns Knex's client and the settings of connections whose sessions keep time limits, in milliseconds.
 * @param pooled the limits of the URL, where a pooler gives each transaction another session
 */
export function keepingLimits(
  pooled: TimeLimits | undefined,
  { limits, silenceMs, patienceMs }: LimitOptions,
): { readonly client: typeof PostgresClient; readonly settings: object } {
  if (pooled === undefined)
    return { client: PostgresClient, settings: { ...limits, query_timeout: silenceMs } };
  const client = pooledClient({ ...limits, ...pooled }, silenceMs === undefined ? undefined : patienceMs);
  const query_timeout = silenceMs === undefined ? undefined : patienceMs + silenceMs;
  return { client, settings: { pipeline: true, query_timeout } };
}

const begins = /^(?:BEGIN|START TRANSACTION)\b/i;
const ends = /^(?:COMMIT|ROLLBACK|END)\b(?! TO\b)/i;

/**
 * Returns Knex's client for a pooler that gives each transaction another session. So nothing is left in a session: statements have
 * no name, and each transaction sets its time limits for itself. A statement alone gets a transaction for that. All are sent
 * together, so the connections must pipeline (docs/self-hosting.md).
 */
function pooledClient(limits: TimeLimits, patienceMs: number | undefined): typeof PostgresClient {
  const settings = Object.entries(limits).map(([name, ms]) => `;SET LOCAL ${name} = ${ms}`);
  const inTransaction = new WeakSet<Connection>();
  return class PooledPostgresClient extends PostgresClient {
    // oxlint-disable no-underscore-dangle, no-param-reassign -- Knex's own names
    override async _query(connection: Connection, { options, ...query }: QueryRequest): Promise<QueryResult> {
      const unnamed = { ...query, options: { ...options, name: undefined } };
      if (begins.test(query.sql)) {
        inTransaction.add(connection);
        return this.begin(connection, unnamed);
      }
      if (ends.test(query.sql)) inTransaction.delete(connection);
      else if (!inTransaction.has(connection)) return this.alone(connection, unnamed);
      return super._query(connection, unnamed);
    }

    private async begin(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const sql = query.sql.replace(/;?$/, settings.join(""));
      try {
        return await super._query(connection, { ...query, sql, options: { query_timeout: patienceMs } });
      } catch (error) {
        if (!isSilence(error)) throw error;
        connection.__knex__disposed = error; // else the transaction might begin later
        throw new Overloaded("the connection pooler has no free session");
      }
    }

    private async alone(connection: Connection, query: QueryRequest): Promise<QueryResult> {
      const [begun, answered, ended] = await Promise.allSettled([
        this.begin(connection, plain("BEGIN")),
        super._query(connection, query),
        super._query(connection, plain("COMMIT")),
      ]);
      for (const part of [begun, answered, ended]) if (part.status === "rejected") throw part.reason;
      if (answered.status === "rejected") throw answered.reason;
      return answered.value;
    }
    // oxlint-enable no-underscore-dangle, no-param-reassign
  };
}

/** What pg says after query_timeout. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("Query read timeout");
}
