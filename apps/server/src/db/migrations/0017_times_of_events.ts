import type { Knex } from "knex";

/**
 * Adds to the indexes by time what says when an event is and how it is marked. SQLite stores a row's columns in their order, and
 * reads through a long description to reach those behind it: a page that shows a month must not. PostgreSQL stores long texts
 * elsewhere. The conditions are those of the indexes before.
 */
export async function up(db: Knex): Promise<void> {
  const { dialect }: { readonly dialect: string } = db.client;
  if (dialect !== "sqlite3") return;
  for (const { name, keys, others, where } of indexes) {
    await db.raw(`drop index ${name}`);
    await db.raw(`create index ${name} on events (${keys}, ${others}) ${where}`);
  }
}

const shown = "all_day, start_local, end_local, status, color_id";

const indexes = [
  { name: "events_by_start", keys: "calendar_id, start_at, id", others: `end_at, ${shown}`, where: "" },
  {
    name: "events_long",
    keys: "calendar_id, end_at, id",
    others: `start_at, ${shown}`,
    where: "where end_at - start_at > 604800",
  },
] as const;
