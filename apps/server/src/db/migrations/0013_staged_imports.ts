import type { Knex } from "knex";

/**
 * Where the rows of an import wait until one short transaction publishes them (docs/decisions/0018-import.md). `staged_events` has the
 * columns of `events`. Rows whose import has no row in `staged_imports` are of no use, and a job removes them.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable("staged_imports", (table) => {
    table.bigIncrements("id");
    table.bigInteger("expires_at").notNullable();
  });
  await db.schema.createTable("staged_events", (table) => {
    for (const name of ["import_id", "place", ...integers]) table.bigInteger(name).notNullable();
    for (const name of ["action", ...texts]) table.text(name).notNullable();
    for (const name of ["json", "import_uid", "import_recurrence_id", "type", "message_id", "payload"])
      table.text(name);
    table.bigInteger("sync_id");
    table.primary(["import_id", "place"]);
  });
  await db.schema.createTable("staged_values", (table) => {
    for (const name of ["import_id", "place", "calendar_id", "event_id"])
      table.bigInteger(name).notNullable();
    for (const name of ["kind", "name", "value_hash"]) table.text(name).notNullable();
    table.primary(["import_id", "place"]);
  });
  const { dialect }: { readonly dialect: string } = db.client;
  // SQLite adds this row with the first event; ids are reserved before.
  if (dialect === "sqlite3")
    await db.raw(
      "insert into sqlite_sequence (name, seq) select 'events', 0 where not exists (select 1 from sqlite_sequence where name = 'events')",
    );
}

const integers = [
  "id account_id calendar_id start_local end_local start_month start_at end_at all_day updated_times created_at modified_at",
  "feed_version moves moved_at series_id series_place json_of replaces_values replaces_categories",
].flatMap((names) => names.split(" "));

const texts = [
  "uid title description location organizer organizer_email timezone color_id reminder status custom_data categories",
].flatMap((names) => names.split(" "));
