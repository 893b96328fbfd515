import type { Db } from "../database.js";

/** Drafts are events out of sight, as those of the trash are (docs/decisions/0014-deleted-data.md). */
export async function up(db: Db): Promise<void> {
  for (const sql of [
    "alter table trashed_events add column publish_at bigint",
    "alter table trashed_events add column preview_key text",
    "alter table trashed_events add column found_words text not null default ''",
    "alter table trashed_events add column found_data text not null default ''",
    "create index drafts_by_calendar on trashed_events (calendar_id, start_at, id) where deleted_at = 0",
    "create index drafts_by_uid on trashed_events (uid) where deleted_at = 0",
    "create index drafts_imported on trashed_events (calendar_id, import_uid) where deleted_at = 0",
    "create index drafts_due on trashed_events (publish_at, id) where deleted_at = 0 and publish_at is not null",
  ])
    await db.raw(sql);
}
