import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/**
 * The tables of the first release. Only big integers and text, so that SQLite and PostgreSQL hold the same rows. Ids are never
 * reused: AUTOINCREMENT in SQLite, a sequence in PostgreSQL.
 */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const id = name === "sqlite" ? "integer not null primary key autoincrement" : "bigserial primary key";
  // Of indexes that cost the same, PostgreSQL takes the one made last: that of a month, not that of the whole calendar.
  const rest = name === "sqlite" ? [...indexes, ...sqlite] : [...postgres, ...indexes];
  for (const sql of [...tables(id), ...rest]) await db.raw(sql);
}

/**
 * Of events, whether they are published or staged. Short columns come first, since SQLite reads through a long text to reach those
 * behind it. `json` is the list item (events/listed-json.ts).
 */
const eventColumns = `
    start_local bigint not null,
    end_local bigint not null,
    start_month bigint not null,
    start_at bigint not null,
    end_at bigint not null,
    all_day bigint not null,
    updated_times bigint not null default 0,
    created_at bigint not null,
    modified_at bigint not null,
    feed_version bigint not null,
    moves bigint not null default 0,
    moved_at bigint not null default 0,
    series_id bigint not null default 0,
    series_place bigint not null default 0,
    timezone text not null,
    color_id text not null,
    reminder text not null,
    status text not null default 'confirmed',
    title text not null,
    location text not null,
    organizer text not null,
    organizer_email text not null,
    json text not null,
    description text not null,
    categories text not null default '',
    custom_data text not null default '{}'`;

const tables = (id: string): readonly string[] => [
  `create table accounts (
    id ${id},
    name text not null,
    calendar_saves bigint not null default 0,
    webhooks bigint not null default 0,
    created_at bigint not null,
    disabled_at bigint,
    deleted_at bigint
  )`,
  `create table tokens (
    id ${id},
    account_id bigint not null references accounts (id),
    hash text not null,
    last_four text not null,
    name text not null,
    scope text not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    last_used_at bigint
  )`,
  `create table calendars (
    id ${id},
    account_id bigint not null references accounts (id),
    followers_total bigint not null default 0,
    followers_active bigint not null default 0,
    followers_inactive bigint not null default 0,
    followers_blocked bigint not null default 0,
    events_total bigint not null default 0,
    stored_bytes bigint not null default 0,
    feed_version bigint not null default 1,
    feed_modified_at bigint not null default 0,
    feed_cut bigint not null default 0,
    palette_changed_at bigint not null default 0,
    searchable bigint not null default 0,
    save_order bigint not null,
    created_at bigint not null,
    modified_at bigint not null,
    deleted_at bigint,
    purge_pending bigint not null default 0,
    uniquekey text not null,
    timezone text not null,
    palette_id text not null,
    title text not null,
    calendarname text not null,
    description text not null,
    custom_data text not null default '{}'
  )`,
  `create table calendar_values (
    account_id bigint not null,
    calendar_id bigint not null,
    name text not null,
    value_hash text not null,
    primary key (calendar_id, name)
  )`,
  `create table events (
    id ${id},
    account_id bigint not null references accounts (id),
    calendar_id bigint not null references calendars (id),
    uid text not null, ${eventColumns}
  )`,
  // How many events of a calendar start in each 2^18 seconds, which is three days.
  `create table event_counts (
    account_id bigint not null,
    calendar_id bigint not null,
    bucket bigint not null,
    events bigint not null,
    primary key (account_id, calendar_id, bucket)
  )`,
  // The values at the top level of custom_data, by which lists are filtered. A value may be long, so its hash stands for it.
  `create table event_values (
    calendar_id bigint not null,
    event_id bigint not null,
    name text not null,
    value_hash text not null,
    primary key (event_id, name)
  )`,
  // Each name of events.categories, so that the few names of a calendar are found without reading its events.
  `create table event_categories (
    calendar_id bigint not null,
    event_id bigint not null,
    name text not null,
    primary key (event_id, name)
  )`,
  `create table deleted_events (
    id bigint not null primary key,
    account_id bigint not null,
    calendar_id bigint not null,
    uid text not null,
    feed_version bigint not null,
    deleted_at bigint not null
  )`,
  `create table series (
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
    claimed_until bigint not null default 0,
    unfinished_starts bigint not null default 0,
    timezone text not null,
    rule_timezone text not null,
    rrule text not null,
    rdate text not null,
    exdate text not null,
    template text not null
  )`,
  `create table subscribers (
    id ${id},
    account_id bigint not null references accounts (id),
    calendar_id bigint not null references calendars (id),
    active bigint not null,
    blocked bigint not null,
    subscribed_at bigint not null,
    last_seen_at bigint not null default 0,
    type_confirmed bigint not null default 0,
    unfollowed_at bigint,
    key_hash text,
    calendar_type text not null,
    name text not null,
    email text not null,
    ip text not null,
    postal text,
    city text,
    state text,
    country text,
    categories text
  )`,
  `create table properties (
    name text not null primary key,
    value text not null
  )`,
  `create table idempotency_keys (
    account_id bigint not null,
    key text not null,
    operation text not null,
    parameters_hash text not null,
    created_at bigint not null,
    body text not null,
    primary key (account_id, key)
  )`,
  `create table webhook_endpoints (
    id ${id},
    account_id bigint not null references accounts (id),
    calendar_id bigint,
    with_person bigint not null,
    state text not null,
    url text not null,
    types text not null,
    secret text not null,
    previous_secret text,
    previous_until bigint,
    disabled_reason text,
    disabled_at bigint,
    created_at bigint not null
  )`,
  // The outbox. It references neither endpoint nor calendar: the locks of foreign keys would make writers wait for each other.
  `create table webhook_deliveries (
    id ${id},
    endpoint_id bigint not null,
    calendar_id bigint not null,
    subscriber_id bigint,
    attempts bigint not null default 0,
    next_at bigint not null default 0,
    unfinished_starts bigint not null default 0,
    status bigint,
    duration_ms bigint,
    created_at bigint not null,
    attempted_at bigint,
    state text not null default 'pending',
    sender text not null default '',
    message_id text not null,
    type text not null,
    error text,
    payload text not null
  )`,
  // A table of its own, since few events come from a file and each write of an event would take longer.
  `create table imported_events (
    event_id bigint not null primary key,
    calendar_id bigint not null,
    import_uid text not null,
    import_recurrence_id text not null,
    sync_id bigint
  )`,
  `create table calendar_syncs (
    id ${id},
    account_id bigint not null,
    calendar_id bigint not null,
    url text not null,
    host text not null,
    every_seconds bigint not null,
    next_at bigint not null,
    claim text not null default '',
    claimed_until bigint not null default 0,
    unfinished_starts bigint not null default 0,
    etag text not null default '',
    last_modified text not null default '',
    error text not null default '',
    report text not null default '',
    failures bigint not null default 0,
    tried_at bigint,
    read_at bigint,
    created_at bigint not null
  )`,
  // Rows of an import, until one short transaction publishes them (docs/decisions/0018-import.md).
  `create table staged_imports (
    id ${id},
    expires_at bigint not null
  )`,
  `create table staged_events (
    import_id bigint not null,
    place bigint not null,
    action text not null,
    id bigint not null,
    account_id bigint not null,
    calendar_id bigint not null,
    uid text not null,
    import_uid text,
    import_recurrence_id text,
    sync_id bigint,
    replaces_values bigint not null,
    replaces_categories bigint not null, ${eventColumns},
    type text,
    message_id text,
    payload text,
    primary key (import_id, place)
  )`,
  `create table staged_values (
    import_id bigint not null,
    place bigint not null,
    calendar_id bigint not null,
    event_id bigint not null,
    kind text not null,
    name text not null,
    value_hash text not null,
    primary key (import_id, place)
  )`,
];

