import type { Knex } from "knex";

/**
 * When an account was disabled and deleted, and when a token was last used. Servers of older versions know none of them: they
 * go on accepting the tokens of a disabled account, while those of a deleted one are gone for them too.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable("accounts", (table) => {
    for (const name of ["disabled_at", "deleted_at"]) table.bigInteger(name);
  });
  await db.schema.alterTable("tokens", (table) => {
    table.bigInteger("last_used_at");
  });
}
