import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/open-database.js";
import type { PersonRow } from "../db/rows.js";
import { deleteLinks, insertLink } from "./queries.js";

/** How long a link is valid, in seconds (extensions X9.2): the first one of a person, and later ones. */
export const linkSeconds = { join: 7 * 86_400, signIn: 15 * 60 } as const;

/** Which kind a new link of a person is. */
export const kindOfLink = ({ joined_at }: Pick<PersonRow, "joined_at">): keyof typeof linkSeconds =>
  joined_at === null ? "join" : "signIn";

/** Returns 256 random bits as text, the secret of a link or of a session. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Makes a link for a person, in the place of earlier ones, and returns its secret, which cannot be read again. `now` is in Unix seconds. */
export async function issueLink(
  trx: Db,
  personId: number,
  kind: keyof typeof linkSeconds,
  now: number,
): Promise<{ readonly secret: string; readonly expires_at: number }> {
  await deleteLinks(trx, personId);
  const [secret, expires_at] = [newSecret(), now + linkSeconds[kind]];
  await insertLink(trx, { person_id: personId, hash: hashToken(secret), created_at: now, expires_at });
  return { secret, expires_at };
}

/** Returns the address of a link. The secret stands after `#`, which no browser sends: no log and no scanner of mail has it. */
export function linkAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/console/join#${secret}`;
}
