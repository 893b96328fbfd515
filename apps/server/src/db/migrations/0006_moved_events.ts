import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/**
 * An event that moves from calendar to calendar leaves a row in each: the key of `deleted_events` begins with the calendar. The index by
 * UID has the calendar too, since a planner else prefers the key, and reads all deletions of the calendar.
 */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  for (const sql of name === "sqlite" ? sqlite : postgres) await db.raw(sql);
}

const columns = "id, account_id, calendar_id, uid, feed_version, deleted_at";

const byUid = "create index deleted_events_uid on deleted_events (uid, calendar_id)";

const sqlite = [
  `create table deleted_events_by_calendar (
    id bigint not null,
    account_id bigint not null,
    calendar_id bigint not null,
    uid text not null,
    feed_version bigint not null,
    deleted_at bigint not null,
    primary key (calendar_id, id)
  )`,
  `insert into deleted_events_by_calendar (${columns}) select ${columns} from deleted_events`,
  "drop table deleted_events",
  "alter table deleted_events_by_calendar rename to deleted_events",
  "create index deleted_events_changes on deleted_events (calendar_id, feed_version, id)",
  "create index deleted_events_age on deleted_events (deleted_at)",
  byUid,
];

const postgres = [
  "alter table deleted_events drop constraint deleted_events_pkey",
  "alter table deleted_events add primary key (calendar_id, id)",
  "drop index deleted_events_uid",
  byUid,
];
