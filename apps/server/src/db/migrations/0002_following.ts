import type { Knex } from "knex";

/**
 * What feeds and followers need. `feed_modified_at` is raised with `feed_version`; `moves` and `moved_at` tell of an event
 * that new zone data moved, without touching what the API shows of it.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("calendars", (table) => {
    for (const name of ["feed_modified_at", "feed_cut", "searchable"]) {
      table.bigInteger(name).notNullable().defaultTo(0);
    }
  });
  await db.raw("update calendars set feed_modified_at = modified_at");
  await db.schema.alterTable("events", (table) => {
    for (const name of ["moves", "moved_at"]) table.bigInteger(name).notNullable().defaultTo(0);
  });
  await db.schema.alterTable("subscribers", (table) => {
    table.text("key_hash");
    for (const name of ["last_seen_at", "type_confirmed"]) table.bigInteger(name).notNullable().defaultTo(0);
    table.bigInteger("unfollowed_at");
  });
  await db.raw("update subscribers set last_seen_at = subscribed_at");
  await db.schema.createTable("properties", (table) => {
    table.text("name").primary();
    table.text("value").notNullable();
  });
  await db.raw("create unique index subscribers_by_key on subscribers (key_hash)");
  await db.raw("create index subscribers_by_last_seen on subscribers (last_seen_at) where active = 1");
}
