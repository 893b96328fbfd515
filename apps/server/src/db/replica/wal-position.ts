import pg from "pg";
import { coalesce } from "../coalesce.js";
import type { PostgresAddress } from "../postgres/tls.js";

/** How far a database was written, by when it was asked. */
export interface WalPosition {
  /** Which database of which server, and which of its timelines: positions of others mean nothing here. */
  readonly history: string;
  /** Where the write-ahead log stood, as PostgreSQL writes it, such as 0/16B3748. */
  readonly position: string;
}

/** The beginning of a text that is the same on a primary and on its replicas only. */
const database = `(select system_identifier from pg_control_system()) || '/' ||
  (select oid from pg_database where datname = current_database()) || '/'`;

/**
 * An acknowledged commit is flushed, so its place is not after that; with synchronous_commit off only inserted. It fails on a
 * server that is being recovered, and one that was fenced off by making it read-only says so.
 */
const ofPrimary = `select ${database} || substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as history,
  case current_setting('synchronous_commit')
    when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end::text as position,
  current_setting('transaction_read_only') = 'on' as refuses_writes`;

/**
 * What a replica answers to a position: whether it is one, whether of the same history, and whether it holds all that was
 * written up to there. The timeline is that of its control file, which learns of a new one late and never too early.
 */
export const ofReplica = `select pg_is_in_recovery() as recovers,
  ${database} || upper(lpad(to_hex((select greatest(timeline_id, min_recovery_end_timeline)
    from pg_control_checkpoint(), pg_control_recovery())), 8, '0')) = ? as follows,
  coalesce(pg_last_wal_replay_lsn() >= ?::pg_lsn, false) as holds`;

/** How many bytes up to a position a replica has not replayed; none when it has come further meanwhile. */
export const behindReplica = `select greatest(pg_wal_lsn_diff(?::pg_lsn, pg_last_wal_replay_lsn()), 0)::text as bytes`;

/** How long connecting to the primary and its answer may take, in milliseconds. */
const limitMs = 1_000;

/**
 * Asks the primary how far it is written. The connection is its own: to know the position must
 * not wait for one of the pool.
 */
export function createWalPosition({ pooled, ...address }: PostgresAddress): {
  ask(): Promise<WalPosition>;
  close(): Promise<void>;
} {
  let connection: Promise<pg.Client> | undefined;

  const forget = (): void => {
    const lost = connection;
    connection = undefined;
    lost?.then((client) => client.end()).catch(() => undefined);
  };

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...address,
      application_name: "kalends position",
      keepAlive: true,
      connectionTimeoutMillis: limitMs,
      ...(pooled === undefined ? { statement_timeout: limitMs } : {}), // a pooler refuses it
      query_timeout: limitMs,
    });
    client.on("error", forget);
    await client.connect();
    return client;
  }

  async function query(): Promise<WalPosition> {
    try {
      connection ??= connect();
      const client = await connection;
      const { rows } = await client.query<WalPosition & { readonly refuses_writes: boolean }>({
        ...(pooled === undefined ? { name: "kalends_position" } : {}),
        text: ofPrimary,
      });
      const [row] = rows;
      if (row === undefined || row.refuses_writes) throw new Error("the database takes no writes");
      return row;
    } catch (error) {
      forget();
      throw error;
    }
  }

  const shared = coalesce(query);
  return {
    ask: shared.get,
    close: async () => {
      await shared.idle();
      forget();
    },
  };
}
