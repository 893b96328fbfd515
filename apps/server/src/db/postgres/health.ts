import type { Db } from "../database.js";
import { watchWrites, type WriteHealth } from "../write-health.js";
import { postgresFailure } from "./failures.js";

// Whether the database can be read and written. A lock on one calendar concerns no other: only what fails every write counts.

/** Fails on a server that is read-only, such as a standby, also where there is no such row. Writes nothing. */
const requireWritable = `select from properties where name = '' for update`;

/** The mode in which rows are written; it is had at once unless the table is locked as a whole. */
const lockTables = `lock table accounts, calendars, events, event_counts, subscribers in row exclusive mode`;

const testName = "write_test";

export function watchHealth(pool: Db): WriteHealth {
  const writes = watchWrites({
    begin: () =>
      pool.transaction(async (trx) => {
        await trx.raw(requireWritable);
        await trx.raw(lockTables);
      }),
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
