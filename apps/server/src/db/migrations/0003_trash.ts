import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/** What was deleted and can be restored (docs/decisions/0014-deleted-data.md). */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const id = `${name === "sqlite" ? "integer" : "bigint"} not null primary key`;
  for (const sql of [...tables(id), ...indexes]) await db.raw(sql);
}

const tables = (id: string): readonly string[] => [
  // The columns of an event without its list item, and of its row in imported_events. Short columns come first.
  `create table trashed_events (
    id ${id},
    account_id bigint not null,
    calendar_id bigint not null,
    deleted_at bigint not null,
    bytes bigint not null,
    sync_id bigint,
    start_local bigint not null,
    end_local bigint not null,
    start_month bigint not null,
    start_at bigint not null,
    end_at bigint not null,
    all_day bigint not null,
    updated_times bigint not null,
    created_at bigint not null,
    modified_at bigint not null,
    feed_version bigint not null,
    moves bigint not null,
    moved_at bigint not null,
    series_id bigint not null,
    series_place bigint not null,
    uid text not null,
    import_uid text,
    import_recurrence_id text,
    timezone text not null,
    color_id text not null,
    reminder text not null,
    status text not null,
    title text not null,
    location text not null,
    organizer text not null,
    organizer_email text not null,
    description text not null,
    categories text not null,
    custom_data text not null
  )`,
  // The columns of a series.
  `create table trashed_series (
    id ${id},
    account_id bigint not null,
    calendar_id bigint not null,
    rule_all_day bigint not null,
    start_local bigint not null,
    from_place bigint not null,
    before_place bigint not null,
    shift bigint not null,
    length bigint not null,
    all_day bigint not null,
    made_until bigint not null,
    next_at bigint,
    created_at bigint not null,
    claimed_until bigint not null,
    unfinished_starts bigint not null,
    timezone text not null,
    rule_timezone text not null,
    rrule text not null,
    rdate text not null,
    exdate text not null,
    template text not null
  )`,
  "alter table calendars add column trashed bigint not null default 0",
  "alter table calendars add column purged_version bigint not null default 0",
];

const indexes = [
  "create index trashed_events_by_account on trashed_events (account_id, deleted_at, id)",
  "create index trashed_events_by_calendar on trashed_events (calendar_id, deleted_at, id)",
  "create index trashed_events_of_series on trashed_events (series_id, series_place) where series_id > 0",
  "create index trashed_series_by_calendar on trashed_series (calendar_id)",
  "create index calendars_trashed on calendars (account_id, deleted_at, id) where trashed = 1",
  "create index calendars_trash_to_purge on calendars (id) where purged_version > 0",
];
