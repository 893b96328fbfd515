import { setTimeout as pause } from "node:timers/promises";
import { operations, type Payload, webhookTypes } from "@kalends/spec";
import type { Command } from "commander";
import type { Database } from "../db/open-database.js";
import { readConfig } from "../settings/config.js";
import { findDelivery, findEndpoint, firstWaiting, listEndpoints } from "../webhooks/queries.js";
import { delivery as serializeDelivery, webhook as serializeWebhook } from "../webhooks/serialize.js";
import { command } from "./arguments.js";
import { addList, type Report, table } from "./database.js";
import { requireAccount } from "./run-operation.js";
import { addShortCommand, reporting, type ShortCommand } from "./short-commands.js";

const webhook = ["webhook_id", "webhook"] as const;

function secretReport(what: string) {
  return reporting(operations.createWebhook.payload, (json) => {
    const text = `Webhook ${json.webhook.id} ${what}. Its secret is shown only this once:\n\n  ${json.secret}\n`;
    return { json, text };
  });
}

/** Commands about webhooks that are one operation. What a running server then sends is waited for. */
const webhookCommands: readonly ShortCommand[] = [
  {
    name: "create",
    does: "create a webhook and its secret, which is shown only once",
    operation: "createWebhook",
    report: secretReport("is created"),
  },
  {
    name: "delete",
    does: "delete a webhook and its deliveries",
    operation: "deleteWebhook",
    argument: webhook,
    report: reporting(operations.deleteWebhook.payload, ({ webhook: { id } }) => `Webhook ${id} is deleted.`),
  },
  {
    name: "rotate",
    does: "replace the secret of a webhook; both sign for 24 hours",
    operation: "rotateWebhook",
    argument: webhook,
    report: secretReport("has a new secret; the one before signs too for 24 hours"),
  },
  {
    name: "enable",
    does: "enable a webhook again, and have a running server send at once what waits",
    operation: "enableWebhook",
    argument: webhook,
    // A server may have sent it right after.
    before: async (db, id) => {
      const row = await firstWaiting(db.read, id);
      return row && serializeDelivery(row);
    },
    report: reporting(operations.enableWebhook.payload, async (json, { db, waiting }) => {
      const text = `Webhook ${json.webhook.id} is enabled.`;
      if (waiting === undefined) return text;
      const first = await attempted(db, waiting);
      return { json: { ...json, ...first.json }, text: `${text} ${first.text}` };
    }),
  },
  {
    name: "test",
    does: "send a test message, which a running server does, and wait for it",
    operation: "testWebhook",
    argument: webhook,
    report: reporting(operations.testWebhook.payload, async ({ delivery }, { db }) => {
      const report = await attempted(db, delivery);
      if (!report.isSent) process.exitCode = 1; // its delivery is printed all the same
      return report;
    }),
  },
  {
    name: "deliveries",
    does: "list the newest messages to a webhook, and what became of them",
    operation: "listWebhookDeliveries",
    argument: webhook,
    limit: 20,
    report: reporting(operations.listWebhookDeliveries.payload, ({ webhook: { id }, deliveries }) => ({
      json: { webhook_id: id, deliveries },
      text: deliveryTable(deliveries),
    })),
  },
  {
    name: "redeliver",
    does: "send a message again, or at once when it waits, which a running server does, and wait for it",
    operation: "redeliverWebhook",
    argument: ["delivery_id", "delivery"],
    report: reporting(operations.redeliverWebhook.payload, ({ delivery }, { db }) => attempted(db, delivery)),
  },
];

/** Lists the webhooks of all accounts, or of one. @throws Error when the account does not exist */
export async function listWebhooks(db: Database, account: number | undefined): Promise<Report> {
  if (account !== undefined) await requireAccount(db.read, account);
  const rows = await listEndpoints(db.read, account);
  return {
    json: { webhooks: rows.map((row) => ({ account_id: String(row.account_id), ...serializeWebhook(row) })) },
    text: table([
      ["ID", "ACCOUNT", "CALENDAR", "STATUS", "TYPES", "URL", "REASON"],
      ...rows.map((row) => {
        const { id, calendar_id, status, types, url, disabled_reason } = serializeWebhook(row);
        const shown = types.length === webhookTypes.length ? "all" : types.join(",");
        return [id, row.account_id, calendar_id || "all", status, shown, url, disabled_reason];
      }),
    ]),
  };
}

type Attempted = Report & { readonly isSent: boolean };

/** How often the outcome of an attempt is looked for, in ms. */
const lookEveryMs = 100;

/** How long a server may take until it notices that there is something to send, and to store what became of it, in ms. */
const noticeMs = 2_000;

/** Waits for the next attempt of a delivery that is due, as long as one may take. */
async function attempted(db: Database, queued: Delivery): Promise<Attempted> {
  const endsAt = performance.now() + readConfig().WEBHOOK_TIMEOUT_MS + noticeMs;
  for (;;) {
    const row = await findDelivery(db.read, Number(queued.id));
    const delivery = row === undefined ? queued : serializeDelivery(row);
    const isTried = delivery.status !== "pending" || delivery.attempts > queued.attempts;
    const waits = isTried ? undefined : await untilEnabled(db, delivery);
    if (isTried || waits !== undefined || performance.now() > endsAt)
      return {
        json: { delivery },
        text: waits ?? outcomeOf(delivery, isTried),
        isSent: delivery.status === "sent",
      };
    await pause(lookEveryMs);
  }
}

type Delivery = Payload<"redeliverWebhook">["delivery"];

function outcomeOf(delivery: Delivery, isTried: boolean): string {
  const { id, webhook_id, status, response_status, error, duration_ms, date_next } = delivery;
  if (status === "sent")
    return `Delivery ${id}: the receiver answered ${response_status} in ${duration_ms} ms.`;
  if (status === "failed") return `Delivery ${id} failed: ${error}`;
  if (isTried) return `Delivery ${id} failed: ${error} Its next attempt is at ${date_next}.`;
  return `Delivery ${id} waits: no server on this database has sent it yet. Start one, then run "webhook deliveries ${webhook_id}".`;
}

/** Returns what to say of a delivery that waits for its webhook to be enabled; undefined when that is enabled. */
async function untilEnabled(db: Database, { id, webhook_id }: Pick<Delivery, "id" | "webhook_id">) {
  const endpoint = await findEndpoint(db.read, Number(webhook_id));
  if (endpoint?.state !== "disabled") return undefined;
  return `Delivery ${id} waits: webhook ${webhook_id} is disabled. Run "webhook enable ${webhook_id}" to have it sent.`;
}

function deliveryTable(deliveries: readonly Delivery[]): string {
  const columns = ["ID", "TYPE", "CALENDAR", "CREATED (UTC)", "STATUS", "ATTEMPTS", "RESPONSE", "MS"];
  return table([
    [...columns, "NEXT (UTC)", "ERROR"],
    ...deliveries.map((each) => [
      each.id,
      each.type,
      each.calendar_id,
      each.date_create,
      each.status,
      each.attempts,
      each.response_status || "",
      each.duration_ms,
      each.date_next,
      each.error,
    ]),
  ]);
}

export function addWebhooks(program: Command): void {
  const webhook = command(program, "webhook", "URLs that messages about changes are sent to");
  addList(webhook, "list the webhooks of all accounts, and why they are disabled", "account", listWebhooks);
  for (const short of webhookCommands) addShortCommand(webhook, short);
}
