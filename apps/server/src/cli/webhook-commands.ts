import type { Command } from "commander";
import { command, id, type Json } from "./arguments.js";
import { withDatabase } from "./database.js";
import { addShortCommand } from "./short-commands.js";
import { listWebhooks, webhookCommands } from "./webhooks.js";

export function addWebhooks(program: Command): void {
  const webhook = command(program, "webhook", "URLs that messages about changes are sent to");
  command(webhook, "list", "list the webhooks of all accounts, and why they are disabled")
    .option("--account <id>", "only those of this account", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { account?: number }) =>
      withDatabase((db) => listWebhooks(db, options.account), options),
    );
  for (const short of webhookCommands) addShortCommand(webhook, short);
}
