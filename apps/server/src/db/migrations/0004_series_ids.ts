import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/** SQLite adds this row with the first series; imports reserve ids before. */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  if (name === "sqlite")
    await db.raw(`insert into sqlite_sequence (name, seq) select 'series', 0
      where not exists (select 1 from sqlite_sequence where name = 'series')`);
}
