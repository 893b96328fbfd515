import { setTimeout as pause } from "node:timers/promises";
import { allOperations, type Payload, webhookTypes } from "@kalends/spec";
import { readConfig } from "../config.js";
import type { Database } from "../db/connect.js";
import { webhookHandlers } from "../webhooks/handlers.js";
import { findDelivery, findEndpoint, firstWaiting, listEndpoints } from "../webhooks/queries.js";
import { delivery as serializeDelivery, webhook as serializeWebhook } from "../webhooks/serialize.js";
import { type Report, table } from "./database.js";
import {
  accepted,
  type HandlerContext,
  handlerContext,
  namingOptions,
  requireAccount,
} from "./operations.js";

/** The options of `webhook create`. */
export interface NewWebhook {
  readonly account: number;
  readonly url: string;
  /** With commas between them; absent means all. */
  readonly types?: string;
  readonly calendar?: number;
  readonly withPerson?: boolean;
}

function handlers() {
  const { WEBHOOKS_PER_ACCOUNT: perAccount, WEBHOOK_ALLOW_PRIVATE } = readConfig();
  return webhookHandlers({ perAccount, allowsPrivate: WEBHOOK_ALLOW_PRIVATE === "on" });
}

/** Creates a webhook by the rules of the API; the report alone shows its secret. @throws Error when a value is refused */
export async function createWebhook(db: Database, options: NewWebhook, now: number): Promise<Report> {
  const { account, url, types, calendar, withPerson = false } = options;
  await requireAccount(db.read, account);
  const params = accepted(allOperations.createWebhook, allOperations.createWebhook.params, {
    url,
    types,
    calendar_id: calendar === undefined ? undefined : String(calendar),
    with_person: String(withPerson),
  });
  const made = await namingOptions(handlers().createWebhook(params, handlerContext(db, account, now)));
  return withSecret(made, "is created");
}

function withSecret(made: Pick<Payload<"createWebhook">, "webhook" | "secret">, what: string): Report {
  const text = `Webhook ${made.webhook.id} ${what}. Its secret is shown only this once:\n\n  ${made.secret}\n`;
  return { json: { webhook: made.webhook, secret: made.secret }, text };
}

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
        return [id, String(row.account_id), calendar_id || "all", status, shown, url, disabled_reason];
      }),
    ]),
  };
}

/** Deletes a webhook. @throws Error when it does not exist */
export async function deleteWebhook(db: Database, id: number, now: number): Promise<Report> {
  const webhook_id = String(id);
  await handlers().deleteWebhook({ webhook_id }, await contextOf(db, id, now));
  return { json: { webhook_id, status: "deleted" }, text: `Webhook ${id} is deleted.` };
}

/** Replaces the secret of a webhook. @throws Error when it does not exist */
export async function rotateWebhook(db: Database, id: number, now: number): Promise<Report> {
  const params = { webhook_id: String(id) };
  const made = await handlers().rotateWebhook(params, await contextOf(db, id, now));
  return withSecret(made, "has a new secret; the one before signs too for 24 hours");
}

/** Enables a webhook again, and waits for the first attempt of what a running server sends then. @throws Error when it does not exist */
export async function enableWebhook(db: Database, id: number, now: number): Promise<Report> {
  const waiting = await firstWaiting(db.read, id); // a server may have sent it right after
  const { webhook } = await handlers().enableWebhook(
    { webhook_id: String(id) },
    await contextOf(db, id, now),
  );
  const text = `Webhook ${id} is enabled.`;
  if (waiting === undefined) return { json: { webhook }, text };
  const first = await attempted(db, serializeDelivery(waiting));
  return { json: { webhook, ...first.json }, text: `${text} ${first.text}` };
}

/** Has a running server send a test message, and waits for what becomes of it. @throws Error when the webhook does not exist */
export async function testWebhook(db: Database, id: number, now: number): Promise<Attempted> {
  const queued = await handlers().testWebhook({ webhook_id: String(id) }, await contextOf(db, id, now));
  return attempted(db, queued.delivery);
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
async function untilEnabled(
  db: Database,
  { id, webhook_id }: Pick<Delivery, "id" | "webhook_id">,
): Promise<string | undefined> {
  const endpoint = await findEndpoint(db.read, Number(webhook_id));
  if (endpoint?.state !== "disabled") return undefined;
  return `Delivery ${id} waits: webhook ${webhook_id} is disabled. Run "webhook enable ${webhook_id}" to have it sent.`;
}

/** Lists the newest deliveries of a webhook. @throws Error when it does not exist */
export async function listDeliveries(db: Database, id: number, limit: number, now: number): Promise<Report> {
  const context = { ...(await contextOf(db, id, now)), page: { number: 1, size: limit, url: () => "" } };
  const { deliveries } = await handlers().listWebhookDeliveries({ webhook_id: String(id) }, context);
  return {
    json: { webhook_id: String(id), deliveries },
    text: table([
      [
        "ID",
        "TYPE",
        "CALENDAR",
        "CREATED (UTC)",
        "STATUS",
        "ATTEMPTS",
        "RESPONSE",
        "MS",
        "NEXT (UTC)",
        "ERROR",
      ],
      ...deliveries.map((each) => [
        each.id,
        each.type,
        each.calendar_id,
        each.date_create,
        each.status,
        String(each.attempts),
        each.response_status === 0 ? "" : String(each.response_status),
        String(each.duration_ms),
        each.date_next,
        each.error,
      ]),
    ]),
  };
}

/** Has a running server send a message again, and waits for what becomes of it. @throws Error when the delivery does not exist */
export async function redeliver(db: Database, id: number, now: number): Promise<Report> {
  const row = await findDelivery(db.read, id);
  if (row === undefined)
    throw new Error(`There is no delivery ${id}; run "webhook deliveries" to see those of a webhook.`);
  const context = await contextOf(db, row.endpoint_id, now);
  const { delivery } = await handlers().redeliverWebhook({ delivery_id: String(id) }, context);
  return attempted(db, delivery);
}

/** The context of a handler for the account that has the webhook. @throws Error when it does not exist */
async function contextOf(db: Database, id: number, now: number): Promise<HandlerContext> {
  const endpoint = await findEndpoint(db.read, id);
  if (endpoint === undefined) throw new Error(`There is no webhook ${id}; run "webhook list" to see all.`);
  return handlerContext(db, endpoint.account_id, now);
}
