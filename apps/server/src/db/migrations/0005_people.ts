import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/** The people of an account, what they may do, and how they sign in (docs/decisions/0021-people.md). */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const id = name === "sqlite" ? "integer not null primary key autoincrement" : "bigserial primary key";
  for (const sql of [...tables(id), ...indexes]) await db.raw(sql);
}

const tables = (id: string): readonly string[] => [
  `create table people (
    id ${id},
    account_id bigint not null references accounts (id),
    created_at bigint not null,
    disabled_at bigint,
    name text not null,
    email text not null,
    language text not null
  )`,
  // calendar_id 0 stands for all calendars of the account.
  `create table grants (
    person_id bigint not null references people (id),
    calendar_id bigint not null,
    sees_followers bigint not null,
    role text not null,
    primary key (person_id, calendar_id)
  )`,
  `create table sign_in_links (
    id ${id},
    person_id bigint not null references people (id),
    created_at bigint not null,
    expires_at bigint not null,
    hash text not null
  )`,
  // Of a person, or of a token: the other is null.
  `create table sessions (
    id ${id},
    account_id bigint not null references accounts (id),
    person_id bigint references people (id),
    token_id bigint references tokens (id),
    created_at bigint not null,
    used_at bigint not null,
    ends_at bigint not null,
    hash text not null,
    device text not null
  )`,
];

const indexes = [
  "create index people_of_account on people (account_id, id)",
  "create unique index sign_in_links_by_hash on sign_in_links (hash)",
  "create index sign_in_links_of_person on sign_in_links (person_id)",
  "create unique index sessions_by_hash on sessions (hash)",
  "create index sessions_of_account on sessions (account_id, id)",
];
