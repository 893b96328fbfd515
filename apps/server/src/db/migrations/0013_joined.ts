import type { Db } from "../database.js";

/** When a person first signed in: until then only a link of 7 days, which was deleted when it was used, said so. */
export async function up(db: Db): Promise<void> {
  await db.raw("alter table people add column joined_at bigint");
  await db.raw(`update people set joined_at = created_at where disabled_at is null and not exists
    (select 1 from sign_in_links where person_id = people.id and expires_at - sign_in_links.created_at > 900)`);
}
