import type { Db } from "../db/connect.js";
import type { AccountRow, Scope, TokenRow } from "../db/rows.js";

const accounts = (db: Db) => db<AccountRow>("accounts");
const tokens = (db: Db) => db<TokenRow>("tokens");

/** Inserts an account and returns its row. */
export async function insertAccount(
  db: Db,
  account: Pick<AccountRow, "name" | "created_at">,
): Promise<AccountRow> {
  const [row] = await accounts(db).insert(account).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Returns all accounts, lowest id first. */
export async function listAccounts(db: Db): Promise<readonly AccountRow[]> {
  return accounts(db).orderBy("id");
}

/** Returns the account; undefined when it does not exist. */
export async function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  return accounts(db).where({ id }).first();
}

/** Renames an account and returns its row; undefined when it does not exist. */
export async function renameAccount(db: Db, id: number, name: string): Promise<AccountRow | undefined> {
  const [row] = await accounts(db).where({ id }).update({ name }).returning("*");
  return row;
}

/** Reports whether any account exists. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await accounts(db).first("id")) !== undefined;
}

/** A token row without the columns that the database fills in. */
export type NewToken = Pick<
  TokenRow,
  "account_id" | "hash" | "last_four" | "name" | "scope" | "created_at" | "expires_at"
>;

/** Inserts a token and returns its row. */
export async function insertToken(db: Db, token: NewToken): Promise<TokenRow> {
  const [row] = await tokens(db).insert(token).returning("*");
  if (row === undefined) throw new Error("insert returned no row");
  return row;
}

/** Returns the tokens of all accounts, or of one, lowest id first. */
export async function listTokens(db: Db, accountId?: number): Promise<readonly TokenRow[]> {
  const query = tokens(db).orderBy("id");
  return accountId === undefined ? query : query.where({ account_id: accountId });
}

/** Returns the token with this hash, also a revoked or expired one; undefined when there is none. */
export async function findTokenByHash(db: Db, hash: string): Promise<TokenRow | undefined> {
  return tokens(db).where({ hash }).first();
}

/** Revokes a token and returns its row; keeps the time of an earlier revocation. Undefined when the token does not exist. */
export async function revokeToken(db: Db, id: number, now: number): Promise<TokenRow | undefined> {
  const [row] = await tokens(db)
    .where({ id })
    .update({ revoked_at: db.raw("coalesce(revoked_at, ?)", [now]) })
    .returning("*");
  return row;
}

/** Revokes all tokens of the account with this name. */
export async function revokeTokensNamed(db: Db, accountId: number, name: string, now: number): Promise<void> {
  await tokens(db).where({ account_id: accountId, name }).whereNull("revoked_at").update({ revoked_at: now });
}

/** The account and token of an authenticated request. */
export interface Principal {
  readonly accountId: number;
  readonly tokenId: number;
  readonly scope: Scope;
  /** Unix seconds; null for never. */
  readonly expiresAt: number | null;
}

/** The columns of a token that authentication needs. */
export type KnownToken = Pick<TokenRow, "hash" | "id" | "account_id" | "scope" | "expires_at" | "revoked_at">;

/** SQL that selects the tokens with these hashes. */
export const tokensSql = (hashes: string): string =>
  `select hash, id, account_id, scope, expires_at, revoked_at from tokens where hash in (${hashes})`;

/** Returns the principal of a token; undefined when the token is revoked, or expired at `now` (Unix seconds). */
export function principalOf(
  { id, account_id, scope, expires_at, revoked_at }: KnownToken,
  now: number,
): Principal | undefined {
  if (revoked_at !== null || (expires_at !== null && expires_at <= now)) return undefined;
  return { accountId: account_id, tokenId: id, scope, expiresAt: expires_at };
}
