import type { Db } from "../db/database.js";
import type { IdentityRow, PersonRow } from "../db/rows.js";

const identities = (db: Db) => db<IdentityRow>("identities");

/** Returns the person whom a provider names, whose identity stays until the transaction ends; undefined when there is none, or the person is disabled. */
export async function lockPersonOf(
  trx: Db,
  { issuer, subject }: Pick<IdentityRow, "issuer" | "subject">,
): Promise<Pick<PersonRow, "id" | "account_id"> | undefined> {
  return identities(trx)
    .join("people", "people.id", "identities.person_id")
    .where({ issuer, subject })
    .whereNull("people.disabled_at")
    .forShare("identities")
    .first("people.id", "people.account_id");
}

/** Makes an identity that of a person, in the place of one before. False when it is that of another person. */
export async function setIdentity(trx: Db, identity: IdentityRow): Promise<boolean> {
  await identities(trx).where({ person_id: identity.person_id }).delete();
  const rows = await identities(trx)
    .insert(identity)
    .onConflict(["issuer", "subject"])
    .ignore()
    .returning("person_id");
  return rows.length === 1;
}
