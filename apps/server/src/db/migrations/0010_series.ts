import type { Knex } from "knex";

/**
 * Series (docs/decisions/0017): what the events that repeat have in common, and of each event its series and the place that the rule
 * names. Nothing references a series: a server of an older version deletes calendars and events without knowing of it.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable("series", (table) => {
    table.bigIncrements("id");
    for (const name of ["account_id", "calendar_id"]) table.bigInteger(name).notNullable();
    for (const name of ["rrule", "rdate", "exdate", "rule_timezone"]) table.text(name).notNullable();
    for (const name of ["rule_all_day", "start_local", "from_place", "before_place"])
      table.bigInteger(name).notNullable();
    for (const name of ["shift", "length", "all_day"]) table.bigInteger(name).notNullable();
    for (const name of ["timezone", "template"]) table.text(name).notNullable();
    table.bigInteger("made_until").notNullable();
    table.bigInteger("next_at");
    table.bigInteger("created_at").notNullable();
    table.index(["calendar_id"], "series_by_calendar");
  });
  await db.schema.alterTable("events", (table) => {
    table.bigInteger("series_id").notNullable().defaultTo(0);
    table.bigInteger("series_place").notNullable().defaultTo(0);
  });
  for (const sql of indexes) await db.raw(sql);
}

const indexes = [
  "create index series_due on series (next_at) where next_at is not null",
  "create index events_of_series on events (series_id, series_place) where series_id > 0",
];
