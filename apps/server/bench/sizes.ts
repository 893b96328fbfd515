import pg from "pg";
import { openDatabase } from "../src/db/open-database.js";
import { startPostgres } from "../test/postgres.js";
import { benchToken, calendars, fillKalends, insertSubscribers } from "./data.js";
import { benchEvent, insertMade } from "./rows.js";
import { startKalends } from "./servers.js";
import { dataTime } from "./stores.js";

// Prints the size of a row on PostgreSQL, with its indexes: for docs/capacity.md.
//   npm run pnpm -- --filter @kalends/server bench:sizes

const subscriberCount = 20_000;

/** Events that the server creates, so that they have what it writes into other tables. */
const createdCount = 2_000;

interface Table {
  readonly relname: string;
  readonly rows: number;
  readonly heap: number;
  readonly indexes: number;
}

/** Each calendar is polled by four apps on a day. */
function dayOfPolls(number: number) {
  const name = ["apple", "google", "outlookcom", "ical"][number % 4] ?? "";
  return { calendar_id: 1 + Math.floor(number / 4), kind: "polls", day: 20_000, name, count: 24 };
}

async function createEvents(url: string): Promise<void> {
  const server = await startKalends(url);
  const headers = { Authorization: `Bearer ${benchToken}`, "Content-Type": "application/json" };
  const set = { calendarId: calendars.creates, count: createdCount, everySeconds: 86_400 };
  for (let number = 0; number < createdCount; number++) {
    const { title, description, location, organizer, organizer_email } = benchEvent(set, number, dataTime());
    const texts = { title, description, location, organizer, organizer_email };
    const body = { ...texts, calendar_id: set.calendarId, start_date: "2027-01-01 10:00" };
    const address = `${server.url}/api/v1/calendars/events/create/`;
    const response = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  }
  await server.stop();
}

/** Removes dead rows. Connections of the server's own pool send other statements with each. */
async function vacuum(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("vacuum full analyze");
  await client.end();
}

async function main(): Promise<void> {
  const server = await startPostgres();
  const db = await openDatabase(`${server.url}/postgres`);
  try {
    await fillKalends(`${server.url}/postgres`, "small", dataTime());
    await db.exclusively((trx) =>
      insertSubscribers(trx, db.dialect.items, calendars.subscribers, subscriberCount, dataTime()),
    );
    await db.exclusively(async (trx) => {
      const place = { trx, items: db.dialect.items };
      await insertMade(place, "calendar_days", subscriberCount, dayOfPolls);
      await insertMade(place, "event_categories", subscriberCount, (number) => ({
        calendar_id: 1,
        event_id: number,
        name: "Concerts",
      }));
    });
    await createEvents(`${server.url}/postgres`);
    await vacuum(`${server.url}/postgres`);
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
