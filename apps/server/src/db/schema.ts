import type { Db } from "./database.js";
import { mailIndexes, mailTables } from "./mail-tables.js";
import { pictureIndexes, pictureTables, seriesPictures } from "./picture-tables.js";
import type { Dialect } from "./query.js";

/**
 * Creates all tables. Columns are big integers and text, so that SQLite and PostgreSQL hold the same rows. Ids are never
 * reused: AUTOINCREMENT in SQLite, a sequence in PostgreSQL.
 */
export async function createSchema(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  for (const sql of schemaStatements(name)) await db.raw(sql);
}

/** Returns the statements in their order; the first of each table creates it. */
export function schemaStatements(name: Dialect["name"]): readonly string[] {
  const isSqlite = name === "sqlite";
  const id = isSqlite ? "integer not null primary key autoincrement" : "bigserial primary key";
  const tables = [
    ...accountTables(id),
    ...calendarTables(id),
    ...hiddenTables(id, `${isSqlite ? "integer" : "bigint"} not null primary key`),
    searchTable(isSqlite ? " without rowid" : ""),
    ...jobTables(id),
    ...mailTables(id),
  ];
  // Of indexes with the same cost, PostgreSQL takes the newest: that of a month must win over that of the calendar.
  return [...tables, ...(isSqlite ? [...indexes, ...sqlite] : [...postgres, ...indexes])];
}

// Short columns come first, since SQLite reads through a long text to reach the columns behind it.

const eventColumns = `
    state text not null default 'published', deleted_at bigint, publish_at bigint, preview_key text,
    start_local bigint not null, end_local bigint not null, start_month bigint not null,
    start_at bigint not null, end_at bigint not null, all_day bigint not null,
    updated_times bigint not null default 0, created_at bigint not null, modified_at bigint not null,
    feed_version bigint not null, moves bigint not null default 0, moved_at bigint not null default 0,
    series_id bigint not null default 0, series_place bigint not null default 0,
    timezone text not null, color_id text not null, reminder text not null,
    status text not null default 'confirmed', title text not null, location text not null,
    organizer text not null, organizer_email text not null, url text not null default '',
    picture_id text not null default '', picture_alt text not null default '', json text not null,
    description text not null, categories text not null default '', custom_data text not null default '{}'`;

const letters = [1, 2, 3, 4].map((number) => `letters_${number} bigint not null`);

const seriesColumns = `
    account_id bigint not null, calendar_id bigint not null,
    rule_all_day bigint not null, start_local bigint not null, from_place bigint not null,
    before_place bigint not null, shift bigint not null, length bigint not null,
    all_day bigint not null, made_until bigint not null, next_at bigint,
    created_at bigint not null, timezone text not null, rule_timezone text not null,
    rrule text not null, rdate text not null, exdate text not null, template text not null`;

const accountTables = (id: string): readonly string[] => [
  `create table accounts (
    id ${id},
    name text not null, calendar_saves bigint not null default 0, webhooks bigint not null default 0,
    created_at bigint not null, disabled_at bigint, deleted_at bigint,
    accent text not null default '', website text not null default '', imprint_url text not null default '',
    privacy_url text not null default '', logo_id text not null default '', logo_alt text not null default '',
    picture_id text not null default '', picture_alt text not null default '',
    picture_bytes bigint not null default 0
  )`,
  ...pictureTables,
  // The key of each account and its previous keys, which redirect for a year (extensions X11.1).
  `create table account_keys (
    key text not null primary key, account_id bigint not null references accounts (id), replaced_at bigint
  )`,
  `create table tokens (
    id ${id},
    account_id bigint not null references accounts (id), hash text not null, last_four text not null,
    name text not null, scope text not null, created_at bigint not null, expires_at bigint,
    revoked_at bigint, last_used_at bigint
  )`,
  // People of an account, what they may do, and how they sign in (docs/decisions/0021-people.md).
  `create table people (
    id ${id},
    account_id bigint not null references accounts (id), created_at bigint not null, disabled_at bigint,
    joined_at bigint, invited_by bigint, name text not null, email text not null, language text not null
  )`,
  `create table grants (
    person_id bigint not null references people (id), calendar_id bigint not null,
    sees_followers bigint not null, role text not null,
    primary key (person_id, calendar_id)
  )`,
  `create table sign_in_links (
    id ${id},
    person_id bigint not null references people (id), created_at bigint not null,
    expires_at bigint not null, hash text not null
  )`,
  `create table sessions (
    id ${id},
    account_id bigint not null references accounts (id), person_id bigint references people (id),
    token_id bigint references tokens (id), created_at bigint not null, used_at bigint not null,
    ends_at bigint not null, hash text not null, device text not null
  )`,
  `create table passkeys (
    id ${id},
    person_id bigint not null references people (id), created_at bigint not null, used_at bigint not null,
    counter bigint not null, synced bigint not null, may_sync bigint, credential_id text not null,
    public_key text not null, device text not null
  )`,
  "create table used_challenges (hash text not null primary key, ends_at bigint not null)",
  `create table identities (
    person_id bigint not null primary key references people (id), created_at bigint not null,
    issuer text not null, subject text not null
  )`,
];

