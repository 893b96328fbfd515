import { openPatiently } from "./pool.js";
import { postgresAddress } from "./tls.js";

/** By the name that a server gives its sessions, or the one in the URL. Other roles may see it too. */
const sessionsSql = `select count(*) as count from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and application_name in ('kalends', current_setting('application_name'))`;

/** Reports whether other sessions of Kalends use a database. False behind a pooler. */
export async function hasSessions(url: string): Promise<boolean> {
  const address = postgresAddress(url);
  if (address.pooled !== undefined) return false;
  const pool = openPatiently(address);
  try {
    const { rows }: { rows: readonly { count: number }[] } = await pool.raw(sessionsSql);
    return (rows[0]?.count ?? 0) > 0;
  } finally {
    await pool.destroy();
  }
}
