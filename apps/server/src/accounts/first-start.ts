import type { Database } from "../db/connect.js";
import { findTokenByHash, hasAccounts, insertAccount, insertToken, listAccounts, revokeTokensNamed } from "./queries.js";
import { hashToken, newToken } from "./tokens.js";

/** Name of the token that the setting CALENDAR_TOKEN makes. */
export const settingTokenName = "CALENDAR_TOKEN";

/**
 * Makes a demo account on an empty database (rulings R6.1). Returns its new token, which is shown once; undefined when the
 * database had an account, or when the setting CALENDAR_TOKEN names the token.
 */
export async function prepareAccounts(db: Database, settingToken: string | undefined, now: number): Promise<string | undefined> {
  return db.transaction(async (trx) => {
    const isEmpty = !(await hasAccounts(trx));
    if (isEmpty) await insertAccount(trx, { name: "Demo", created_at: now });
    const [first] = await listAccounts(trx);
    if (first === undefined) throw new Error("no account after making one");
    if (settingToken !== undefined) {
      const hash = hashToken(settingToken);
      // A revoked one stays revoked.
      if ((await findTokenByHash(trx, hash)) !== undefined) return undefined;
      await revokeTokensNamed(trx, first.id, settingTokenName, now);
      await insertToken(trx, { ...tokenFields(settingToken), account_id: first.id, name: settingTokenName, created_at: now });
      return undefined;
    }
    if (!isEmpty) return undefined;
    const token = newToken();
    await insertToken(trx, { ...tokenFields(token), account_id: first.id, name: "demo", created_at: now });
    return token;
  });
}

function tokenFields(token: string) {
  return { hash: hashToken(token), last_four: token.slice(-4), scope: "write" as const, expires_at: null };
}
