import { type Migration, migrations } from "../src/db/migrate.js";

const statements = [
  "alter table events add column later_number bigint not null default 0",
  "alter table events add column later_text text",
  "update events set later_number = start_at, later_text = title",
  "create table laters (event_id bigint not null primary key, name text not null)",
  "insert into laters (event_id, name) select id, title from events",
  "create index laters_by_name on laters (name)",
];

/** Today's migrations, and one that only tests have: it changes the rows and tables that are there. */
export const longerChain: readonly Migration[] = [
  ...migrations,
  {
    name: "9000_later",
    up: async (trx) => {
      for (const sql of statements) await trx.raw(sql);
    },
  },
];
