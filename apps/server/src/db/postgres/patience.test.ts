import { expect, test } from "vitest";
import { createTestDatabase, onPostgres } from "../../../test/databases.js";
import { startProxy } from "../../../test/postgres-proxy.js";
import { openDatabase } from "../connect.js";
import { openPostgres } from "./open.js";

// A start, a migration and a command wait for a PostgreSQL that a busy machine stops for longer than a request may wait.
test.runIf(onPostgres)(
  "opening a database and working in it alone outlast a connection that is made too late for a request",
  async () => {
    const database = await createTestDatabase();
    const proxy = await startProxy(database.url);
    const hasty = openPostgres(proxy.url);
    const query = hasty.query<{ n: number }>;
    proxy.stall();
    const opening = openDatabase(proxy.url);
    const working = hasty.exclusively((trx) => trx.raw("select 1"));
    const patient = Promise.all([opening, working]);
    await expect(Promise.race([query("select 1 as n", []), patient])).rejects.toThrow(
      /timeout expired|Timeout acquiring/,
    );
    proxy.resume();
    const [db] = await patient;
    expect(await db.query("select 2 as n", [])).toEqual([{ n: 2 }]);
    for (const each of [db, hasty]) await each.close();
    await proxy.stop();
    await database.remove();
  },
);
