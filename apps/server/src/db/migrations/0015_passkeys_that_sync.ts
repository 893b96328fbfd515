import type { Db } from "../database.js";

/** Whether a passkey can be copied, which never changes (WebAuthn 7.2). */
export async function up(db: Db): Promise<void> {
  await db.raw("alter table passkeys add column may_sync bigint");
}
