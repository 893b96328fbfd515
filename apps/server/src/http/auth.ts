import type { Request } from "express";
import type { TokenPrincipal } from "../accounts/principal.js";
import { type KnownToken, principalOf, tokensSql } from "../accounts/queries.js";
import type { Uses } from "../accounts/uses.js";
import { hashToken, isTokenShaped } from "../accounts/tokens.js";
import type { Database } from "../db/open-database.js";
import { createLookup } from "../db/lookup.js";
import { ApiError } from "./errors.js";
import { countOf } from "./guards.js";
import type { Pair } from "./query-string.js";

/**
 * The token in the head of a request: in the query or as `Authorization: Bearer`; undefined when there is none. Other schemes
 * are left to proxies. @throws ApiError when it is repeated, or when two differ (rulings R1.7)
 */
export function tokenOfHead(req: Request, query: readonly Pair[]): string | undefined {
  if (countOf(req, "authorization") > 1)
    throw new ApiError("credentials_ambiguous", [], {}, "Send the header Authorization once.");
  const bearer = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? "")?.[1];
  return agreed(bearer, tokenIn(query));
}

/** The token of a whole request. @throws ApiError also when there is none */
export function tokenOf(ofHead: string | undefined, body: readonly Pair[]): string {
  const token = agreed(ofHead, tokenIn(body));
  if (token === undefined) throw new ApiError("token_missing");
  return token;
}

/** Generated clients send the token wherever the document has it: the same one twice is no contradiction. */
function agreed(one: string | undefined, other: string | undefined): string | undefined {
  if (one !== undefined && other !== undefined && one !== other) throw new ApiError("credentials_ambiguous");
  return one ?? other;
}

/** The token of one place; one that is empty is absent. `token[]=` is one in a form that is not accepted (rulings R1.4). */
function tokenIn(pairs: readonly Pair[]): string | undefined {
  const sent = pairs.filter(([name]) => name === "token" || name.startsWith("token["));
  const [[name, token] = ["token", ""], ...more] = sent;
  if (more.length > 0 || name !== "token") {
    throw new ApiError("parameter_repeated", [
      { parameter: "token", message: "must be given once, as a single value", code: "repeated" },
    ]);
  }
  return token === "" ? undefined : token;
}

/** Who a token stands for. Unknown, malformed, revoked and expired tokens, and those of a disabled account, get the same answer. */
export type Authenticate = (token: string, now: number) => Promise<TokenPrincipal>;

/** TTL of a token that was found, in milliseconds: revoked, it is refused after that on every server. */
const ttlMs = 2_000;

/** Returns a function that throws ApiError when the token is unknown, revoked, expired or of a disabled account. */
export function createAuthenticator(db: Database, uses: Pick<Uses, "record">): Authenticate {
  const find = createLookup<KnownToken>(db, {
    sql: tokensSql,
    keyOf: ({ hash }) => hash,
    ttlMs,
  });
  return async (token, now) => {
    const row = isTokenShaped(token) ? await find(hashToken(token)) : undefined;
    const principal = row === undefined ? undefined : principalOf(row, now);
    if (row === undefined || principal === undefined) throw new ApiError("token_unknown");
    uses.record({ id: row.id, lastUsedAt: row.last_used_at }, now);
    return principal;
  };
}