const calendarTables = (id: string): readonly string[] => [
  `create table calendars (
    id ${id},
    account_id bigint not null references accounts (id), followers_total bigint not null default 0,
    followers_active bigint not null default 0, followers_inactive bigint not null default 0,
    followers_blocked bigint not null default 0, events_total bigint not null default 0,
    stored_bytes bigint not null default 0, feed_version bigint not null default 1,
    feed_modified_at bigint not null default 0, feed_cut bigint not null default 0,
    palette_changed_at bigint not null default 0, searchable bigint not null default 0,
    listed bigint not null default 0,
    save_order bigint not null, created_at bigint not null, modified_at bigint not null, deleted_at bigint,
    purge_pending bigint not null default 0, trashed bigint not null default 0,
    purged_version bigint not null default 0, uniquekey text not null, timezone text not null,
    palette_id text not null, title text not null, calendarname text not null,
    accent text not null default '', picture_id text not null default '',
    picture_alt text not null default '', description text not null,
    custom_data text not null default '{}'
  )`,
  `create table calendar_values (
    account_id bigint not null, calendar_id bigint not null, name text not null, value_hash text not null,
    primary key (calendar_id, name)
  )`,
  // No foreign key to the calendar: its locks would make polls wait for writes.
  `create table calendar_days (
    calendar_id bigint not null, kind text not null, day bigint not null, name text not null,
    count bigint not null,
    primary key (calendar_id, kind, day, name)
  )`,
  `create table events (
    id ${id},
    account_id bigint not null references accounts (id),
    calendar_id bigint not null references calendars (id), uid text not null, ${eventColumns}
  )`,
  // Events that followers and the contract see: no drafts, nothing deleted. All public queries read this view.
  "create view published_events as select * from events where state = 'published'",
  // Number of published events of a calendar that start in each 2^18 seconds, which are three days.
  `create table event_counts (
    account_id bigint not null, calendar_id bigint not null, bucket bigint not null, events bigint not null,
    primary key (account_id, calendar_id, bucket)
  )`,
  // Top-level values of custom_data, by which lists are filtered, as hashes, since a value may be long.
  `create table event_values (
    calendar_id bigint not null, event_id bigint not null, name text not null, value_hash text not null,
    primary key (event_id, name)
  )`,
  // Each name of events.categories, so that the names of a calendar are found without reading its events.
  `create table event_categories (
    calendar_id bigint not null, event_id bigint not null, name text not null,
    primary key (event_id, name)
  )`,
  // An event leaves a row in each calendar from which it is moved.
  `create table deleted_events (
    id bigint not null,
    account_id bigint not null, calendar_id bigint not null, uid text not null,
    feed_version bigint not null, deleted_at bigint not null,
    primary key (calendar_id, id)
  )`,
  `create table series (id ${id}, ${seriesColumns})`,
  `create table subscribers (
    id ${id},
    account_id bigint not null references accounts (id),
    calendar_id bigint not null references calendars (id), active bigint not null, blocked bigint not null,
    subscribed_at bigint not null, last_seen_at bigint not null default 0,
    type_confirmed bigint not null default 0, unfollowed_at bigint, news bigint not null default 0,
    news_asked_at bigint not null default 0, language text not null default '', key_hash text, combined_hash text,
    calendar_type text not null, name text not null, email text not null, ip text not null, postal text,
    city text, state text, country text, categories text
  )`,
];

