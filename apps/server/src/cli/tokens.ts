import { settingTokenName } from "../accounts/first-start.js";
import { issueToken } from "../accounts/issue.js";
import * as queries from "../accounts/queries.js";
import type { Database } from "../db/connect.js";
import type { Scope } from "../db/rows.js";
import { formatTime, type Report, table } from "./database.js";
import { requireAccount } from "./operations.js";

interface NewTokenOptions {
  readonly account: number;
  readonly name: string;
  readonly scope: Scope;
  /** Seconds from now; absent means that the token never expires. */
  readonly expires?: number;
}

/** Creates a token; the report alone shows it. `now` is in Unix seconds. @throws Error when the account does not exist. */
export async function createToken(db: Database, options: NewTokenOptions, now: number): Promise<Report> {
  const { account, name, scope, expires } = options;
  if (name === settingTokenName)
    throw new Error(`The name ${settingTokenName} is reserved for the setting; choose another.`);
  const { row, token } = await db.transaction(async (trx) => {
    await requireAccount(trx, account);
    const expires_at = expires === undefined ? null : now + expires;
    return issueToken(trx, { account_id: account, name, scope, created_at: now, expires_at });
  });
  return {
    json: {
      token_id: String(row.id),
      account_id: String(account),
      name,
      scope,
      expires_at: row.expires_at,
      token,
    },
    text: `Token ${row.id} of account ${account}, ${scope}, expires ${formatTime(row.expires_at)}. It is shown only this once:\n\n  ${token}\n`,
  };
}

/** Lists the tokens of all accounts, or of one, without the tokens themselves. The last use is up to an hour late. @throws Error when it does not exist. */
export async function listTokens(db: Database, account: number | undefined, now: number): Promise<Report> {
  if (account !== undefined) await requireAccount(db.read, account);
  const rows = await queries.listTokens(db.read, account);
  const header = ["ID", "ACCOUNT", "NAME", "SCOPE", "ENDS IN", "CREATED (UTC)", "EXPIRES (UTC)"];
  return {
    json: { tokens: rows.map((row) => describe(row, now)) },
    text: table([
      [...header, "LAST USED (UTC)", "STATUS"],
      ...rows.map((row) => [
        String(row.id),
        String(row.account_id),
        row.name,
        row.scope,
        row.last_four,
        formatTime(row.created_at),
        formatTime(row.expires_at),
        formatTime(row.last_used_at),
        status(row, now),
      ]),
    ]),
  };
}

function describe(row: queries.ListedToken, now: number): object {
  const { name, scope, last_four, created_at, expires_at, last_used_at } = row;
  const ids = { token_id: String(row.id), account_id: String(row.account_id) };
  return { ...ids, name, scope, last_four, created_at, expires_at, last_used_at, status: status(row, now) };
}

/** Revokes a token at once. @throws Error when the token does not exist. */
export async function revokeToken(db: Database, id: number, now: number): Promise<Report> {
  const row = await db.transaction((trx) => queries.revokeToken(trx, id, now));
  if (row === undefined) throw new Error(`There is no token ${id}; run "token list" to see all.`);
  return { json: { token_id: String(id), status: "revoked" }, text: `Token ${id} is revoked.` };
}

function status(
  { revoked_at, expires_at, disabled_at }: queries.ListedToken,
  now: number,
): "revoked" | "expired" | "account disabled" | "valid" {
  if (revoked_at !== null) return "revoked";
  if (expires_at !== null && expires_at <= now) return "expired";
  return disabled_at === null ? "valid" : "account disabled";
}
