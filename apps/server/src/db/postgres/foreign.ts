import type { Db } from "../database.js";
import { poolerAdvice } from "./advice.js";
import { onConnection, plain } from "./statements.js";

/** Tables of extensions, such as those of PostGIS, belong to no program. */
const tablesSql = `select
  (select relname from here where not exists
    (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = here.oid and d.deptype = 'e')
    order by relname limit 1) as first,
  (select count(*) from pg_attribute a join here on here.oid = a.attrelid
    where here.relname = 'migrations' and a.attname in ('name', 'applied_at')) = 2 as "areOurs",
  current_database() as name,
  (select source = 'client' from pg_settings where name = 'idle_in_transaction_session_timeout') as "isSession"`;

const inspectionSql = `with here as (select oid, relname from pg_class where relkind in ('r', 'p')
  and relnamespace = (select oid from pg_namespace where nspname = current_schema())) ${tablesSql}`;

interface Inspection {
  readonly name: string;
  readonly first: string | null;
  readonly areOurs: boolean;
  /** Whether the parameters that the connection began with have reached PostgreSQL. */
  readonly isSession: boolean;
}

/**
 * Refuses a database of another program, which migrations would add tables to, and a pooler that was not declared, on which
 * statements fail at random.
 * @throws Error that names the database, or the setting
 */
export async function inspectPostgres(pool: Db, { isPooled }: { readonly isPooled: boolean }): Promise<void> {
  const { rows }: { rows: readonly Inspection[] } = await pool.raw(inspectionSql);
  const [found] = rows;
  if (found === undefined) return;
  if (!found.areOurs && found.first !== null)
    throw new Error(
      `The database ${found.name} is that of another program: it has the table ${found.first}, and none of Kalends. It was not changed: name another database.`,
    );
  if (!isPooled && !found.isSession && (await sharesSessions(pool))) throw new Error(poolerAdvice);
}

/** Two connections that are open at a time have the same session only where something between shares it. */
function sharesSessions(pool: Db): Promise<boolean> {
  return onConnection(pool, (first) =>
    onConnection(pool, async (second) => {
      const sessions = new Map<unknown, unknown>();
      for (const run of [first, second, first, second]) {
        const [row] = (await run(plain("select pg_backend_pid() as session"))).rows;
        const { session }: { session?: number } = row ?? {};
        if ((sessions.get(session) ?? run) !== run) return true;
        sessions.set(session, run);
      }
      return false;
    }),
  );
}
