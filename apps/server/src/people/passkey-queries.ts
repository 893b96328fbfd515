import type { Db } from "../db/database.js";
import type { PasskeyRow, PersonRow, UsedChallengeRow } from "../db/rows.js";

const passkeys = (db: Db) => db<PasskeyRow>("passkeys");
const usedChallenges = (db: Db) => db<UsedChallengeRow>("used_challenges");

/** Returns the passkeys of a person, the oldest first. */
export async function passkeysOf(db: Db, person_id: number): Promise<readonly PasskeyRow[]> {
  return passkeys(db).where({ person_id }).orderBy("id");
}

/** Returns the passkey of a credential with its person's account; undefined when there is none, or the person is disabled. */
export async function findPasskey(
  db: Db,
  credential_id: string,
): Promise<(PasskeyRow & Pick<PersonRow, "account_id">) | undefined> {
  return passkeys(db)
    .join("people", "people.id", "passkeys.person_id")
    .where({ credential_id })
    .whereNull("people.disabled_at")
    .first("passkeys.*", "people.account_id");
}

/** Inserts a passkey and returns its row; undefined when its credential is there already. */
export async function insertPasskey(
  trx: Db,
  passkey: Omit<PasskeyRow, "id">,
): Promise<PasskeyRow | undefined> {
  const [row] = await passkeys(trx).insert(passkey).onConflict("credential_id").ignore().returning("*");
  return row;
}

/** Stores a use of a passkey. False when it was deleted or used meanwhile. */
export async function updatePasskey(
  trx: Db,
  { id, counter }: Pick<PasskeyRow, "id" | "counter">,
  change: Pick<PasskeyRow, "used_at" | "counter" | "synced" | "may_sync">,
): Promise<boolean> {
  return (await passkeys(trx).where({ id, counter }).update(change)) === 1;
}

/** Deletes a passkey of a person; false when there is none. */
export async function deletePasskey(trx: Db, person_id: number, id: number): Promise<boolean> {
  return (await passkeys(trx).where({ person_id, id }).delete()) === 1;
}

/** Stores that a challenge is used. False when it was used before. */
export async function useChallenge(trx: Db, used: UsedChallengeRow): Promise<boolean> {
  const rows = await usedChallenges(trx).insert(used).onConflict("hash").ignore().returning("hash");
  return rows.length === 1;
}

/** Deletes the used challenges that have ended at `now`, in Unix seconds. */
export async function forgetChallenges(trx: Db, now: number): Promise<void> {
  await usedChallenges(trx).where("ends_at", "<=", now).delete();
}
