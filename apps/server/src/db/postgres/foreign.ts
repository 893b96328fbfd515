import type { Db } from "../database.js";

/** Tables of extensions, such as PostGIS, do not count. */
const tablesSql = `select
  (select relname from here where not exists
    (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = here.oid and d.deptype = 'e')
    order by relname limit 1) as first,
  (select count(*) from pg_attribute a join here on here.oid = a.attrelid
    where here.relname = 'migrations' and a.attname in ('name', 'applied_at')) = 2 as "areOurs",
  current_database() as name`;

const inspectionSql = `with here as (select oid, relname from pg_class where relkind in ('r', 'p')
  and relnamespace = (select oid from pg_namespace where nspname = current_schema())) ${tablesSql}`;

interface Inspection {
  readonly name: string;
  readonly first: string | null;
  readonly areOurs: boolean;
}

/** Refuses the database of another program, to which migrations would add tables. @throws Error that names the database */
export async function requireOwnDatabase(pool: Db): Promise<void> {
  const { rows }: { rows: readonly Inspection[] } = await pool.raw(inspectionSql);
  const [found] = rows;
  if (found === undefined) return;
  if (!found.areOurs && found.first !== null)
    throw new Error(
      `The database ${found.name} is that of another program: it has the table ${found.first}, and none of Kalends. It was not changed: name another database.`,
    );
}
