import type { Db } from "../db/connect.js";
import type { AccountRow, Scope, TokenRow } from "../db/rows.js";

const accounts = (db: Db) => db<AccountRow>("accounts");
const tokens = (db: Db) => db<TokenRow>("tokens");

export async function insertAccount(
  db: Db,
  account: Pick<AccountRow, "name" | "created_at">,
): Promise<AccountRow> {
  const [row] = await accounts(db).insert(account).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

export async function listAccounts(db: Db): Promise<readonly AccountRow[]> {
  return accounts(db).orderBy("id");
}

export async function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  return accounts(db).where({ id }).first();
}

/** Whether any account exists: an empty database gets a demo account at the first start. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await accounts(db).first("id")) !== undefined;
}

export type NewToken = Pick<
  TokenRow,
  "account_id" | "hash" | "last_four" | "name" | "scope" | "created_at" | "expires_at"
>;

export async function insertToken(db: Db, token: NewToken): Promise<TokenRow> {
  const [row] = await tokens(db).insert(token).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

export async function listTokens(db: Db): Promise<readonly TokenRow[]> {
  return tokens(db).orderBy("id");
}

export async function findTokenByHash(db: Db, hash: string): Promise<TokenRow | undefined> {
  return tokens(db).where({ hash }).first();
}

/** Marks the token revoked; keeps the time of an earlier revocation. Undefined when there is no such token. */
export async function revokeToken(db: Db, id: number, now: number): Promise<TokenRow | undefined> {
  const [row] = await tokens(db)
    .where({ id })
    .update({ revoked_at: db.raw("coalesce(revoked_at, ?)", [now]) })
    .returning("*");
  return row;
}

/** Revokes the other tokens of that name of the account. */
export async function revokeTokensNamed(db: Db, accountId: number, name: string, now: number): Promise<void> {
  await tokens(db).where({ account_id: accountId, name }).whereNull("revoked_at").update({ revoked_at: now });
}

/** Who a request acts for. */
export interface Principal {
  readonly accountId: number;
  readonly tokenId: number;
  readonly scope: Scope;
  /** Unix seconds; null for never. */
  readonly expiresAt: number | null;
}

/** What is known of a token that was issued. */
export type KnownToken = Pick<TokenRow, "hash" | "id" | "account_id" | "scope" | "expires_at" | "revoked_at">;

/** SQL that selects the tokens with these hashes. */
export const tokensSql = (hashes: string): string =>
  `select hash, id, account_id, scope, expires_at, revoked_at from tokens where hash in (${hashes})`;

/** The account behind a token; undefined when it is revoked, or expired at `now`. */
export function principalOf(
  { id, account_id, scope, expires_at, revoked_at }: KnownToken,
  now: number,
): Principal | undefined {
  if (revoked_at !== null || (expires_at !== null && expires_at <= now)) return undefined;
  return { accountId: account_id, tokenId: id, scope, expiresAt: expires_at };
}
