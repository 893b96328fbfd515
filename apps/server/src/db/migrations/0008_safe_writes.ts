import type { Knex } from "knex";

/**
 * What safe writes need (docs/extensions.md): keys of repeated writes, the status of events, data of the caller's own with its
 * index, and the order in which events changed. Of the order, an event has the version of its calendar's feed that its last change
 * made; one that was deleted leaves a row with it. Triggers keep it for servers of older versions too.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("events", (table) => {
    table.text("status").notNullable().defaultTo("confirmed");
    table.text("custom_data").notNullable().defaultTo("{}");
    table.bigInteger("feed_version").notNullable().defaultTo(0);
    table.index(["calendar_id", "feed_version", "id"], "events_changes");
  });
  await db.schema.alterTable("calendars", (table) => {
    table.text("custom_data").notNullable().defaultTo("{}");
  });
  await db.schema.createTable("deleted_events", (table) => {
    table.bigInteger("id").notNullable().primary();
    table.bigInteger("account_id").notNullable();
    table.bigInteger("calendar_id").notNullable();
    table.text("uid").notNullable();
    table.bigInteger("feed_version").notNullable();
    table.bigInteger("deleted_at").notNullable();
    table.index(["calendar_id", "feed_version", "id"], "deleted_events_changes");
    table.index(["deleted_at"], "deleted_events_age");
    table.index(["uid"], "deleted_events_uid");
  });
  await createValues(db, "event_values", ["calendar_id", "event_id"]);
  await createValues(db, "calendar_values", ["account_id", "calendar_id"]);
  await db.schema.createTable("idempotency_keys", (table) => {
    table.bigInteger("account_id").notNullable();
    table.text("key").notNullable();
    table.text("operation").notNullable();
    table.text("parameters_hash").notNullable();
    table.text("body").notNullable();
    table.bigInteger("created_at").notNullable();
    table.primary(["account_id", "key"]);
    table.index(["created_at"], "idempotency_keys_age");
  });
  const { dialect }: { readonly dialect: string } = db.client;
  for (const sql of triggers[dialect === "sqlite3" ? "sqlite" : "postgres"]) await db.raw(sql);
}

/** The values at the top level of `custom_data`, by which lists are filtered. A value may be long, so its hash stands for it. */
async function createValues(db: Knex, name: string, [owner, item]: readonly [string, string]): Promise<void> {
  await db.schema.createTable(name, (table) => {
    for (const id of [owner, item]) table.bigInteger(id).notNullable();
    table.text("name").notNullable();
    table.text("value_hash").notNullable();
    table.primary([item, "name"]);
    table.index([owner, "name", "value_hash", item], `${name}_search`);
  });
}

/**
 * A server that does not know the column leaves it as it is. Then the version is raised once more than the change itself does, since
 * a server raises it before or after that: the event's must be above all before, and not above the calendar's in the end.
 */
const lacksVersion =
  "new.feed_version = old.feed_version and (new.updated_times <> old.updated_times or new.moves <> old.moves)";

const raise = (row: string): string =>
  `update calendars set feed_version = feed_version + 1 where id = ${row}.calendar_id`;

const version = (row: string): string => `(select feed_version from calendars where id = ${row}.calendar_id)`;

/** A deleted event whose server has not buried it. */
const isUnburied = `not exists (select 1 from deleted_events where id = old.id)
  and exists (select 1 from calendars where id = old.calendar_id and deleted_at is null)`;

const bury = (now: string): string =>
  `insert into deleted_events (id, account_id, calendar_id, uid, feed_version, deleted_at)
     values (old.id, old.account_id, old.calendar_id, old.uid, ${version("old")}, ${now});`;

const forget = "delete from event_values where event_id = old.id;";

const triggers = {
  sqlite: [
    ...[
      ["insert", "new.feed_version = 0"],
      ["update", lacksVersion],
    ].map(
      ([
        change,
        condition,
      ]) => `create trigger events_version_${change} after ${change} on events when ${condition}
     begin ${raise("new")}; update events set feed_version = ${version("new")} where id = new.id; end`,
    ),
    `create trigger events_bury after delete on events when ${isUnburied}
     begin ${raise("old")}; ${bury("unixepoch()")} end`,
    `create trigger events_forget_values after delete on events when old.custom_data <> '{}' begin ${forget} end`,
  ],
  postgres: [
    `create function take_feed_version() returns trigger language plpgsql as $$ begin
       ${raise("new")} returning feed_version into new.feed_version;
       return new;
     end $$`,
    `create trigger events_version_insert before insert on events for each row
     when (new.feed_version = 0) execute function take_feed_version()`,
    `create trigger events_version_update before update on events for each row
     when (${lacksVersion}) execute function take_feed_version()`,
    `create function bury_event() returns trigger language plpgsql as $$ begin
       if ${isUnburied} then
         ${raise("old")};
         ${bury("extract(epoch from clock_timestamp())::bigint")}
       end if;
       if old.custom_data <> '{}' then ${forget} end if;
       return null;
     end $$`,
    `create trigger events_bury after delete on events for each row execute function bury_event()`,
  ],
};
