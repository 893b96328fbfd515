import type { Db } from "../database.js";

/**
 * What happened to a calendar on each day in UTC, as sums that name no one (extensions X8.7). It does not reference the calendar: the
 * locks of a foreign key would make polls wait for writes.
 */
export async function up(db: Db): Promise<void> {
  await db.raw(`create table calendar_days (
    calendar_id bigint not null,
    kind text not null,
    day bigint not null,
    name text not null,
    count bigint not null,
    primary key (calendar_id, kind, day, name)
  )`);
  await db.raw("create index calendar_days_age on calendar_days (day)");
}
