import { calendarOf } from "./calendars.js";
import { Refusal } from "./errors.js";
import { refuse } from "./events.js";
import { instantText } from "./extension-form.js";
import { paged } from "./paging.js";
import { idOf } from "./params.js";
import { randomHex } from "./random.js";
import { isWebhookUrl, messageTypes } from "./rules.js";
import type { Call, Delivery, Webhook } from "./state.js";

/** Webhooks that an account may have. */
const mostWebhooks = 10;

export function listWebhooks(call: Call): object {
  return { webhooks: ownWebhooks(call).map((webhook) => webhookShape(webhook, call)) };
}

/** extensions.md X4.1, X4.3: the secret is in this answer alone. */
export function createWebhook(call: Call): object {
  const { params, state, account, now, faulty } = call;
  if (!isWebhookUrl(params["url"] ?? "", faulty))
    refuse("url", "must be an https URL on the public Internet");
  if (params["calendar_id"] !== undefined) calendarOf(call);
  if (ownWebhooks(call).length >= mostWebhooks) throw new Refusal("webhook_limit_reached");
  const everything = faulty("X24") ? "" : messageTypes.join();
  const webhook: Webhook = {
    id: state.webhooks.size + 1,
    account,
    url: new URL(params["url"] ?? "").href,
    types: (params["types"] ?? everything).split(","),
    calendarId: params["calendar_id"] === undefined ? undefined : idOf(params, "calendar_id"),
    withPerson: params["with_person"] === "true" || faulty("X36"),
    secret: newSecret(),
    created: now,
    deleted: false,
  };
  state.webhooks.set(webhook.id, webhook);
  return { webhook: webhookShape(webhook, call), secret: webhook.secret };
}

export function deleteWebhook(call: Call): object {
  const webhook = webhookOf(call);
  call.state.webhooks.set(webhook.id, { ...webhook, deleted: true });
  return { webhook: { id: String(webhook.id), status: "deleted" } };
}

export function rotateWebhook(call: Call): object {
  const before = webhookOf(call);
  const secret = call.faulty("X26") ? before.secret : newSecret();
  call.state.webhooks.set(before.id, { ...before, secret });
  return { webhook: webhookShape(before, call), secret };
}

/** The model sends nothing, so it disables nothing. */
export function enableWebhook(call: Call): object {
  return { webhook: webhookShape(webhookOf(call), call) };
}

export function testWebhook(call: Call): object {
  const delivery = newDelivery(call, webhookOf(call), { type: "webhook.test" });
  if (!call.faulty("X27")) call.state.deliveries.push(delivery);
  return { delivery: deliveryShape(delivery) };
}

/** extensions.md X4.2: newest first. */
export function listWebhookDeliveries(call: Call): object {
  const webhook = webhookOf(call);
  const own = call.state.deliveries.filter(({ webhookId }) => webhookId === webhook.id);
  const { page, paging } = paged(call.faulty("X34") ? own : own.toReversed(), call);
  return { webhook: webhookShape(webhook, call), deliveries: page.map(deliveryShape), paging };
}

/** extensions.md X4.2: the same message again. */
export function redeliverWebhook(call: Call): object {
  const { state, params, faulty } = call;
  const own = new Set(ownWebhooks(call).map(({ id }) => id));
  const found = state.deliveries.find(({ id }) => id === idOf(params, "delivery_id"));
  if (found === undefined || !own.has(found.webhookId)) throw new Refusal("delivery_not_found");
  return { delivery: deliveryShape(faulty("X29") ? { ...found, messageId: newMessageId() } : found) };
}

/** Stores a message for each webhook of the account that receives it. */
export function announce(call: Call, type: string, calendarId: number): void {
  const { state, faulty } = call;
  if (faulty("X28")) return;
  for (const webhook of ownWebhooks(call)) {
    const isElsewhere = webhook.calendarId !== undefined && webhook.calendarId !== calendarId;
    if (isElsewhere && !faulty("X25")) continue;
    if (webhook.types.includes(type)) state.deliveries.push(newDelivery(call, webhook, { type, calendarId }));
  }
}

function ownWebhooks({ state, account, faulty }: Call): readonly Webhook[] {
  return [...state.webhooks.values()].filter(
    (webhook) => webhook.account === account && (!webhook.deleted || faulty("X32")),
  );
}

function webhookOf(call: Call): Webhook {
  const found = call.state.webhooks.get(idOf(call.params, "webhook_id"));
  const isOwn = found?.account === call.account || call.faulty("X31");
  if (found === undefined || found.deleted || !isOwn) throw new Refusal("webhook_not_found");
  return found;
}

function newSecret(): string {
  return `whsec_${btoa(randomHex(24))}`;
}

function newMessageId(): string {
  return `msg_${randomHex(16)}`;
}

function newDelivery(
  { state, now }: Call,
  webhook: Webhook,
  { type, calendarId }: { readonly type: string; readonly calendarId?: number },
): Delivery {
  const id = state.deliveries.length + 1;
  return { id, webhookId: webhook.id, calendarId, type, messageId: newMessageId(), created: now };
}

function webhookShape(webhook: Webhook, { faulty }: Call): object {
  return {
    id: String(webhook.id),
    url: webhook.url,
    types: messageTypes.filter((type) => webhook.types.includes(type)),
    calendar_id: webhook.calendarId === undefined ? "" : String(webhook.calendarId),
    with_person: webhook.withPerson,
    status: "enabled",
    disabled_reason: "",
    date_disabled: "",
    date_create: instantText(webhook.created),
    ...(faulty("X23") ? { secret: webhook.secret } : {}),
  };
}

/** A message that waits: no network is known here. */
function deliveryShape({ id, webhookId, calendarId, type, messageId, created }: Delivery): object {
  return {
    id: String(id),
    webhook_id: String(webhookId),
    calendar_id: calendarId === undefined ? "" : String(calendarId),
    message_id: messageId,
    type,
    status: "pending",
    attempts: 0,
    response_status: 0,
    error: "",
    duration_ms: 0,
    date_create: instantText(created),
    date_attempted: "",
    date_next: "",
  };
}
