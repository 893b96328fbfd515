import type { Database } from "../db/connect.js";
import { issueToken } from "./issue.js";
import { findTokenByHash, hasAccounts, insertAccount, listAccounts, revokeTokensNamed } from "./queries.js";
import { hashToken } from "./tokens.js";

/** Name of the token that the setting CALENDAR_TOKEN makes. */
export const settingTokenName = "CALENDAR_TOKEN";

/**
 * Makes a demo account on an empty database (rulings R6.1). Returns its new token, which is shown once; undefined when the
 * database had an account, or when the setting CALENDAR_TOKEN names the token.
 */
export async function prepareAccounts(
  db: Database,
  settingToken: string | undefined,
  now: number,
): Promise<string | undefined> {
  // One server at a time: several may start at once on a new database.
  return db.exclusively(async (trx) => {
    const isEmpty = !(await hasAccounts(trx));
    if (isEmpty) await insertAccount(trx, { name: "Demo", created_at: now });
    const [first] = await listAccounts(trx);
    if (first === undefined) throw new Error("no account after making one");
    const fields = { account_id: first.id, scope: "write" as const, created_at: now, expires_at: null };
    if (settingToken !== undefined) {
      // One that was revoked stays revoked.
      if ((await findTokenByHash(trx, hashToken(settingToken))) !== undefined) return undefined;
      await revokeTokensNamed(trx, first.id, settingTokenName, now);
      await issueToken(trx, { ...fields, name: settingTokenName }, settingToken);
      return undefined;
    }
    if (!isEmpty) return undefined;
    return (await issueToken(trx, { ...fields, name: "demo" })).token;
  });
}
