import { payload, success, type Call, type Success } from "../calls.js";
import { pagesOf, type CalendarPages } from "../lists.js";
import type { RequestOptions } from "../options.js";
import type { Send } from "../send.js";
import type { Form, FirstPage, Read, Shape, Written } from "./bodies.js";
import type { RawExtensionsClient } from "./raw.js";

/** The webhooks of the account: where the server sends messages about changes. `verifyWebhook` verifies such a message. */
export interface WebhooksApi {
  /** Reads all webhooks of the account, oldest first, without their secrets. */
  list(options?: RequestOptions): Promise<readonly Webhook[]>;
  /** Adds a webhook. Store the secret: no other call returns it. */
  create(params: CreateWebhookParams, options?: RequestOptions): Promise<WebhookWithSecret>;
  /** Deletes a webhook and its deliveries. */
  delete(webhookId: string, options?: RequestOptions): Promise<DeletedWebhook>;
  /** Makes a new secret. For 24 hours messages are signed with the one before too. */
  rotate(webhookId: string, options?: RequestOptions): Promise<WebhookWithSecret>;
  /** Enables a webhook that was disabled. */
  enable(webhookId: string, options?: RequestOptions): Promise<Webhook>;
  /** Sends a message of the type `webhook.test`, once. Returns its delivery, which is pending. */
  test(webhookId: string, options?: RequestOptions): Promise<WebhookDelivery>;
  /** Lists the messages to a webhook of the last 30 days, newest first, and what became of them. */
  deliveries(
    webhookId: string,
    params?: FindDeliveriesParams,
    options?: RequestOptions,
  ): CalendarPages<WebhookDelivery>;
  /** Sends a message again, with the same `webhook-id`. Returns its delivery, which is pending. */
  redeliver(deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;
}

/** Where messages about changes are sent, and which. */
export interface Webhook extends Shape<Read<"webhooks/list/">["webhooks"][number]> {}
/** A webhook, and the secret that its messages are signed with. */
export interface WebhookWithSecret {
  /** The webhook. */
  readonly webhook: Webhook;
  /** The secret, `whsec_` and base64. `verifyWebhook` takes it. */
  readonly secret: string;
}

/** The id of a webhook that was deleted. */
export interface DeletedWebhook extends Shape<Written<"webhooks/delete/">["webhook"]> {}
/** A message to one webhook, and what became of it. */
export interface WebhookDelivery extends Shape<Read<"webhooks/deliveries/">["deliveries"][number]> {}
/** Parameters of a new webhook. */
export interface CreateWebhookParams extends Omit<Form<"webhooks/create/">, "with_person"> {
  /** Whether messages about subscribers hold their names and e-mail addresses; `false` when not given. */
  readonly with_person?: boolean | "true" | "false" | undefined;
}

/** Where the list of deliveries starts. */
export interface FindDeliveriesParams extends FirstPage {}

/** @internal */
export function webhooksApi(raw: RawExtensionsClient, send: Send): WebhooksApi {
  return {
    list: async (options) =>
      (await success(raw.GET("/api/kalends/v1/webhooks/list/", { fetch: send(options) }), "webhooks", "list"))
        .webhooks,
    create: ({ with_person = "false", ...params }, options) => {
      const body = { ...params, with_person: `${with_person}` as const };
      return withSecret(raw.POST("/api/kalends/v1/webhooks/create/", { body, fetch: send(options) }));
    },
    delete: (webhook_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/webhooks/delete/", { body: { webhook_id }, fetch: send(options) }),
        "webhook",
      ),
    rotate: (webhook_id, options) =>
      withSecret(
        raw.POST("/api/kalends/v1/webhooks/rotate/", { body: { webhook_id }, fetch: send(options) }),
      ),
    enable: (webhook_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/webhooks/enable/", { body: { webhook_id }, fetch: send(options) }),
        "webhook",
      ),
    test: (webhook_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/webhooks/test/", { body: { webhook_id }, fetch: send(options) }),
        "delivery",
      ),
    deliveries: (webhook_id, params = {}, options) =>
      pagesOf({ ...params, webhook_id }, "deliveries", (query) =>
        raw.GET("/api/kalends/v1/webhooks/deliveries/", { params: { query }, fetch: send(options) }),
      ),
    redeliver: (delivery_id, options) =>
      payload(
        raw.POST("/api/kalends/v1/webhooks/redeliver/", { body: { delivery_id }, fetch: send(options) }),
        "delivery",
      ),
  };
}

/** The webhook of a body beside its secret. */
async function withSecret(call: Call<Success & WebhookWithSecret>): Promise<WebhookWithSecret> {
  const { webhook, secret } = await success(call, "webhook", "object");
  return { webhook, secret };
}
