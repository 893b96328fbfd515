import type { Knex } from "knex";

/**
 * What each calendar stores, in bytes, with its events (calendars/stored-bytes.ts). Servers of older versions do not count what they
 * write.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("calendars", (table) => {
    table.bigInteger("stored_bytes").notNullable().defaultTo(0);
  });
  const texts = ["title", "description", "location", "organizer", "organizer_email", "categories"];
  await db.raw(`update calendars set stored_bytes = 1024 + octet_length(title) + octet_length(calendarname)
      + octet_length(description) + 16 * octet_length(custom_data)
      + coalesce((select sum(1024 + 2 * (${texts.map((name) => `octet_length(e.${name})`).join(" + ")})
        + 16 * octet_length(e.custom_data)) from events as e where e.calendar_id = calendars.id), 0)
    where deleted_at is null or purge_pending = 1`);
}
