import { type Db, onlyRow } from "../db/database.js";
import { countRows, type Rows } from "../db/paging.js";
import type { AccountRow, Profile, TokenRow } from "../db/rows.js";
import type { TokenPrincipal } from "./principal.js";
import { hashToken, newToken } from "./tokens.js";

const accounts = (db: Db) => db<AccountRow>("accounts");
const tokens = (db: Db) => db<TokenRow>("tokens");

export async function insertAccount(
  db: Db,
  account: Pick<AccountRow, "name" | "created_at">,
): Promise<AccountRow> {
  return onlyRow(await accounts(db).insert(account).returning("*"));
}

/** Returns the accounts, without deleted ones, lowest id first. */
export async function listAccounts(db: Db): Promise<readonly AccountRow[]> {
  return accounts(db).whereNull("deleted_at").orderBy("id");
}

/** Returns the first account that was created; undefined when it was deleted or none was created. */
export async function firstAccount(db: Db): Promise<AccountRow | undefined> {
  const row = await accounts(db).orderBy("id").first();
  return row?.deleted_at === null ? row : undefined;
}

/** Returns the account; undefined when it does not exist or was deleted. */
export async function findAccount(db: Db, id: number): Promise<AccountRow | undefined> {
  return accounts(db).where({ id }).whereNull("deleted_at").first();
}

/** Locks an account until the transaction ends. False when it does not exist or was deleted. */
export async function lockAccount(trx: Db, id: number): Promise<boolean> {
  const row = await accounts(trx).where({ id }).whereNull("deleted_at").forNoKeyUpdate().first("id");
  return row !== undefined;
}

/** Changes an account and returns its row; undefined when it does not exist or was deleted. */
export async function accountUpdate(
  db: Db,
  id: number,
  change: Partial<Profile & Pick<AccountRow, "disabled_at" | "deleted_at">>,
): Promise<AccountRow | undefined> {
  const [row] = await accounts(db).where({ id }).whereNull("deleted_at").update(change).returning("*");
  return row;
}

/** Reports whether there is an account or ever was one. */
export async function hasAccounts(db: Db): Promise<boolean> {
  return (await accounts(db).first("id")) !== undefined;
}

export type NewToken = Pick<
  TokenRow,
  "account_id" | "hash" | "last_four" | "name" | "scope" | "created_at" | "expires_at"
>;

export async function insertToken(db: Db, token: NewToken): Promise<TokenRow> {
  return onlyRow(await tokens(db).insert(token).returning("*"));
}

export async function deleteTokens(db: Db, accountId: number): Promise<void> {
  await tokens(db).where({ account_id: accountId }).delete();
}

/** Returns the account that has a token of this name; undefined when none has. */
export async function findAccountByTokenName(db: Db, name: string): Promise<AccountRow | undefined> {
  const owners = tokens(db).where({ name }).select("account_id");
  return accounts(db).whereIn("id", owners).whereNull("deleted_at").orderBy("id").first();
}

const usedColumns = { tokens: "last_used_at", sessions: "used_at" } as const;
export type UsedTable = keyof typeof usedColumns;

/** Stores the last uses of tokens or sessions, by id in Unix seconds, except where one of the last `interval` seconds is stored. */
export async function writeUses(
  db: Db,
  table: UsedTable,
  uses: ReadonlyMap<number, number>,
  interval: number,
): Promise<void> {
  const column = usedColumns[table];
  // Sorted by id, so that two servers never deadlock.
  for (const [id, at] of [...uses].toSorted(([one], [other]) => one - other)) {
    await db(table)
      .where({ id })
      .whereRaw(`(${column} is null or ${column} <= ?)`, [at - interval])
      .update({ [column]: at });
  }
}

/** Returns the tokens of all accounts, or of one, lowest id first. */
export async function listTokens(db: Db, accountId?: number): Promise<readonly ListedToken[]> {
  const query = tokens(db)
    .join("accounts", "accounts.id", "tokens.account_id")
    .orderBy("tokens.id")
    .select<ListedToken[]>("tokens.*", "accounts.disabled_at");
  return accountId === undefined ? query : query.where({ account_id: accountId });
}

/** Returns a page of the tokens of an account, newest first. */
export async function pageOfTokens(
  db: Db,
  accountId: number,
  { limit, offset }: Rows,
): Promise<readonly TokenRow[]> {
  return tokens(db).where({ account_id: accountId }).orderBy("id", "desc").limit(limit).offset(offset);
}

