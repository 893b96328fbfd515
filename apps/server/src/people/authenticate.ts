import type { Uses } from "../accounts/uses.js";
import { hashToken } from "../accounts/tokens.js";
import type { Database } from "../db/open-database.js";
import { createLookup } from "../db/lookup.js";
import type { FindSession } from "../http/cookies.js";
import { type KnownSession, principalOf, sessionsSql } from "./session-queries.js";

/** Returns a function that finds whose session a cookie is. Each answer is as new as a query: who signs out is out at once. */
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
