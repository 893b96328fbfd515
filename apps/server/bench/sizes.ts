import { openDatabase } from "../src/db/open-database.js";
import { startPostgres } from "../test/postgres.js";
import { calendars, fillKalends, insertSubscribers } from "./data.js";
import { dataTime } from "./stores.js";

// Prints the size of a row on PostgreSQL, with its indexes: for docs/capacity.md.
//   npm run pnpm -- --filter @kalends/server bench:sizes

const subscriberCount = 20_000;

interface Table {
  readonly relname: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
}

async function main(): Promise<void> {
  const server = await startPostgres();
  const db = await openDatabase(`${server.url}/postgres`);
  try {
    await fillKalends(`${server.url}/postgres`, "small", dataTime());
    await db.exclusively((trx) =>
      insertSubscribers(trx, db.dialect.items, calendars.subscribers, subscriberCount, dataTime()),
    );
    await db.read.raw("vacuum full analyze"); // removes dead rows
    const { rows }: { rows: readonly Table[] } = await db.read.raw(`
      select relname, reltuples::bigint as rows, pg_table_size(oid) as heap, pg_indexes_size(oid) as indexes
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= 1000
      order by relname`);
    console.log("| Table | Rows | Bytes/row | Index bytes/row |");
    console.log("| --- | --- | --- | --- |");
    for (const { relname, rows: count, heap, indexes } of rows)
      console.log(`| ${relname} | ${count} | ${Math.round(heap / count)} | ${Math.round(indexes / count)} |`);
  } finally {
    await db.close();
    await server.remove();
  }
}

await main();