const isValid = "(revoked_at is null and (expires_at is null or expires_at > ?))";

/** Counts the tokens of an account that are valid at `now`, in Unix seconds. */
export async function countValidTokens(db: Db, accountId: number, now: number): Promise<number> {
  return countRows(tokens(db).where({ account_id: accountId }).whereRaw(isValid, [now]));
}

/** Reports whether a token is valid at `now`, in Unix seconds, and keeps it from being revoked until the transaction ends. */
export async function lockValidToken(trx: Db, id: number, now: number): Promise<boolean> {
  const row = await tokens(trx).where({ id }).whereRaw(isValid, [now]).forShare().first("id");
  return row !== undefined;
}

/** Reports whether a token with this hash may write at `now`, in Unix seconds. */
export async function mayWrite(db: Db, hash: string, now: number): Promise<boolean> {
  const account = db("accounts").whereNull("disabled_at").select("id");
  const found = tokens(db).where({ hash, scope: "write" }).whereIn("account_id", account);
  return (await found.whereRaw(isValid, [now]).first("id")) !== undefined;
}

/** Deletes the invalid tokens of an account and their sessions, except those among its newest `kept` tokens. */
export async function forgetEndedTokens(
  trx: Db,
  accountId: number,
  now: number,
  kept: number,
): Promise<void> {
  const own = () => tokens(trx).where({ account_id: accountId });
  const newest = await own().orderBy("id", "desc").offset(kept).first("id");
  if (newest === undefined) return;
  const ended = own().where("id", "<=", newest.id).whereRaw(`not ${isValid}`, [now]);
  await trx("sessions").whereIn("token_id", ended.clone().select("id")).delete();
  await ended.delete();
}

export type ListedToken = TokenRow & Pick<AccountRow, "disabled_at">;

/** Returns the token with this hash, also a revoked or expired one; undefined when there is none. */
export async function findTokenByHash(db: Db, hash: string): Promise<TokenRow | undefined> {
  return tokens(db).where({ hash }).first();
}

/**
 * Revokes a token, of one account where that is given, and returns its row; keeps the time of an earlier revocation. Undefined
 * when the token does not exist.
 */
export async function revokeToken(
  db: Db,
  id: number,
  now: number,
  accountId?: number,
): Promise<TokenRow | undefined> {
  const [row] = await tokens(db)
    .where(accountId === undefined ? { id } : { id, account_id: accountId })
    .update({ revoked_at: db.raw("coalesce(revoked_at, ?)", [now]) })
    .returning("*");
  return row;
}

export async function findToken(db: Db, id: number): Promise<TokenRow | undefined> {
  return tokens(db).where({ id }).first();
}

export async function revokeTokensNamed(
  db: Db,
  { name, but }: Pick<TokenRow, "name"> & { readonly but: number },
  now: number,
): Promise<void> {
  const named = tokens(db).where({ name }).whereNot({ id: but });
  await named.whereNull("revoked_at").update({ revoked_at: now });
}

export type KnownToken = Pick<
  TokenRow,
  "hash" | "id" | "account_id" | "scope" | "expires_at" | "revoked_at" | "last_used_at"
> &
  Pick<AccountRow, "disabled_at">;

export const tokensSql = (hashes: string): string =>
  `select t.hash, t.id, t.account_id, t.scope, t.expires_at, t.revoked_at, t.last_used_at, a.disabled_at
  from tokens as t join accounts as a on a.id = t.account_id where t.hash in (${hashes})`;

/** Returns the principal of a token; undefined when it is revoked, expired at `now` (Unix seconds), or of a disabled account. */
export function principalOf(
  { id, account_id, scope, expires_at, revoked_at, last_used_at, disabled_at }: KnownToken,
  now: number,
): TokenPrincipal | undefined {
  if (disabled_at !== null || revoked_at !== null || (expires_at !== null && expires_at <= now))
    return undefined;
  return { accountId: account_id, tokenId: id, scope, expiresAt: expires_at, lastUsedAt: last_used_at };
}

/** Stores the hash of a token and returns the token, which cannot be read again. `token` defaults to a new random one. */
export async function issueToken(
  db: Db,
  fields: Omit<NewToken, "hash" | "last_four">,
  token: string = newToken(),
): Promise<{ readonly row: TokenRow; readonly token: string }> {
  const row = await insertToken(db, { ...fields, hash: hashToken(token), last_four: token.slice(-4) });
  return { row, token };
}
