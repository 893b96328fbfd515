import type { Db } from "../database.js";

/** Whom an identity provider names as a person (docs/decisions/0021-people.md). */
export async function up(db: Db): Promise<void> {
  await db.raw(`create table identities (
    person_id bigint not null primary key references people (id),
    created_at bigint not null,
    issuer text not null,
    subject text not null
  )`);
  await db.raw("create unique index identities_by_subject on identities (issuer, subject)");
}
