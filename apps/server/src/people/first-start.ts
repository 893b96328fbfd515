import type { Database, Db } from "../db/open-database.js";
import { issueLink } from "./links.js";
import { insertPerson, putGrant } from "./queries.js";
import {
  issueToken,
  findAccountByTokenName,
  findTokenByHash,
  firstAccount,
  hasAccounts,
  insertAccount,
  listAccounts,
  lockValidToken,
  revokeTokensNamed,
} from "../accounts/queries.js";
import { hashToken } from "../accounts/tokens.js";

/** Name of the token created from the setting CALENDAR_TOKEN. */
export const settingTokenName = "CALENDAR_TOKEN";

export type FirstStart =
  /** The token of the demo account, and the secret of a link for its owner. Neither can be read again. */
  | { readonly token: string; readonly link: string }
  /** An operator has to create one. */
  | "no account"
  /** The setting is a token that was revoked or has expired. */
  | "token ended"
  | "nothing to do";

interface FirstStartOptions {
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
    if (settingToken !== undefined) return setToken(trx, settingToken, now);
    if ((await listAccounts(trx)).length > 0) return "nothing to do";
    if (!makesDemo || (await hasAccounts(trx))) return "no account";
    const { id: account_id } = await insertAccount(trx, { name: "Demo", created_at: now });
    const fields = { account_id, scope: "write" as const, created_at: now, expires_at: null };
    const { token } = await issueToken(trx, { ...fields, name: "demo" });
    const owner = { account_id, name: "Owner", email: "", language: "", created_at: now };
    const { id: person_id } = await insertPerson(trx, owner);
    await putGrant(trx, { person_id, calendar_id: 0, role: "owner", sees_followers: 1 });
    const { secret: link } = await issueLink(trx, person_id, "join", now);
    return { token, link };
  });
}

/** Stores CALENDAR_TOKEN as a token of its account, and revokes an earlier value of the setting. */
async function setToken(trx: Db, token: string, now: number): Promise<"token ended" | "nothing to do"> {
  const found = await findTokenByHash(trx, hashToken(token));
  // A revoked token stays revoked. Others stay too: a server with the former setting may start while the setting is being changed.
  if (found !== undefined && !(await lockValidToken(trx, found.id, now))) return "token ended";
  const account_id = found?.account_id ?? (await settingAccount(trx, now));
  await revokeTokensNamed(trx, { name: settingTokenName, but: found?.id ?? 0 }, now);
  const fields = { account_id, scope: "write" as const, created_at: now, expires_at: null };
  if (found === undefined) await issueToken(trx, { ...fields, name: settingTokenName }, token);
  return "nothing to do";
}

/**
 * Returns the id of the account of CALENDAR_TOKEN: the one that has it, else the first one, else a new one. When the first one
 * was deleted, the setting must not open another owner's account.
 */
async function settingAccount(trx: Db, now: number): Promise<number> {
  const known = (await findAccountByTokenName(trx, settingTokenName)) ?? (await firstAccount(trx));
  return (known ?? (await insertAccount(trx, { name: "Demo", created_at: now }))).id;
}
