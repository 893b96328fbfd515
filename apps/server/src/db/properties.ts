import type { Db } from "./database.js";
import type { PropertyRow } from "./rows.js";

/** Name of the property with the installation's secret, which its first start generates. */
export const secretProperty = "feed_secret";

const properties = (db: Db) => db<PropertyRow>("properties");

/** Returns the value of a property; undefined when it was never set. */
export async function findProperty(db: Db, name: string): Promise<string | undefined> {
  const row = await properties(db).where({ name }).first();
  return row?.value;
}

export async function setProperty(trx: Db, name: string, value: string): Promise<void> {
  await properties(trx).insert({ name, value }).onConflict("name").merge();
}

/** Lets one transaction at a time pass, of all servers. SQLite has one writer anyway. */
export async function lockProperty(trx: Db, name: string): Promise<void> {
  await properties(trx).where({ name }).forNoKeyUpdate().select("name");
}

/** Sets a property that needs a new database page, and removes it. @throws Error where nothing can be written */
export async function tryWrite(trx: Db): Promise<void> {
  const name = "write_test";
  await setProperty(trx, name, " ".repeat(5_000));
  await properties(trx).where({ name }).delete();
}

/** Sets a property unless it is set: the first server wins. */
export async function initProperty(trx: Db, name: string, value: string): Promise<void> {
  await properties(trx).insert({ name, value }).onConflict("name").ignore();
}
