import type { Db } from "../database.js";
import type { Dialect } from "../query.js";
import { up as schema } from "./0001_schema.js";
import { up as eventSearch } from "./0002_event_search.js";
import { up as trash } from "./0003_trash.js";
import { up as seriesIds } from "./0004_series_ids.js";
import { up as people } from "./0005_people.js";
import { up as movedEvents } from "./0006_moved_events.js";
import { up as history } from "./0008_history.js";
import { up as passkeys } from "./0009_passkeys.js";

export interface Migration {
  readonly name: string;
  readonly up: (trx: Db, dialect: Pick<Dialect, "name">) => Promise<void>;
}

/** Every migration, in order. A merged one is never edited. A long one has a file of its own. */
export const migrations: readonly Migration[] = [
  { name: "0001_schema", up: schema },
  { name: "0002_event_search", up: eventSearch },
  { name: "0003_trash", up: trash },
  { name: "0004_series_ids", up: seriesIds },
  { name: "0005_people", up: people },
  { name: "0006_moved_events", up: movedEvents },
  // Drafts are events out of sight, as those of the trash are (docs/decisions/0014-deleted-data.md).
  {
    name: "0007_drafts",
    up: runs(
      "alter table trashed_events add column publish_at bigint",
      "alter table trashed_events add column preview_key text",
      "alter table trashed_events add column found_words text not null default ''",
      "alter table trashed_events add column found_data text not null default ''",
      "create index drafts_by_calendar on trashed_events (calendar_id, start_at, id) where deleted_at = 0",
      "create index drafts_by_uid on trashed_events (uid) where deleted_at = 0",
      "create index drafts_imported on trashed_events (calendar_id, import_uid) where deleted_at = 0",
      "create index drafts_due on trashed_events (publish_at, id) where deleted_at = 0 and publish_at is not null",
    ),
  },
  { name: "0008_history", up: history },
  { name: "0009_passkeys", up: passkeys },
  // What happened to a calendar on each day in UTC, as sums that name no one (extensions X8.7). It does not reference the
  // calendar: the locks of a foreign key would make polls wait for writes.
  {
    name: "0010_calendar_days",
    up: runs(
      `create table calendar_days (
    calendar_id bigint not null,
    kind text not null,
    day bigint not null,
    name text not null,
    count bigint not null,
    primary key (calendar_id, kind, day, name)
  )`,
      "create index calendar_days_age on calendar_days (day)",
    ),
  },
  // One index for all that reads the history: an index by event made a save write one page more for each event of its group, of
  // all that a save costs 5 % (docs/decisions/0021-people.md).
  {
    name: "0011_history_index",
    up: runs(
      "drop index history_of_event",
      "drop index history_of_account",
      "create index history_of_account on history (account_id, id, calendar_id, event_id)",
    ),
  },
  // Whom an identity provider names as a person (docs/decisions/0021-people.md).
  {
    name: "0012_identities",
    up: runs(
      `create table identities (
    person_id bigint not null primary key references people (id),
    created_at bigint not null,
    issuer text not null,
    subject text not null
  )`,
      "create unique index identities_by_subject on identities (issuer, subject)",
    ),
  },
  // When a person first signed in: until then only a link of 7 days, which was deleted when it was used, said so.
  {
    name: "0013_joined",
    up: runs(
      "alter table people add column joined_at bigint",
      `update people set joined_at = created_at where disabled_at is null and not exists
    (select 1 from sign_in_links where person_id = people.id and expires_at - sign_in_links.created_at > 900)`,
    ),
  },
  // Events that were removed for good, of whose texts a job is to remove what the history has (history-entries/forget-job.ts).
  {
    name: "0014_forgotten_events",
    up: runs("create table forgotten_events (event_id bigint primary key, account_id bigint not null)"),
  },
  // Whether a passkey can be copied, which never changes (WebAuthn 7.2).
  {
    name: "0015_passkeys_that_sync",
    up: runs("alter table passkeys add column may_sync bigint"),
  },
];

/** Returns a migration whose statements are the same on both databases. */
function runs(...statements: readonly string[]): Migration["up"] {
  return async (db) => {
    for (const sql of statements) await db.raw(sql);
  };
}
