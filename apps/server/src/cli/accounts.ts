import * as queries from "../accounts/queries.js";
import { issueToken } from "../accounts/issue.js";
import type { Database } from "../db/connect.js";
import { formatTime, printable, type Report, table } from "./database.js";

/** Creates an account and its first token, with the scope `write`; the report alone shows the token. */
export async function createAccount(db: Database, name: string, now: number): Promise<Report> {
  const { account, token } = await db.transaction(async (trx) => {
    const row = await queries.insertAccount(trx, { name, created_at: now });
    const issued = await issueToken(trx, {
      account_id: row.id,
      name: "first",
      scope: "write",
      created_at: now,
      expires_at: null,
    });
    return { account: row, token: issued.token };
  });
  return {
    json: { account_id: String(account.id), name, token },
    text: `Account ${account.id}, ${printable(name)}. Its token is shown only this once:\n\n  ${token}\n`,
  };
}

/** Lists all accounts in the order of their ids. */
export async function listAccounts(db: Database): Promise<Report> {
  const rows = await queries.listAccounts(db.read);
  return {
    json: {
      accounts: rows.map(({ id, name, created_at }) => ({ account_id: String(id), name, created_at })),
    },
    text: table([
      ["ID", "NAME", "CREATED (UTC)"],
      ...rows.map(({ id, name, created_at }) => [String(id), name, formatTime(created_at)]),
    ]),
  };
}

/** Renames an account. @throws Error when the account does not exist. */
export async function renameAccount(db: Database, id: number, name: string): Promise<Report> {
  const row = await db.transaction((trx) => queries.renameAccount(trx, id, name));
  if (row === undefined) throw new Error(`There is no account ${id}; run "account list" to see all.`);
  return { json: { account_id: String(id), name }, text: `Account ${id} is now ${printable(name)}.` };
}