/** One index for each order of each list; a page is read from it in order, without sorting or scanning the calendar. */
const indexes = [
  "create unique index tokens_by_hash on tokens (hash)",
  "create index tokens_by_account on tokens (account_id)",
  "create unique index calendars_by_key on calendars (uniquekey)",
  "create index calendars_by_save on calendars (account_id, modified_at, save_order) where deleted_at is null",
  "create index calendars_to_purge on calendars (id) where purge_pending = 1",
  "create index calendar_values_search on calendar_values (account_id, name, value_hash, calendar_id)",
  "create unique index events_by_uid on events (uid)",
  "create index events_by_id on events (calendar_id, id)",
  "create index events_by_month_id on events (calendar_id, start_month, id)",
  "create index events_by_month_start on events (calendar_id, start_month, start_at, id)",
  "create index events_changes on events (calendar_id, feed_version, id)",
  "create index events_of_series on events (series_id, series_place) where series_id > 0",
  "create index event_values_search on event_values (calendar_id, name, value_hash, event_id)",
  "create index event_categories_search on event_categories (calendar_id, name)",
  "create index deleted_events_changes on deleted_events (calendar_id, feed_version, id)",
  "create index deleted_events_age on deleted_events (deleted_at)",
  "create index deleted_events_uid on deleted_events (uid)",
  "create index series_by_calendar on series (calendar_id)",
  "create index series_due on series (next_at) where next_at is not null",
  "create index series_claimed on series (claimed_until) where claimed_until > 0",
  "create index series_unfinished on series (unfinished_starts) where unfinished_starts > 0",
  "create unique index subscribers_by_key on subscribers (key_hash)",
  "create index subscribers_by_id on subscribers (calendar_id, id)",
  "create index subscribers_by_date on subscribers (calendar_id, subscribed_at, id)",
  "create index subscribers_inactive_by_id on subscribers (calendar_id, id) where active = 0",
  "create index subscribers_inactive_by_date on subscribers (calendar_id, subscribed_at, id) where active = 0",
  "create index subscribers_blocked_by_id on subscribers (calendar_id, id) where blocked = 1",
  "create index subscribers_blocked_by_date on subscribers (calendar_id, subscribed_at, id) where blocked = 1",
  "create index subscribers_by_last_seen on subscribers (last_seen_at) where active = 1",
  "create index idempotency_keys_age on idempotency_keys (created_at)",
  "create index webhook_endpoints_by_account on webhook_endpoints (account_id)",
  // What is due, of one endpoint after the other: those never tried have 0 as next_at, so they come first, in order.
  "create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_at, id) where state = 'pending'",
  "create index webhook_deliveries_claimed on webhook_deliveries (endpoint_id) where sender <> ''",
  "create index webhook_deliveries_unfinished on webhook_deliveries (unfinished_starts, endpoint_id) where unfinished_starts > 0",
  "create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id)",
  "create index webhook_deliveries_by_calendar on webhook_deliveries (calendar_id)",
  "create index webhook_deliveries_by_subscriber on webhook_deliveries (subscriber_id) where subscriber_id is not null",
  "create index imported_events_by_uid on imported_events (calendar_id, import_uid, import_recurrence_id)",
  "create index imported_events_by_sync on imported_events (sync_id) where sync_id is not null",
  "create index calendar_syncs_due on calendar_syncs (next_at)",
];

