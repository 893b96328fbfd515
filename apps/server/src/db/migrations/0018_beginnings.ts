import type { Knex } from "knex";

/**
 * Adds an index of the events with long descriptions, with what lists of the next events print of them. SQLite reads a long text
 * through to cut it, or to reach the columns behind it. PostgreSQL stores long texts elsewhere.
 */
export async function up(db: Knex): Promise<void> {
  const { dialect }: { readonly dialect: string } = db.client;
  if (dialect !== "sqlite3") return;
  await db.raw(
    `create index events_beginnings on events (id, location, organizer, substr(description, 1, 700))
     where octet_length(description) > 1000`,
  );
}
