import type { Uses } from "../accounts/uses.js";
import { hashToken } from "../accounts/tokens.js";
import type { Database } from "../db/open-database.js";
import { createLookup } from "../db/lookup.js";
import type { FindSession } from "../http/cookies.js";
import { type KnownSession, principalOf, sessionsSql } from "./session-queries.js";

/**
 * Returns a function that finds the session of a cookie. Its results are as new as those of a query, so signing out has effect
 * at once.
 */
export function createSessionAuthenticator(db: Database, uses: Pick<Uses, "record">): FindSession {
  const find = createLookup<KnownSession>(db, {
    sql: sessionsSql,
    keyOf: ({ hash }) => hash,
  });
  return async (secret, now) => {
    const row = await find(hashToken(secret));
    const principal = row && principalOf(row, now);
    if (principal !== undefined)
      uses.record({ id: principal.session.id, lastUsedAt: principal.lastUsedAt }, now);
    return principal;
  };
}
