import type { Knex } from "knex";

/**
 * Webhooks: endpoints, and a row for each message to each of them, which is the outbox. `accounts.webhooks` counts the enabled
 * endpoints, so that a write learns from a row that it reads anyway whether there is anything to announce. A delivery references
 * neither its endpoint nor its calendar: the locks of foreign keys would make writers wait for each other.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("accounts", (table) => {
    table.bigInteger("webhooks").notNullable().defaultTo(0);
  });
  await db.schema.createTable("webhook_endpoints", (table) => {
    table.bigIncrements("id");
    table.bigInteger("account_id").notNullable().references("accounts.id");
    table.bigInteger("calendar_id");
    for (const name of ["url", "types", "secret", "state"]) table.text(name).notNullable();
    table.bigInteger("with_person").notNullable();
    table.text("previous_secret");
    table.bigInteger("previous_until");
    table.text("disabled_reason");
    table.bigInteger("disabled_at");
    table.bigInteger("created_at").notNullable();
    table.index("account_id");
  });
  await db.schema.createTable("webhook_deliveries", (table) => {
    table.bigIncrements("id");
    for (const name of ["endpoint_id", "calendar_id"]) table.bigInteger(name).notNullable();
    table.bigInteger("subscriber_id");
    for (const name of ["message_id", "type", "payload"]) table.text(name).notNullable();
    table.text("state").notNullable().defaultTo("pending");
    table.bigInteger("attempts").notNullable().defaultTo(0);
    table.bigInteger("next_at").notNullable().defaultTo(0);
    table.text("sender").notNullable().defaultTo("");
    for (const name of ["status", "duration_ms"]) table.bigInteger(name);
    table.text("error");
    table.bigInteger("created_at").notNullable();
    table.bigInteger("attempted_at");
  });
  for (const sql of indexes) await db.raw(sql);
}

const indexes = [
  // what is due, of one endpoint after the other: those never tried have 0 as next_at, so they come first, in order
  "create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_at, id) where state = 'pending'",
  "create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where sender <> ''",
  "create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id)",
  "create index webhook_deliveries_by_calendar on webhook_deliveries (calendar_id)",
  "create index webhook_deliveries_by_subscriber on webhook_deliveries (subscriber_id) where subscriber_id is not null",
];