/** Series whose events are in the trash, and the history (docs/decisions/0014-deleted-data.md, 0021-people.md). */
const hiddenTables = (id: string, givenId: string): readonly string[] => [
  `create table trashed_series (id ${givenId}, ${seriesColumns})`,
  `create table history (
    id ${id},
    account_id bigint not null, calendar_id bigint not null, event_id bigint not null,
    created_at bigint not null, author_id bigint not null, quiet bigint not null default 0,
    author text not null, operation text not null, action text not null, note text not null default '',
    changes text not null
  )`,
  // Removed events whose texts a job has yet to remove from the history (calendars/forget-job.ts).
  "create table forgotten_events (event_id bigint primary key, account_id bigint not null)",
];

/**
 * The texts of each event as a search compares them, in a table of their own: a search reads all rows of some calendars
 * (docs/decisions/0020-lists-for-people.md).
 */
const searchTable = (options: string): string => `create table event_search (
    calendar_id bigint not null, event_id bigint not null, ${letters.join(", ")}, folded text not null,
    primary key (calendar_id, event_id)
  )${options}`;

const jobTables = (id: string): readonly string[] => [
  "create table properties (name text not null primary key, value text not null)",
  "create table jobs (name text not null primary key, attempts bigint not null, next_at bigint not null)",
  `create table idempotency_keys (
    account_id bigint not null, key text not null, operation text not null, parameters_hash text not null,
    created_at bigint not null, calendar_id bigint, event_id bigint, subscriber_id bigint, person_id bigint,
    body text not null,
    primary key (account_id, key)
  )`,
  `create table webhook_endpoints (
    id ${id},
    account_id bigint not null references accounts (id), calendar_id bigint, with_person bigint not null,
    state text not null, url text not null, types text not null, secret text not null, previous_secret text,
    previous_until bigint, disabled_reason text, disabled_at bigint, failures bigint not null default 0,
    next_at bigint not null default 0, created_at bigint not null
  )`,
  // The outbox. No foreign keys to endpoint and calendar: their locks would make writers wait for each other.
  `create table webhook_deliveries (
    id ${id},
    endpoint_id bigint not null, calendar_id bigint not null, subscriber_id bigint,
    attempts bigint not null default 0, next_at bigint not null default 0,
    status bigint, duration_ms bigint,
    created_at bigint not null, attempted_at bigint, state text not null default 'pending',
    message_id text not null, type text not null, error text,
    payload text not null
  )`,
  // A separate table, since few events come from files, and more columns slow down each write of an event.
  `create table imported_events (
    event_id bigint not null primary key, calendar_id bigint not null, import_uid text not null,
    import_recurrence_id text not null, sync_id bigint
  )`,
  `create table calendar_syncs (
    id ${id},
    account_id bigint not null, calendar_id bigint not null, url text not null, credentials text not null default '',
    every_seconds bigint not null, next_at bigint not null, claimed_until bigint not null default 0,
    etag text not null default '', last_modified text not null default '', error text not null default '',
    report text not null default '', failures bigint not null default 0, tried_at bigint, read_at bigint,
    created_at bigint not null
  )`,
];

/** Condition of indexes for `published_events`. */
const published = "where state = 'published'";

