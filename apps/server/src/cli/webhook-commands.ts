import type { Command } from "commander";
import { command, id, type Json, notBlank } from "./arguments.js";
import { type Report, withDatabase } from "./database.js";
import type { Database } from "../db/connect.js";
import * as webhooks from "./webhooks.js";

/** How many deliveries are listed without --limit. */
const listed = 20;

export function addWebhooks(program: Command): void {
  const webhook = command(program, "webhook", "URLs that messages about changes are sent to");
  command(webhook, "create", "create a webhook and its secret, which is shown only once")
    .requiredOption("--account <id>", "id of the account", id)
    .requiredOption("--url <url>", "where messages are sent: https, on the public Internet", notBlank)
    .option("--types <types>", "what to send, such as event.created,event.saved (default: all)", notBlank)
    .option("--calendar <id>", "only of this calendar", id)
    .option("--with-person", "with the names and e-mail addresses of subscribers")
    .option("--json", "print one JSON line")
    .action((options: Json & webhooks.NewWebhook) =>
      withDatabase((db, now) => webhooks.createWebhook(db, options, now), options),
    );
  command(webhook, "list", "list the webhooks of all accounts, and why they are disabled")
    .option("--account <id>", "only those of this account", id)
    .option("--json", "print one JSON line")
    .action((options: Json & { account?: number }) =>
      withDatabase((db) => webhooks.listWebhooks(db, options.account), options),
    );
  addChanges(webhook);
  command(webhook, "deliveries", "list the newest messages to a webhook, and what became of them")
    .argument("<id>", "id of the webhook", id)
    .option("--limit <number>", "how many", id, listed)
    .option("--json", "print one JSON line")
    .action((webhookId: number, options: Json & { limit: number }) =>
      withDatabase((db, now) => webhooks.listDeliveries(db, webhookId, options.limit, now), options),
    );
  command(
    webhook,
    "redeliver",
    "send a message again, or at once when it waits, which a running server does, and wait for it",
  )
    .argument("<id>", "id of the delivery", id)
    .option("--json", "print one JSON line")
    .action((deliveryId: number, options: Json) =>
      withDatabase((db, now) => webhooks.redeliver(db, deliveryId, now), options),
    );
}

function addChanges(webhook: Command): void {
  const changes: readonly (readonly [
    string,
    string,
    (db: Database, webhookId: number, now: number) => Promise<Report>,
  ])[] = [
    ["delete", "delete a webhook and its deliveries", webhooks.deleteWebhook],
    ["rotate", "replace the secret of a webhook; both sign for 24 hours", webhooks.rotateWebhook],
    [
      "enable",
      "enable a webhook again, and have a running server send at once what waits",
      webhooks.enableWebhook,
    ],
    ["test", "send a test message, which a running server does, and wait for it", testWebhook],
  ];
  for (const [name, description, change] of changes) {
    command(webhook, name, description)
      .argument("<id>", "id of the webhook", id)
      .option("--json", "print one JSON line")
      .action((webhookId: number, options: Json) =>
        withDatabase((db, now) => change(db, webhookId, now), options),
      );
  }
}

/** The exit code is 1 when the message was not sent; its delivery is printed all the same. */
async function testWebhook(db: Database, webhookId: number, now: number): Promise<Report> {
  const report = await webhooks.testWebhook(db, webhookId, now);
  if (!report.isSent) process.exitCode = 1;
  return report;
}