// Triggers keep the counts of events, and remove what belongs to an event when it is deleted, however many are. Nothing else does.

const ofBucket = (row: "new" | "old"): string =>
  `account_id = ${row}.account_id and calendar_id = ${row}.calendar_id and bucket = ${row}.start_at >> 18`;
const count = `insert into event_counts (account_id, calendar_id, bucket, events)
    values (new.account_id, new.calendar_id, new.start_at >> 18, 1)
    on conflict (account_id, calendar_id, bucket) do update set events = event_counts.events + 1;`;
const discount = `update event_counts set events = events - 1 where ${ofBucket("old")};
    delete from event_counts where ${ofBucket("old")} and events = 0;`;
const forget = (table: string): string => `delete from ${table} where event_id = old.id;`;

/** The week is that of events/part-queries.ts. */
const longEvents = "where end_at - start_at > 604800";

/** Indexes by time have what says when an event is and how it is marked: a page that shows a month reads no row. */
const marks = "all_day, start_local, end_local, status, color_id";

const sqlite = [
  `create index events_by_start on events (calendar_id, start_at, id, end_at, ${marks})`,
  `create index events_long on events (calendar_id, end_at, id, start_at, ${marks}) ${longEvents}`,
  // What lists of the next events print of those with long descriptions: SQLite reads a long text through to cut it.
  `create index events_beginnings on events (id, location, organizer, substr(description, 1, 700))
    where octet_length(description) > 1000`,
  `create trigger events_count_insert after insert on events begin ${count} end`,
  `create trigger events_count_delete after delete on events begin ${discount} end`,
  `create trigger events_count_move after update of start_at on events
    when old.start_at >> 18 <> new.start_at >> 18 begin ${discount} ${count} end`,
  `create trigger events_forget_values after delete on events when old.custom_data <> '{}'
    begin ${forget("event_values")} end`,
  `create trigger events_forget_categories after delete on events when old.categories <> ''
    begin ${forget("event_categories")} end`,
  `create trigger events_forget_import after delete on events
    when exists (select 1 from imported_events where event_id = old.id) begin ${forget("imported_events")} end`,
  // SQLite adds this row with the first event; ids are reserved before.
  "insert into sqlite_sequence (name, seq) values ('events', 0)",
];

const postgres = [
  "create index events_by_start on events (calendar_id, start_at, id)",
  `create index events_long on events (calendar_id, end_at, id) ${longEvents}`,
  `create function count_events() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then ${discount} end if;
    if tg_op <> 'DELETE' then ${count} end if;
    return null;
  end $$`,
  `create trigger events_count after insert or delete on events for each row execute function count_events()`,
  `create trigger events_count_move after update of start_at on events for each row
    when (old.start_at >> 18 <> new.start_at >> 18) execute function count_events()`,
  `create function forget_event() returns trigger language plpgsql as $$ begin
    if old.custom_data <> '{}' then ${forget("event_values")} end if;
    if old.categories <> '' then ${forget("event_categories")} end if;
    ${forget("imported_events")}
    return null;
  end $$`,
  `create trigger events_forget after delete on events for each row execute function forget_event()`,
];
