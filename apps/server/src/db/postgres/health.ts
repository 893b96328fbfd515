import type { Database, Db } from "../database.js";

// Whether transactions can write. A lock on one calendar concerns no other: only what fails every write counts.

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
