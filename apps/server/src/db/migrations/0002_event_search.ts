import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/**
 * The texts of each event as a search compares them, in a table of their own: a search reads all rows of some calendars
 * (docs/decisions/0020-lists-for-people.md). A job fills it for the events that are there already.
 */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const isSqlite = name === "sqlite";
  const columns = [1, 2, 3, 4].map((number) => `letters_${number} bigint not null`).join(", ");
  await db.raw(`create table event_search (
    calendar_id bigint not null,
    event_id bigint not null,
    ${columns},
    folded text not null,
    primary key (calendar_id, event_id)
  )${isSqlite ? " without rowid" : ""}`);
  // Events up to this id may have no row yet.
  await db.raw("create table event_search_backlog (event_id bigint not null primary key)");
  await db.raw("insert into event_search_backlog (event_id) select id from events order by id desc limit 1");
  for (const number of [1, 2, 3, 4])
    await db.raw(`alter table staged_events add column letters_${number} bigint not null default 0`);
  await db.raw("alter table staged_events add column folded text not null default ''");
  for (const sql of isSqlite ? sqlite : postgres) await db.raw(sql);
}

const forget = "delete from event_search where calendar_id = old.calendar_id and event_id = old.id;";

const sqlite = [`create trigger events_forget_search after delete on events begin ${forget} end`];

const postgres = [
  `create function forget_event_search() returns trigger language plpgsql as $$ begin
    ${forget}
    return null;
  end $$`,
  `create trigger events_forget_search after delete on events for each row execute function forget_event_search()`,
];
