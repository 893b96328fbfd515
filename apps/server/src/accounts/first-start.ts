import type { Database } from "../db/connect.js";
import { issueToken } from "./issue.js";
import { findTokenByHash, hasAccounts, insertAccount, listAccounts, revokeTokensNamed } from "./queries.js";
import { hashToken } from "./tokens.js";

/** Name of the token created from the setting CALENDAR_TOKEN. */
export const settingTokenName = "CALENDAR_TOKEN";

/**
 * Creates a demo account on an empty database, and the token of CALENDAR_TOKEN where that is set (rulings R6.1). Returns the
 * demo account's new token; undefined when the database had an account or CALENDAR_TOKEN is set. `now` is in Unix seconds.
 */
export async function prepareAccounts(
  db: Database,
  settingToken: string | undefined,
  now: number,
): Promise<string | undefined> {
  // Exclusive: several servers may start on a new database at once.
  return db.exclusively(async (trx) => {
    const isEmpty = !(await hasAccounts(trx));
    if (isEmpty) await insertAccount(trx, { name: "Demo", created_at: now });
    const [first] = await listAccounts(trx);
    if (first === undefined) throw new Error("no account after inserting one");
    const fields = { account_id: first.id, scope: "write" as const, created_at: now, expires_at: null };
    if (settingToken !== undefined) {
      // A revoked token stays revoked.
      if ((await findTokenByHash(trx, hashToken(settingToken))) !== undefined) return undefined;
      await revokeTokensNamed(trx, first.id, settingTokenName, now);
      await issueToken(trx, { ...fields, name: settingTokenName }, settingToken);
      return undefined;
    }
    if (!isEmpty) return undefined;
    return (await issueToken(trx, { ...fields, name: "demo" })).token;
  });
}
