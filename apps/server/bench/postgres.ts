import pg from "pg";
import { startPostgres } from "../test/postgres.js";
import { ownDist } from "./servers.js";
import { fillDatabase, nameOf, type Store } from "./stores.js";

/** Opens a store on a PostgreSQL server that is started for this run, with fsync on. */
export async function openPostgresStore(): Promise<Store> {
  const server = await startPostgres("-c", "fsync=on");
  const templates = new Set<string>();
  let copies = 0;

  async function run(sql: string, database = "postgres"): Promise<void> {
    const client = new pg.Client({ connectionString: `${server.url}/${database}` });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  return {
    name: "PostgreSQL",
    copy: async (kind, size, dist = ownDist) => {
      const template = nameOf(kind, size, dist);
      if (!templates.has(template)) {
        await run(`create database ${template}`);
        await fillDatabase(`${server.url}/${template}`, kind, size, dist);
        await run("vacuum analyze", template); // as autovacuum would
        templates.add(template);
      }
      const name = `copy_${++copies}`;
      await run(`create database ${name} template ${template}`);
      return { url: `${server.url}/${name}`, remove: () => run(`drop database ${name} with (force)`) };
    },
    close: () => server.remove(),
  };
}
