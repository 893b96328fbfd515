import type { Knex } from "knex";

/** Has each sync read its file whole at its next run: events that are private came from it before, and are to go. */
export async function up(db: Knex): Promise<void> {
  await db("calendar_syncs").update({ read_at: null });
}
