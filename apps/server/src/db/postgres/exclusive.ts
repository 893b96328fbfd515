import type { Database } from "../database.js";
import type { Query } from "../query.js";
import { openPatiently } from "./pool.js";
import { runTransaction } from "./transaction.js";
import { type PostgresAddress, postgresAddress } from "./tls.js";

/** Number of the advisory lock, "kalends" in telephone letters. */
const exclusiveLock = 5_253_637;

/** The session that blocks another one. PostgreSQL may hide when transactions of other roles began. */
const blockerSql = `select pid, application_name, usename,
    to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as since
  from pg_stat_activity where pid = any(pg_blocking_pids($1::bigint::int)) order by xact_start, pid limit 1`;

interface Blocker {
  readonly pid: number;
  readonly application_name: string;
  readonly usename: string | null;
  readonly since: string | null;
}

/** Returns `exclusively`, which uses a connection of its own, and `blocker`, which uses `query`. */
export function openExclusive(
  address: PostgresAddress,
  query: Query,
): Required<Pick<Database, "exclusively" | "blocker">> {
  let session: number | undefined;
  return {
    exclusively: async (work) => {
      const patient = openPatiently(address);
      try {
        return await runTransaction(patient, async (trx) => {
          const { rows }: { rows: readonly { pid: number }[] } = await trx.raw(
            "select pg_backend_pid() as pid",
          );
          session = rows[0]?.pid;
          await trx.raw("select pg_advisory_xact_lock(?)", [exclusiveLock]);
          return work(trx);
        });
      } finally {
        session = undefined;
        await patient.destroy();
      }
    },
    blocker: async () => {
      const [found] = session === undefined ? [] : await query<Blocker>(blockerSql, [session]);
      if (found === undefined) return undefined;
      const { pid, application_name: program, usename: role, since } = found;
      const began = since === null ? "" : `, its transaction began at ${since} UTC`;
      return `session ${pid} of PostgreSQL (${program || "an unnamed program"}, role ${role ?? "unknown"}${began})`;
    },
  };
}

/** By application_name, which other roles see too: the one of our servers, or the one in the URL. */
const sessionsSql = `select count(*) as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and application_name in ('kalends', current_setting('application_name'))`;

/** Reports whether other sessions of Kalends use a database. A pooler keeps sessions of stopped servers. */
export async function hasSessions(url: string): Promise<boolean> {
  const pool = openPatiently(postgresAddress(url));
  try {
    const { rows }: { rows: readonly { count: number }[] } = await pool.raw(sessionsSql);
    return (rows[0]?.count ?? 0) > 0;
  } finally {
    await pool.destroy();
  }
}
