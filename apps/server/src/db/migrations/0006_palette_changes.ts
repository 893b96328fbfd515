import type { Knex } from "knex";

/** When the calendar got its palette: then the feed entries of its events got other colors. 0 when that was before. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("calendars", (table) => {
    table.bigInteger("palette_changed_at").notNullable().defaultTo(0);
  });
}
