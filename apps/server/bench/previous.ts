import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../src/db/connect.js";
import { migrations } from "../src/db/migrate.js";

/**
 * Lets a build of a release before run on a copy of the data: removes the names of the migrations that it does not know, which it
 * would refuse. Their columns and triggers stay: it works on today's schema (docs/decisions/0003).
 */
export async function forgetLaterMigrations(url: string, dist: string): Promise<void> {
  const files = readdirSync(dist).filter((file) => file.endsWith(".js"));
  const code = files.map((file) => readFileSync(join(dist, file), "utf8")).join("\n");
  const later = migrations.map(({ name }) => name).filter((name) => !code.includes(name));
  if (later.length === 0) return;
  const db = await openDatabase(url);
  await db.transaction((trx) => trx("migrations").whereIn("name", later).delete());
  await db.close();
}
