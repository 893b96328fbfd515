import type { Db } from "../db/open-database.js";
import type { TokenRow } from "../db/rows.js";
import { insertToken, type NewToken } from "./queries.js";
import { hashToken, newToken } from "./tokens.js";

/** Stores the hash of a token and returns the token, which cannot be read again. `token` defaults to a new random one. */
export async function issueToken(
  db: Db,
  fields: Omit<NewToken, "hash" | "last_four">,
  token: string = newToken(),
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const row = await insertToken(db, { ...fields, hash: hashToken(token), last_four: token.slice(-4) });
  return { row, token };
}
