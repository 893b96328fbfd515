import type { Knex } from "knex";

/**
 * Imports (docs/extensions.md). An event that came from a file has a row with the UID and RECURRENCE-ID that it has there: our own
 * UIDs are random and unique. It is a table of its own, since few events have it and each write of an event would take longer. A
 * trigger removes the row with its event, for servers of older versions too. A sync fetches a file again and again.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable("imported_events", (table) => {
    table.bigInteger("event_id").notNullable().primary();
    table.bigInteger("calendar_id").notNullable();
    table.text("import_uid").notNullable();
    table.text("import_recurrence_id").notNullable();
    table.bigInteger("sync_id");
    table.index(["calendar_id", "import_uid", "import_recurrence_id"], "imported_events_by_uid");
  });
  await db.schema.createTable("calendar_syncs", (table) => {
    table.bigIncrements("id");
    for (const name of ["account_id", "calendar_id"]) table.bigInteger(name).notNullable();
    for (const name of ["url", "host"]) table.text(name).notNullable();
    table.bigInteger("every_seconds").notNullable();
    table.bigInteger("next_at").notNullable();
    table.bigInteger("claimed_until").notNullable().defaultTo(0);
    table.text("claim").notNullable().defaultTo("");
    for (const name of ["etag", "last_modified", "error", "report"])
      table.text(name).notNullable().defaultTo("");
    table.bigInteger("failures").notNullable().defaultTo(0);
    for (const name of ["tried_at", "read_at"]) table.bigInteger(name);
    table.bigInteger("created_at").notNullable();
    table.index(["next_at"], "calendar_syncs_due");
  });
  await db.raw("create index imported_events_by_sync on imported_events (sync_id) where sync_id is not null");
  const { dialect }: { readonly dialect: string } = db.client;
  for (const sql of dialect === "sqlite3" ? sqlite : postgres) await db.raw(sql);
}

const forget = "delete from imported_events where event_id = old.id;";

const sqlite = [
  `create trigger events_forget_import after delete on events
     when exists (select 1 from imported_events where event_id = old.id) begin ${forget} end`,
];

const postgres = [
  `create function forget_import() returns trigger language plpgsql as $$ begin ${forget} return null; end $$`,
  `create trigger events_forget_import after delete on events for each row execute function forget_import()`,
];
