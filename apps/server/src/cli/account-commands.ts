import { type Command, Option } from "commander";
import { createAccount, deleteAccount, listAccounts, renameAccount, setDisabled } from "./accounts.js";
import { command, duration, id, type Json, notBlank } from "./arguments.js";
import { withDatabase } from "./database.js";
import { createToken, listTokens, revokeToken } from "./tokens.js";

export function addAccounts(program: Command): void {
  const account = command(program, "account", "accounts").enablePositionalOptions();
  command(account, "create", "create an account and its first token, which is shown only once")
    .requiredOption("--name <name>", "name of the account", notBlank)
    .option("--json", "print one JSON line")
    .action((options: Json & { name: string }) =>
      withDatabase((db, now) => createAccount(db, options.name, now), { ...options, mayCreate: true }),
    );
  command(account, "list", "list the accounts")
    .option("--json", "print one JSON line")
    .action((options: Json) => withDatabase((db) => listAccounts(db), options));
  command(account, "rename", "change the name of an account")
    .argument("<id>", "id of the account", id)
    .requiredOption("--name <name>", "the new name", notBlank)
    .option("--json", "print one JSON line")
    .action((accountId: number, options: Json & { name: string }) =>
      withDatabase((db) => renameAccount(db, accountId, options.name), options),
    );
  const states = [
    ["disable", "refuse an account's tokens, within two seconds; its pages and feeds are still served"],
    ["enable", "accept the tokens of a disabled account again"],
  ] as const;
  for (const [name, description] of states) {
    command(account, name, description)
      .argument("<id>", "id of the account", id)
      .option("--json", "print one JSON line")
      .action((accountId: number, options: Json) =>
        withDatabase((db, now) => setDisabled(db, accountId, name === "disable" ? now : null), options),
      );
  }
  command(account, "delete", "delete an account with its tokens, calendars, events and followers")
    .argument("<id>", "id of the account", id)
    .option("--yes", "do not ask for confirmation")
    .option("--json", "print one JSON line")
    .action((accountId: number, options: Json & { yes?: boolean }) =>
      withDatabase((db, now) => deleteAccount(db, accountId, options, now), options),
    );
}

export function addTokens(program: Command): void {
  const token = command(program, "token", "tokens of accounts");
  command(token, "create", "create a token, which is shown only once")
    .requiredOption("--account <id>", "id of the account", id)
    .option("--name <name>", "what the token is for", notBlank, "token")
    .addOption(
      new Option("--scope <scope>", "what the token may do").choices(["read", "write"]).default("write"),
    )
    .option("--expires <time>", "how long it is valid, such as 90d or 12h (default: no expiry)", duration)
    .option("--json", "print one JSON line")
    .action((options: Json & { account: number; name: string; scope: "read" | "write"; expires?: number }) =>
      withDatabase((db, now) => createToken(db, options, now), options),
    );
  command(token, "list", "list the tokens of all accounts and their last use, without the tokens themselves")
    .option("--account <id>", "only those of this account", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { account?: number }) =>
      withDatabase((db, now) => listTokens(db, options.account, now), options),
    );
  command(token, "revoke", "revoke a token at once")
    .argument("<id>", "id of the token", id)
    .option("--json", "print one JSON line")
    .action((tokenId: number, options: Json) =>
      withDatabase((db, now) => revokeToken(db, tokenId, now), options),
    );
}
