import type { Request } from "express";
import { type KnownToken, type Principal, principalOf, tokensSql } from "../accounts/queries.js";
import { hashToken, isTokenShaped } from "../accounts/tokens.js";
import type { Database } from "../db/connect.js";
import { createLookup } from "../db/lookup.js";
import { ApiError } from "./errors.js";
import type { Pair } from "./query.js";

/**
 * The token of a request: in the query, in a POST form or as `Authorization: Bearer` (rulings R1.7). Other schemes are left
 * to proxies. @throws ApiError when it is missing, repeated or in two places.
 */
export function readToken(req: Request, query: readonly Pair[], body: readonly Pair[]): string {
  const bearer = /^bearer +(\S+) *$/i.exec(req.headers.authorization ?? "")?.[1];
  const places = [tokensIn(query), tokensIn(body), bearer === undefined ? [] : [bearer]].filter(
    ({ length }) => length > 0,
  );
  const [place, ...others] = places;
  if (others.length > 0) throw new ApiError("credentials_ambiguous");
  const [token, ...more] = place ?? [];
  if (more.length > 0) {
    throw new ApiError("parameter_repeated", [
      { parameter: "token", message: "must be given once, as a single value" },
    ]);
  }
  if (token === undefined) throw new ApiError("token_missing");
  return token;
}

/** Every token of a place; one that is empty is absent. `token[]=` is one too, given in a form that is not accepted. */
function tokensIn(pairs: readonly Pair[]): readonly string[] {
  const tokens = pairs.flatMap(([name, value]) => {
    if (name.startsWith("token[")) return [value, value];
    return name === "token" ? [value] : [];
  });
  return tokens.length === 1 && tokens[0] === "" ? [] : tokens;
}

/** Who a token stands for. Unknown, malformed, revoked and expired tokens get one and the same answer. */
export type Authenticate = (token: string, now: number) => Promise<Principal>;

/** TTL of a token that was found, in milliseconds: revoked, it is refused after that on every server. */
const ttlMs = 2_000;

/** Returns a function that throws ApiError when the token is unknown, revoked or expired. */
export function createAuthenticator(db: Database): Authenticate {
  const find = createLookup<KnownToken>(db, { sql: tokensSql, keyOf: ({ hash }) => hash, ttlMs });
  return async (token, now) => {
    const row = isTokenShaped(token) ? await find(hashToken(token)) : undefined;
    const principal = row === undefined ? undefined : principalOf(row, now);
    if (principal === undefined) throw new ApiError("token_unknown");
    return principal;
  };
}
