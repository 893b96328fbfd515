import type { Database, Db } from "../database.js";
import { watchWrites, type WriteHealth } from "../write-health.js";
import { postgresFailure } from "./failures.js";

// Whether the database can be read and written. A lock on one calendar concerns no other: only what fails every write counts.

/** Fails on a server that is read-only, such as a standby, also where there is no such row. Writes nothing. */
const requireWritableServer = `select from properties where name = '' for update`;

/** The mode in which rows are written; it is had at once unless the table is locked as a whole. */
const lockTables = `lock table accounts, calendars, events, event_counts, subscribers in row exclusive mode`;

/** @throws Error where no transaction could write, such as on a standby or for a role that may only read. Writes nothing. */
export async function requireWritable(trx: Db): Promise<void> {
  await trx.raw(requireWritableServer);
  await trx.raw(lockTables);
}

/** @throws Error on a standby, and for a role that may not create tables. The table that it creates is rolled back. */
export async function requireNewTables({ transaction }: Pick<Database, "transaction">): Promise<void> {
  const created = new Error("created");
  await transaction(async (trx) => {
    await trx.raw("create table kalends_doctor (n int)");
    throw created;
  }).catch((error: unknown) => {
    if (error !== created) throw error;
  });
}

const testName = "write_test";

export function watchHealth(pool: Db): WriteHealth {
  const writes = watchWrites({
    begin: () => pool.transaction(requireWritable),
    store: () =>
      pool.transaction(async (trx) => {
        await trx.raw(lockTables);
        await trx.raw("insert into properties (name, value) values (?, '')", [testName]);
        await trx.raw("delete from properties where name = ?", [testName]);
      }),
    concernsAll: (error) => postgresFailure(error)?.startsWith("storage_") === true,
    oneAtATime: false,
  });
  return {
    writing: writes.writing,
    check: async () => {
      await pool.raw("select id from calendars order by id limit 1");
      await writes.check();
    },
  };
}
