import type { Db } from "./database.js";
import type { PropertyRow } from "./rows.js";

// Facts about the installation, by name.

/** Name of the property with the secret of an installation, which its first start makes and which stays. */
export const secretProperty = "feed_secret";

const properties = (db: Db) => db<PropertyRow>("properties");

/** Returns the value of a property; undefined when it was never set. */
export async function findProperty(db: Db, name: string): Promise<string | undefined> {
  const row = await properties(db).where({ name }).first();
  return row?.value;
}

/** Sets a property. */
export async function setProperty(trx: Db, name: string, value: string): Promise<void> {
  await properties(trx).insert({ name, value }).onConflict("name").merge();
}

/** Returns the properties whose names begin so, which has no wildcards, in the order of the names. */
export function listProperties(db: Db, prefix: string, limit: number): Promise<PropertyRow[]> {
  return properties(db).whereLike("name", `${prefix}%`).orderBy("name").limit(limit);
}

export async function deleteProperties(trx: Db, names: readonly string[]): Promise<void> {
  await properties(trx).whereIn("name", names).delete();
}

/** Sets a property unless it is set: of several servers the first one decides. */
export async function initProperty(trx: Db, name: string, value: string): Promise<void> {
  await properties(trx).insert({ name, value }).onConflict("name").ignore();
}
