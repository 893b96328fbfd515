import type { Knex } from "knex";

/**
 * What lists need to be fast: the JSON of an event's list item (events/listed-json.ts) and how many events start in each three
 * days. Servers of older versions know neither: a JSON that they leave behind does not name the row's counters any more, and
 * the counts are kept by triggers (docs/decisions/0009-the-hot-path.md).
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("events", (table) => {
    table.text("json");
    table.bigInteger("json_of").notNullable().defaultTo(-1);
  });
  // The condition is that of events/listed-json.ts, with the number of its format then.
  await db.raw(
    "create index events_without_json on events (id) where json_of <> 1099511627776 + updated_times + moves",
  );
  await db.schema.createTable("event_counts", (table) => {
    table.bigInteger("account_id").notNullable();
    table.bigInteger("calendar_id").notNullable();
    table.bigInteger("bucket").notNullable();
    table.bigInteger("events").notNullable();
    table.primary(["account_id", "calendar_id", "bucket"]);
  });
  // Before the rows there are now are counted: on PostgreSQL this keeps other servers from writing until the end.
  const { dialect }: { readonly dialect: string } = db.client;
  for (const sql of triggers[dialect === "sqlite3" ? "sqlite" : "postgres"]) await db.raw(sql);
  await db.raw(
    `insert into event_counts (account_id, calendar_id, bucket, events)
     select account_id, calendar_id, start_at >> 18, count(*) from events
     group by account_id, calendar_id, start_at >> 18`,
  );
}

const count = (row: "new" | "old") =>
  `insert into event_counts (account_id, calendar_id, bucket, events)
     values (${row}.account_id, ${row}.calendar_id, ${row}.start_at >> 18, 1)
   on conflict (account_id, calendar_id, bucket) do update set events = event_counts.events + 1;`;

const discount = (row: "new" | "old") =>
  `update event_counts set events = events - 1 where ${bucketOf(row)};
   delete from event_counts where ${bucketOf(row)} and events = 0;`;

const bucketOf = (row: "new" | "old") =>
  `account_id = ${row}.account_id and calendar_id = ${row}.calendar_id and bucket = ${row}.start_at >> 18`;

const triggers = {
  sqlite: [
    `create trigger events_count_insert after insert on events begin ${count("new")} end`,
    `create trigger events_count_delete after delete on events begin ${discount("old")} end`,
    `create trigger events_count_move after update of start_at on events
     when old.start_at >> 18 <> new.start_at >> 18 begin ${discount("old")} ${count("new")} end`,
  ],
  postgres: [
    `create function count_events() returns trigger language plpgsql as $$ begin
       if tg_op <> 'INSERT' then ${discount("old")} end if;
       if tg_op <> 'DELETE' then ${count("new")} end if;
       return null;
     end $$`,
    `create trigger events_count after insert or delete on events for each row execute function count_events()`,
    `create trigger events_count_move after update of start_at on events for each row
     when (old.start_at >> 18 <> new.start_at >> 18) execute function count_events()`,
  ],
};
