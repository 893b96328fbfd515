import type { Knex } from "knex";

/**
 * Accounts, tokens, calendars, events, subscribers. Only big integers and text, so that SQLite and PostgreSQL hold the
 * same rows. Identifiers are never reused: AUTOINCREMENT in SQLite, a sequence in PostgreSQL.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable("accounts", (table) => {
    table.bigIncrements("id");
    table.text("name").notNullable();
    table.bigInteger("calendar_saves").notNullable().defaultTo(0);
    table.bigInteger("created_at").notNullable();
  });
  await db.schema.createTable("tokens", (table) => {
    table.bigIncrements("id");
    table.bigInteger("account_id").notNullable().references("accounts.id");
    table.text("hash").notNullable().unique();
    table.text("last_four").notNullable();
    table.text("name").notNullable();
    table.text("scope").notNullable();
    table.bigInteger("created_at").notNullable();
    table.bigInteger("expires_at");
    table.bigInteger("revoked_at");
    table.index("account_id");
  });
  await db.schema.createTable("calendars", (table) => {
    table.bigIncrements("id");
    table.bigInteger("account_id").notNullable().references("accounts.id");
    table.text("uniquekey").notNullable().unique();
    for (const name of ["calendarname", "title", "description", "timezone", "palette_id"])
      table.text(name).notNullable();
    for (const name of ["total", "active", "inactive", "blocked"]) {
      table.bigInteger(`followers_${name}`).notNullable().defaultTo(0);
    }
    table.bigInteger("events_total").notNullable().defaultTo(0);
    table.bigInteger("feed_version").notNullable().defaultTo(1);
    table.bigInteger("save_order").notNullable();
    table.bigInteger("created_at").notNullable();
    table.bigInteger("modified_at").notNullable();
    table.bigInteger("deleted_at");
    table.bigInteger("purge_pending").notNullable().defaultTo(0);
  });
  await db.schema.createTable("events", (table) => {
    table.bigIncrements("id");
    table.bigInteger("account_id").notNullable().references("accounts.id");
    table.bigInteger("calendar_id").notNullable().references("calendars.id");
    table.text("uid").notNullable().unique();
    for (const name of ["title", "description", "location", "organizer", "organizer_email"])
      table.text(name).notNullable();
    for (const name of ["timezone", "color_id", "reminder"]) table.text(name).notNullable();
    for (const name of ["start_local", "end_local", "start_month", "start_at", "end_at", "all_day"]) {
      table.bigInteger(name).notNullable();
    }
    table.bigInteger("updated_times").notNullable().defaultTo(0);
    table.bigInteger("created_at").notNullable();
    table.bigInteger("modified_at").notNullable();
  });
  await db.schema.createTable("subscribers", (table) => {
    table.bigIncrements("id");
    table.bigInteger("account_id").notNullable().references("accounts.id");
    table.bigInteger("calendar_id").notNullable().references("calendars.id");
    for (const name of ["name", "email", "ip", "calendar_type"]) table.text(name).notNullable();
    for (const name of ["postal", "city", "state", "country"]) table.text(name);
    table.bigInteger("active").notNullable();
    table.bigInteger("blocked").notNullable();
    table.bigInteger("subscribed_at").notNullable();
  });
  for (const sql of indexes) await db.raw(sql);
}

/** One index for each order of each list; a page is read from it in order, without sorting or scanning the calendar. */
const indexes = [
  "create index calendars_by_save on calendars (account_id, modified_at, save_order) where deleted_at is null",
  "create index calendars_to_purge on calendars (id) where purge_pending = 1",
  "create index events_by_id on events (calendar_id, id)",
  "create index events_by_start on events (calendar_id, start_at, id)",
  "create index events_by_month_id on events (calendar_id, start_month, id)",
  "create index events_by_month_start on events (calendar_id, start_month, start_at, id)",
  "create index subscribers_by_id on subscribers (calendar_id, id)",
  "create index subscribers_by_date on subscribers (calendar_id, subscribed_at, id)",
  "create index subscribers_inactive_by_id on subscribers (calendar_id, id) where active = 0",
  "create index subscribers_inactive_by_date on subscribers (calendar_id, subscribed_at, id) where active = 0",
  "create index subscribers_blocked_by_id on subscribers (calendar_id, id) where blocked = 1",
  "create index subscribers_blocked_by_date on subscribers (calendar_id, subscribed_at, id) where blocked = 1",
];
