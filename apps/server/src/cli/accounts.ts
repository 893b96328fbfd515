import { type Command, Option } from "commander";
import { settingTokenName } from "../people/first-start.js";
import { noProfile, replaceKey } from "../accounts/profile-queries.js";
import { issueToken } from "../accounts/queries.js";
import * as queries from "../accounts/queries.js";
import { purgeDeletedCalendars } from "../events/calendar-purge-job.js";
import { deletePicturesOf } from "../calendars/picture-queries.js";
import { deleteCalendarsOf, listEveryCalendar, storedBytes } from "../calendars/queries.js";
import type { Database } from "../db/open-database.js";
import type { AccountRow, Scope } from "../db/rows.js";
import { deleteKeysOf } from "../http/idempotency-queries.js";
import { deletePeopleOf } from "../people/queries.js";
import { tokenStatus as statusOfToken } from "../people/token-serialize.js";
import { purgeEndpointsOf } from "../webhooks/purge-job.js";
import { deleteEndpointsOf } from "../webhooks/queries.js";
import { command, duration, id, notBlank, requireYes } from "./arguments.js";
import { reports } from "./database.js";
import { noAccount, requireAccount, requireEnabledAccount } from "./run-operation.js";

/** Creates an account and its first token, with the scope `write`; the result alone shows the token. */
export async function createAccount(
  db: Database,
  name: string,
  now: number,
): Promise<{ readonly account_id: string; readonly name: string; readonly token: string }> {
  return db.transaction(async (trx) => {
    const row = await queries.insertAccount(trx, { name, created_at: now });
    const fields = { account_id: row.id, scope: "write" as const, created_at: now, expires_at: null };
    const issued = await issueToken(trx, { ...fields, name: "first" });
    return { account_id: String(row.id), name, token: issued.token };
  });
}

/** Lists all accounts by id. "disabled" means that their tokens are refused. */
export async function listAccounts(
  db: Database,
): Promise<{ readonly accounts: readonly { readonly stored_bytes: number }[] }> {
  const rows = await queries.listAccounts(db.read);
  const stored = await storedBytes(db.read);
  return {
    accounts: rows.map((row) => ({
      account_id: String(row.id),
      name: row.name,
      created_at: row.created_at,
      status: status(row),
      stored_bytes: stored.get(row.id) ?? 0,
    })),
  };
}

/** Renames an account. @throws Error when the account does not exist. */
async function renameAccount(db: Database, id: number, name: string) {
  const row = await db.transaction((trx) => queries.accountUpdate(trx, id, { name }));
  if (row === undefined) throw noAccount(id);
  return { account_id: String(id), name };
}

/** Refuses the tokens of an account, or accepts them again. @throws Error when the account does not exist. */
async function setDisabled(db: Database, id: number, disabled_at: number | null) {
  const row = await db.transaction((trx) => queries.accountUpdate(trx, id, { disabled_at }));
  if (row === undefined) throw noAccount(id);
  return { account_id: String(id), status: status(row) };
}

/**
 * Deletes an account with its tokens and calendars and their contents. The rows of calendars stay, without their texts, so that
 * pages and feeds answer 410, as for each deleted calendar (docs/decisions/0014).
 * @throws Error when the account does not exist, or `yes` is not given
 */
export async function deleteAccount(
  db: Database,
  id: number,
  { yes }: { readonly yes?: boolean },
  now: number,
): Promise<object> {
  const account = await queries.findAccount(db.read, id);
  if (account === undefined) throw noAccount(id);
  requireYes(yes, await describeLoss(db, account));
  const calendars = await db.transaction(async (trx) => {
    // The account first: from then on no calendar can be created.
    const row = await queries.accountUpdate(trx, id, { ...noProfile, deleted_at: now });
    if (row === undefined) throw noAccount(id);
    await replaceKey(trx, id, "", now);
    await deletePicturesOf(trx, id);
    await deletePeopleOf(trx, id);
    await queries.deleteTokens(trx, id);
    await deleteKeysOf(trx, id);
    await deleteEndpointsOf(trx, id, now);
    return deleteCalendarsOf(trx, id, now);
  });
  await purgeDeletedCalendars(db);
  await purgeEndpointsOf(db, id);
  return { account_id: String(id), status: "deleted", calendars };
}

async function describeLoss(db: Database, { id, name }: AccountRow): Promise<string> {
  const rows = await listEveryCalendar(db.read, id);
  const sum = (column: "events_total" | "followers_total"): number =>
    rows.reduce((total, row) => total + row[column], 0);
  return `Account ${id}, ${name}, has ${rows.length} calendars with ${sum("events_total")} events and ${sum("followers_total")} followers. All of it is deleted, with its tokens, and cannot be restored; its pages and feeds answer 410.`;
}

