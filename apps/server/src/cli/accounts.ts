import * as queries from "../accounts/queries.js";
import { issueToken } from "../accounts/issue.js";
import { purgeDeletedCalendars } from "../calendars/purge-job.js";
import { deleteCalendarsOf, listEveryCalendar, storedBytes } from "../calendars/queries.js";
import type { Database } from "../db/connect.js";
import type { AccountRow } from "../db/rows.js";
import { deleteKeysOf } from "../idempotency/queries.js";
import { purgeEndpointsOf } from "../webhooks/purge-job.js";
import { deleteEndpointsOf } from "../webhooks/queries.js";
import { confirm } from "./confirm.js";
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

/** Lists all accounts in the order of their ids. "disabled" means that its tokens are refused. */
export async function listAccounts(db: Database): Promise<Report> {
  const rows = await queries.listAccounts(db.read);
  const stored = await storedBytes(db.read);
  const bytesOf = ({ id }: AccountRow): number => stored.get(id) ?? 0;
  return {
    json: {
      accounts: rows.map((row) => ({
        account_id: String(row.id),
        name: row.name,
        created_at: row.created_at,
        status: status(row),
        stored_bytes: bytesOf(row),
      })),
    },
    text: table([
      ["ID", "NAME", "CREATED (UTC)", "STATUS", "BYTES"],
      ...rows.map((row) => [
        String(row.id),
        row.name,
        formatTime(row.created_at),
        status(row),
        String(bytesOf(row)),
      ]),
    ]),
  };
}

/** Renames an account. @throws Error when the account does not exist. */
export async function renameAccount(db: Database, id: number, name: string): Promise<Report> {
  const row = await db.transaction((trx) => queries.updateAccount(trx, id, { name }));
  if (row === undefined) throw noAccount(id);
  return { json: { account_id: String(id), name }, text: `Account ${id} is now ${printable(name)}.` };
}

/** Refuses the tokens of an account, or accepts them again. @throws Error when the account does not exist. */
export async function setDisabled(db: Database, id: number, disabled_at: number | null): Promise<Report> {
  const row = await db.transaction((trx) => queries.updateAccount(trx, id, { disabled_at }));
  if (row === undefined) throw noAccount(id);
  const text =
    disabled_at === null
      ? `Account ${id}, ${printable(row.name)}, is enabled: its tokens are accepted again.`
      : `Account ${id}, ${printable(row.name)}, is disabled: its tokens are refused. Its pages and feeds are still served.`;
  return { json: { account_id: String(id), status: status(row) }, text };
}

/**
 * Deletes an account with its tokens and calendars, and what these held. The rows of calendars stay, without their texts, so
 * that pages and feeds answer 410, as for each deleted calendar (docs/decisions/0014).
 * @throws Error when the account does not exist, or the deletion is not confirmed
 */
export async function deleteAccount(
  db: Database,
  id: number,
  { yes = false }: { readonly yes?: boolean },
  now: number,
): Promise<Report> {
  const account = await queries.findAccount(db.read, id);
  if (account === undefined) throw noAccount(id);
  if (!yes) await confirm(await describeLoss(db, account));
  const calendars = await db.transaction(async (trx) => {
    // The account first, as everywhere: from then on no calendar can be created.
    const row = await queries.updateAccount(trx, id, { name: "", deleted_at: now });
    if (row === undefined) throw noAccount(id);
    await queries.deleteTokens(trx, id);
    await deleteKeysOf(trx, id);
    await deleteEndpointsOf(trx, id, now);
    return deleteCalendarsOf(trx, id, now);
  });
  await purgeDeletedCalendars(db);
  await purgeEndpointsOf(db, id);
  return {
    json: { account_id: String(id), status: "deleted", calendars },
    text: `Account ${id}, ${printable(account.name)}, and its ${calendars} calendars are deleted.`,
  };
}

async function describeLoss(db: Database, { id, name }: AccountRow): Promise<string> {
  const rows = await listEveryCalendar(db.read, id);
  const sum = (column: "events_total" | "followers_total"): number =>
    rows.reduce((total, row) => total + row[column], 0);
  return `Account ${id}, ${printable(name)}, has ${rows.length} calendars with ${sum("events_total")} events and ${sum("followers_total")} followers. All of it is deleted, with its tokens, and cannot be restored; its pages and feeds answer 410.`;
}

function status({ disabled_at }: AccountRow): "active" | "disabled" {
  return disabled_at === null ? "active" : "disabled";
}

function noAccount(id: number): Error {
  return new Error(`There is no account ${id}; run "account list" to see all.`);
}
