import type { Knex } from "knex";

/**
 * An index of the few events longer than a week by their end: what began long ago and is still running. Shorter events are
 * found by their start. The condition is that of events/queries.ts.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(
    "create index events_long on events (calendar_id, end_at, id) where end_at - start_at > 604800",
  );
}
