import type { Db } from "../database.js";
import type { Dialect } from "../query.js";

/** The passkeys of people, and which challenges were used (docs/decisions/0021-people.md). */
export async function up(db: Db, { name }: Pick<Dialect, "name">): Promise<void> {
  const id = name === "sqlite" ? "integer not null primary key autoincrement" : "bigserial primary key";
  await db.raw(`create table passkeys (
    id ${id},
    person_id bigint not null references people (id),
    created_at bigint not null,
    used_at bigint not null,
    counter bigint not null,
    synced bigint not null,
    credential_id text not null,
    public_key text not null,
    device text not null
  )`);
  await db.raw("create unique index passkeys_by_credential on passkeys (credential_id)");
  await db.raw("create index passkeys_of_person on passkeys (person_id)");
  await db.raw("create table used_challenges (hash text not null primary key, ends_at bigint not null)");
}
