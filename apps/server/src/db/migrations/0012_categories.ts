import type { Knex } from "knex";

/**
 * Categories of events, which followers pick from. An event has its names with commas between them; `event_categories` has each by
 * itself, so that the few names of a calendar are found without reading its events. A follower has the names that were picked, or
 * null: everything.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("events", (table) => {
    table.text("categories").notNullable().defaultTo("");
  });
  await db.schema.alterTable("subscribers", (table) => {
    table.text("categories");
  });
  await db.schema.createTable("event_categories", (table) => {
    for (const id of ["calendar_id", "event_id"]) table.bigInteger(id).notNullable();
    table.text("name").notNullable();
    table.primary(["event_id", "name"]);
    table.index(["calendar_id", "name"], "event_categories_search");
  });
  const { dialect }: { readonly dialect: string } = db.client;
  for (const sql of triggers[dialect === "sqlite3" ? "sqlite" : "postgres"]) await db.raw(sql);
}

/** Servers of older versions delete events too. */
const forget = "delete from event_categories where event_id = old.id;";

const triggers = {
  sqlite: [
    `create trigger events_forget_categories after delete on events when old.categories <> '' begin ${forget} end`,
  ],
  postgres: [
    `create function forget_categories() returns trigger language plpgsql as $$ begin
       ${forget}
       return null;
     end $$`,
    `create trigger events_forget_categories after delete on events for each row
     when (old.categories <> '') execute function forget_categories()`,
  ],
};