/** One index for each order of each list: a page is read in order, without sorting or scanning the calendar. */
const indexes = [
  ...pictureIndexes,
  ...mailIndexes,
  "create index keys_of_account on account_keys (account_id)",
  "create unique index tokens_by_hash on tokens (hash)",
  "create index tokens_by_account on tokens (account_id)",
  "create unique index calendars_by_key on calendars (uniquekey)",
  "create index calendars_by_save on calendars (account_id, modified_at, save_order) where deleted_at is null",
  "create index calendars_listed on calendars (account_id) where listed = 1 and deleted_at is null",
  "create index calendars_to_purge on calendars (id) where purge_pending = 1",
  "create index calendars_trashed on calendars (account_id, deleted_at, id) where trashed = 1",
  "create index calendars_trash_to_purge on calendars (id) where purged_version > 0",
  "create index people_of_account on people (account_id, id)",
  "create unique index sign_in_links_by_hash on sign_in_links (hash)",
  "create index sign_in_links_of_person on sign_in_links (person_id)",
  "create unique index sessions_by_hash on sessions (hash)",
  "create index sessions_of_account on sessions (account_id, id)",
  "create unique index passkeys_by_credential on passkeys (credential_id)",
  "create index passkeys_of_person on passkeys (person_id)",
  "create unique index identities_by_subject on identities (issuer, subject)",
  "create index calendar_days_age on calendar_days (day)",
  "create index calendar_values_search on calendar_values (account_id, name, value_hash, calendar_id)",
  "create unique index events_by_uid on events (uid)",
  `create index events_by_id on events (calendar_id, id) ${published}`,
  `create index events_by_month_id on events (calendar_id, start_month, id) ${published}`,
  `create index events_by_month_start on events (calendar_id, start_month, start_at, id) ${published}`,
  `create index events_changes on events (calendar_id, feed_version, id) ${published}`,
  "create index events_of_series on events (series_id, series_place) where series_id > 0",
  "create index drafts_by_calendar on events (calendar_id, start_at, id) where state = 'draft'",
  "create index drafts_due on events (publish_at, id) where state = 'draft' and publish_at is not null",
  "create index trash_by_account on events (account_id, deleted_at, id) where state = 'trashed'",
  "create index trash_by_calendar on events (calendar_id, deleted_at, id) where state = 'trashed'",
  "create index event_values_search on event_values (calendar_id, name, value_hash, event_id)",
  "create index event_categories_search on event_categories (calendar_id, name)",
  "create index deleted_events_changes on deleted_events (calendar_id, feed_version, id)",
  "create index deleted_events_age on deleted_events (deleted_at)",
  // Without the calendar a planner prefers the primary key, and reads all deletions of the calendar.
  "create index deleted_events_uid on deleted_events (uid, calendar_id)",
  "create index trashed_series_by_calendar on trashed_series (calendar_id)",
  // One index for all queries of the history: another one by event costs a save 5 % (docs/decisions/0021-people.md).
  "create index history_of_account on history (account_id, id, calendar_id, event_id)",
  "create index series_by_calendar on series (calendar_id)",
  "create index series_due on series (next_at) where next_at is not null",
  "create unique index subscribers_by_key on subscribers (key_hash)",
  "create index subscribers_by_combined_key on subscribers (combined_hash, calendar_id) where combined_hash is not null",
  "create index subscribers_by_id on subscribers (calendar_id, id)",
  "create index subscribers_by_date on subscribers (calendar_id, subscribed_at, id)",
  "create index subscribers_inactive_by_id on subscribers (calendar_id, id) where active = 0",
  "create index subscribers_inactive_by_date on subscribers (calendar_id, subscribed_at, id) where active = 0",
  "create index subscribers_blocked_by_id on subscribers (calendar_id, id) where blocked = 1",
  "create index subscribers_blocked_by_date on subscribers (calendar_id, subscribed_at, id) where blocked = 1",
  "create index subscribers_by_last_seen on subscribers (last_seen_at) where active = 1",
  "create index idempotency_keys_age on idempotency_keys (created_at)",
  "create index idempotency_keys_of_subscriber on idempotency_keys (subscriber_id) where subscriber_id is not null",
  "create index idempotency_keys_of_person on idempotency_keys (person_id) where person_id is not null",
  "create index webhook_endpoints_by_account on webhook_endpoints (account_id)",
  // Due deliveries by endpoint: those never tried have next_at 0, so they come first, in order.
  "create index webhook_deliveries_pending on webhook_deliveries (endpoint_id, next_at, id) where state = 'pending'",
  "create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, id)",
  "create index webhook_deliveries_by_calendar on webhook_deliveries (calendar_id)",
  "create index webhook_deliveries_by_subscriber on webhook_deliveries (subscriber_id) where subscriber_id is not null",
  "create index imported_events_by_uid on imported_events (calendar_id, import_uid, import_recurrence_id)",
  "create index imported_events_by_sync on imported_events (sync_id) where sync_id is not null",
  "create index calendar_syncs_due on calendar_syncs (next_at)",
];

// Only triggers update the counts of published events and remove the rows of a deleted event in other tables.

