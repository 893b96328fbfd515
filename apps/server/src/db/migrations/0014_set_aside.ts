import type { Knex } from "knex";

/**
 * How often in a row a process ended while it worked on a unit of background work (docs/decisions/0016). A series has had no claim
 * until now, which says that a process works on it. The indexes hold few rows: those whose work did not end.
 */
export async function up(db: Knex): Promise<void> {
  for (const name of ["webhook_deliveries", "calendar_syncs", "series"]) {
    await db.schema.alterTable(name, (table) => {
      table.bigInteger("unfinished_starts").notNullable().defaultTo(0);
    });
  }
  await db.schema.alterTable("series", (table) => {
    table.bigInteger("claimed_until").notNullable().defaultTo(0);
  });
  for (const sql of indexes) await db.raw(sql);
}

const indexes = [
  "create index webhook_deliveries_unfinished on webhook_deliveries (unfinished_starts, endpoint_id) where unfinished_starts > 0",
  "create index series_unfinished on series (unfinished_starts) where unfinished_starts > 0",
  "create index series_claimed on series (claimed_until) where claimed_until > 0",
];
