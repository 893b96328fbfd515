import { openDatabase } from "../src/db/open-database.js";
import { migrate } from "../src/db/migrate.js";
import { applyZoneData } from "../src/events/rezone.js";

/** Brings an empty database to where the first start of a server would, without an account. */
export async function applySchema(url: string): Promise<void> {
  const database = await openDatabase(url);
  try {
    await migrate(database, 0);
    await applyZoneData(database, 0);
  } finally {
    await database.close();
  }
}