function status({ disabled_at }: AccountRow): "active" | "disabled" {
  return disabled_at === null ? "active" : "disabled";
}

export function addAccounts(program: Command): void {
  const account = command(program, "account", "accounts");
  const created = "create an account and its first token, which is shown only once";
  reports(
    command(account, "create", created).requiredOption("--name <name>", "name of the account", notBlank),
    (db, now, { name }: { name: string }) => createAccount(db, name, now),
    { mayCreate: true },
  );
  reports(command(account, "list", "list the accounts"), listAccounts);
  const rename = command(account, "rename", "change the name of an account", "account");
  reports(
    rename.requiredOption("--name <name>", "the new name", notBlank),
    (db, _now, accountId: number, { name }: { name: string }) => renameAccount(db, accountId, name),
  );
  const states = [
    ["disable", "refuse an account's tokens, within two seconds; its pages and feeds are still served"],
    ["enable", "accept the tokens of a disabled account again"],
  ] as const;
  for (const [name, description] of states)
    reports(command(account, name, description, "account"), (db, now, accountId: number) =>
      setDisabled(db, accountId, name === "disable" ? now : null),
    );
  const deleted = "delete an account with its tokens, calendars, events and followers";
  reports(
    command(account, "delete", deleted, "account").option(
      "--yes",
      "delete it; without this the command names what would be lost",
    ),
    (db, now, accountId: number, options: { yes?: boolean }) => deleteAccount(db, accountId, options, now),
  );
}

export function addTokens(program: Command): void {
  const token = command(program, "token", "tokens of accounts");
  reports(
    command(token, "create", "create a token, which is shown only once")
      .requiredOption("--account <id>", "id of the account", id)
      .option("--name <name>", "what the token is for", notBlank, "token")
      .addOption(
        new Option("--scope <scope>", "what the token may do").choices(["read", "write"]).default("write"),
      )
      .option("--expires <time>", "how long it is valid, such as 90d or 12h (default: no expiry)", duration),
    (db, now, options: NewTokenOptions) => createToken(db, options, now),
  );
  const listed = "list the tokens of all accounts and their last use, without the tokens themselves";
  reports(
    command(token, "list", listed).option("--account <id>", "only those of this account", id),
    (db, now, { account }: { readonly account?: number }) => listTokens(db, account, now),
  );
  reports(command(token, "revoke", "revoke a token at once", "token"), (db, now, tokenId: number) =>
    revokeToken(db, tokenId, now),
  );
}

interface NewTokenOptions {
  readonly account: number;
  readonly name: string;
  readonly scope: Scope;
  /** Lifetime in seconds; absent means that the token never expires. */
  readonly expires?: number;
}

/** Creates a token; the result alone shows it. `now` is in Unix seconds. @throws Error when the account does not exist or is disabled */
async function createToken(db: Database, options: NewTokenOptions, now: number) {
  const { account, name, scope, expires } = options;
  if (name === settingTokenName)
    throw new Error(`The name ${settingTokenName} is reserved for the setting; choose another.`);
  const { row, token } = await db.transaction(async (trx) => {
    await requireEnabledAccount(trx, account);
    const expires_at = expires === undefined ? null : now + expires;
    return issueToken(trx, { account_id: account, name, scope, created_at: now, expires_at });
  });
  const ids = { token_id: String(row.id), account_id: String(account) };
  return { ...ids, name, scope, expires_at: row.expires_at, token };
}

/** Lists the tokens of all accounts, or of one, without the tokens themselves. The last use is up to an hour late. @throws Error when it does not exist. */
async function listTokens(db: Database, account: number | undefined, now: number) {
  if (account !== undefined) await requireAccount(db.read, account);
  const rows = await queries.listTokens(db.read, account);
  return { tokens: rows.map((row) => describe(row, now)) };
}

function describe(row: queries.ListedToken, now: number): object {
  const { name, scope, last_four, created_at, expires_at, last_used_at } = row;
  const ids = { token_id: String(row.id), account_id: String(row.account_id) };
  const times = { created_at, expires_at, last_used_at };
  return { ...ids, name, scope, last_four, ...times, status: tokenStatus(row, now) };
}

/** Revokes a token at once. @throws Error when the token does not exist. */
async function revokeToken(db: Database, id: number, now: number) {
  const row = await db.transaction((trx) => queries.revokeToken(trx, id, now));
  if (row === undefined) throw new Error(`There is no token ${id}; run "token list" to see all.`);
  return { token_id: String(id), status: "revoked" };
}

function tokenStatus(row: queries.ListedToken, now: number) {
  const status = statusOfToken(row, now);
  return status === "valid" && row.disabled_at !== null ? "account disabled" : status;
}
