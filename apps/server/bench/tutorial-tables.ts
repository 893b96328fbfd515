import type { Db } from "../src/db/open-database.js";

/** Creates the tables of the tutorial server. */
export async function createTutorialTables(db: Db): Promise<void> {
  await db.schema.createTable("accounts", (table) => {
    table.increments("id");
    table.text("name").notNullable();
    table.string("token_hash").notNullable().unique();
  });
  await db.schema.createTable("calendars", (table) => {
    table.increments("id");
    table.integer("account_id").notNullable().references("accounts.id").index();
    table.string("uniquekey").notNullable().unique();
    for (const name of ["title", "calendarname", "description", "timezone"]) table.text(name).notNullable();
    table.bigInteger("created_at").notNullable();
    table.bigInteger("modified_at").notNullable();
  });
  await db.schema.createTable("events", (table) => {
    table.increments("id");
    table.integer("calendar_id").notNullable().references("calendars.id");
    for (const name of ["uid", "title", "description", "location", "organizer", "organizer_email"])
      table.text(name).notNullable();
    for (const name of ["timezone", "color_id", "reminder"]) table.text(name).notNullable().defaultTo("");
    for (const name of ["start_at", "end_at", "created_at", "modified_at"])
      table.bigInteger(name).notNullable();
    table.integer("all_day").notNullable().defaultTo(0);
    table.integer("updated_times").notNullable().defaultTo(0);
    table.index(["calendar_id", "id"]);
    table.index(["calendar_id", "start_at"]);
  });
}