const ofBucket =
  "account_id = old.account_id and calendar_id = old.calendar_id and bucket = old.start_at >> 18";
const count = `insert into event_counts (account_id, calendar_id, bucket, events)
    values (new.account_id, new.calendar_id, new.start_at >> 18, 1)
    on conflict (account_id, calendar_id, bucket) do update set events = event_counts.events + 1;`;
const discount = `update event_counts set events = events - 1 where ${ofBucket};
    delete from event_counts where ${ofBucket} and events = 0;`;
const forget = (table: string): string => `delete from ${table} where event_id = old.id;`;
const forgetSearch = "delete from event_search where calendar_id = old.calendar_id and event_id = old.id;";

/** Columns whose update changes where an event is counted. */
const countedColumns = "start_at, calendar_id, state";
const isMoved = `(old.start_at >> 18 <> new.start_at >> 18 or old.calendar_id <> new.calendar_id or old.state <> new.state)`;

/** A week, as in events/part-queries.ts. */
const longEvents = `${published} and end_at - start_at > 604800`;

/** Indexes by time include these columns, so that a page with a month reads no row. */
const marks = "all_day, start_local, end_local, status, color_id";

/** Texts that lists of next events print: more of a description than they show. */
const beginnings = (from: string, size: string): string =>
  `select id, location, organizer, substr(description, 1, 700) as description from events ${from}
    ${published} and octet_length(description) ${size} 1000`;

const sqlite = [
  `create index events_by_start on events (calendar_id, start_at, id, end_at, ${marks}) ${published}`,
  ...seriesPictures("sqlite"),
  `create index events_long on events (calendar_id, end_at, id, start_at, ${marks}) ${longEvents}`,
  // SQLite reads a whole text to cut it, so the index stores cut ones.
  `create index events_beginnings on events (id, location, organizer, substr(description, 1, 700))
    ${published} and octet_length(description) > 1000`,
  `create view event_beginnings as ${beginnings("", "<=")}
    union all ${beginnings("indexed by events_beginnings", ">")}`,
  `create trigger events_count_insert after insert on events when new.state = 'published' begin ${count} end`,
  `create trigger events_count_delete after delete on events when old.state = 'published' begin ${discount} end`,
  `create trigger events_count_leave after update of ${countedColumns} on events
    when ${isMoved} and old.state = 'published' begin ${discount} end`,
  `create trigger events_count_join after update of ${countedColumns} on events
    when ${isMoved} and new.state = 'published' begin ${count} end`,
  `create trigger events_forget_values after delete on events when old.custom_data <> '{}'
    begin ${forget("event_values")} end`,
  `create trigger events_forget_categories after delete on events when old.categories <> ''
    begin ${forget("event_categories")} end`,
  `create trigger events_forget_import after delete on events
    when exists (select 1 from imported_events where event_id = old.id) begin ${forget("imported_events")} end`,
  `create trigger events_forget_search after delete on events begin ${forgetSearch} end`,
  // SQLite would add these rows with the first event and series, but ids are reserved before.
  "insert into sqlite_sequence (name, seq) values ('events', 0), ('series', 0)",
];

const postgres = [
  `create index events_by_start on events (calendar_id, start_at, id) ${published}`,
  ...seriesPictures("postgres"),
  `create index events_long on events (calendar_id, end_at, id) ${longEvents}`,
  `create view event_beginnings as
    select id, location, organizer, substr(description, 1, 700) as description from events ${published}`,
  `create function count_events() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' and old.state = 'published' then ${discount} end if;
    if tg_op <> 'DELETE' and new.state = 'published' then ${count} end if;
    return null;
  end $$`,
  `create trigger events_count after insert or delete on events for each row execute function count_events()`,
  `create trigger events_count_move after update of ${countedColumns} on events for each row
    when ${isMoved} execute function count_events()`,
  `create function forget_event() returns trigger language plpgsql as $$ begin
    if old.custom_data <> '{}' then ${forget("event_values")} end if;
    if old.categories <> '' then ${forget("event_categories")} end if;
    ${forget("imported_events")} ${forgetSearch}
    return null;
  end $$`,
  `create trigger events_forget after delete on events for each row execute function forget_event()`,
];
