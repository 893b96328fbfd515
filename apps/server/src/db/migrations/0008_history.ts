import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/** Who has written what, with what it was before (docs/decisions/0021-people.md). */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const id = name === "sqlite" ? "integer not null primary key autoincrement" : "bigserial primary key";
  for (const sql of [
    // event_id 0 stands for the calendar itself. The author's name is that of the token or the person.
    `create table history (
      id ${id},
      account_id bigint not null,
      calendar_id bigint not null,
      event_id bigint not null,
      created_at bigint not null,
      author_id bigint not null,
      author text not null,
      operation text not null,
      action text not null,
      changes text not null
    )`,
    "create index history_of_account on history (account_id, id, calendar_id)",
    "create index history_of_event on history (event_id, id)",
    "alter table staged_events add column changes text not null default '{}'",
  ])
    await db.raw(sql);
}
