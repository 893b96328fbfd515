import type { Database, Db } from "../db/connect.js";
import { issueToken } from "./issue.js";
import { findTokenByHash, hasAccounts, insertAccount, listAccounts, revokeTokensNamed } from "./queries.js";
import { hashToken } from "./tokens.js";

/** Name of the token created from the setting CALENDAR_TOKEN. */
export const settingTokenName = "CALENDAR_TOKEN";

/** What a start found or made. */
export type FirstStart =
  /** The token of the demo account, which cannot be read again. */
  | { readonly token: string }
  /** There is no account, and an operator has to create one. */
  | "no account"
  | "nothing to do";

interface FirstStartOptions {
  /** The value of CALENDAR_TOKEN. */
  readonly settingToken: string | undefined;
  /** Whether an empty database gets a demo account with a new token. */
  readonly makesDemo: boolean;
}

/**
 * Prepares an empty database for its first requests (rulings R6.1): with CALENDAR_TOKEN an account with that token, else a demo
 * account with a new one, except in production. `now` is in Unix seconds.
 */
export async function prepareAccounts(
  db: Database,
  { settingToken, makesDemo }: FirstStartOptions,
  now: number,
): Promise<FirstStart> {
  // Exclusive: several servers may start on a new database at once.
  return db.exclusively(async (trx) => {
    const isEmpty = !(await hasAccounts(trx));
    if (settingToken !== undefined) {
      await setToken(trx, settingToken, now);
      return "nothing to do";
    }
    if (!isEmpty) return "nothing to do";
    if (!makesDemo) return "no account";
    const account_id = await firstAccount(trx, now);
    const fields = { account_id, scope: "write" as const, created_at: now, expires_at: null };
    const { token } = await issueToken(trx, { ...fields, name: "demo" });
    return { token };
  });
}

/** Makes CALENDAR_TOKEN a token of the first account, instead of an earlier value of the setting. */
async function setToken(trx: Db, token: string, now: number): Promise<void> {
  const account_id = await firstAccount(trx, now);
  // A revoked token stays revoked.
  if ((await findTokenByHash(trx, hashToken(token))) !== undefined) return;
  await revokeTokensNamed(trx, account_id, settingTokenName, now);
  const fields = { account_id, scope: "write" as const, created_at: now, expires_at: null };
  await issueToken(trx, { ...fields, name: settingTokenName }, token);
}

/** Returns the id of the first account, and creates one when there is none. */
async function firstAccount(trx: Db, now: number): Promise<number> {
  const [first] = await listAccounts(trx);
  return (first ?? (await insertAccount(trx, { name: "Demo", created_at: now }))).id;
}
