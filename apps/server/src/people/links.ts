import { randomBytes } from "node:crypto";
import { hashToken } from "../accounts/tokens.js";
import type { Db } from "../db/open-database.js";
import type { PersonRow } from "../db/rows.js";
import { deleteLinks, insertLink } from "./queries.js";

/** Lifetimes of a person's first link and of later ones, in seconds (extensions X9.2). */
export const linkSeconds = { join: 7 * 86_400, signIn: 15 * 60 } as const;

export const kindOfLink = ({ joined_at }: Pick<PersonRow, "joined_at">): keyof typeof linkSeconds =>
  joined_at === null ? "join" : "signIn";

/** Returns 256 random bits as text: the secret of a link or a session. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Replaces the links of a person by a new one and returns its secret, which cannot be read again. `now` is in Unix seconds. */
export async function issueLink(
  trx: Db,
  personId: number,
  kind: keyof typeof linkSeconds,
  now: number,
): Promise<{ readonly secret: string; readonly expires_at: number }> {
  await deleteLinks(trx, personId);
  return addLink(trx, personId, kind, now);
}

/** The same beside earlier ones. */
export async function addLink(
  trx: Db,
  personId: number,
  kind: keyof typeof linkSeconds,
  now: number,
): Promise<{ readonly secret: string; readonly expires_at: number }> {
  const [secret, expires_at] = [newSecret(), now + linkSeconds[kind]];
  await insertLink(trx, { person_id: personId, hash: hashToken(secret), created_at: now, expires_at });
  return { secret, expires_at };
}

/**
 * Returns the address of a link. The secret is in the fragment, which browsers do not send, so no log or mail scanner gets it.
 */
export function linkAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}/console/join#${secret}`;
}
