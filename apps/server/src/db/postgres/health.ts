import type { Database, Db } from "../database.js";

/** Fails on a read-only server, such as a standby, even though no row matches. */
const requireWritableServer = `select from properties where name = '' for update`;

/** The lock mode of writes, which waits only for a lock on a whole table. */
const lockTables = `lock table accounts, calendars, events, event_counts, subscribers in row exclusive mode`;

/** Writes nothing. @throws Error where no transaction could write, such as on a standby or for a read-only role */
export async function requireWritable(trx: Db): Promise<void> {
  await trx.raw(requireWritableServer);
  await trx.raw(lockTables);
}

/** Creates a table and rolls back. @throws Error on a standby, and for a role that may not create tables */
export async function requireNewTables({ transaction }: Pick<Database, "transaction">): Promise<void> {
  const created = new Error("created");
  await transaction(async (trx) => {
    await trx.raw("create table kalends_doctor (n int)");
    throw created;
  }).catch((error: unknown) => {
    if (error !== created) throw error;
  });
}
