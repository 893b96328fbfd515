import * as z from "zod";
import { payloadExample, requestExample } from "../example.js";
import { parameter } from "../fields.js";
import { type Operation, operation, pagingSchema } from "../operation.js";
import { createParams, delivery, deliveryId, secret, webhook, webhookId } from "./webhook-fields.js";

const idParams = z.object({ webhook_id: webhookId });
const deliveryParams = z.object({ delivery_id: deliveryId });
const listParams = z.object({ webhook_id: webhookId, page: parameter.page.optional() });
const noParams = z.object({});

const webhookPayload = z.object({ webhook });
const secretPayload = z.object({ webhook, secret });
const deliveryPayload = z.object({ delivery });
const listPayload = z.object({
  webhooks: z.array(webhook).meta({ description: "The webhooks of the account, oldest first." }),
});
const deliveriesPayload = z.object({
  webhook,
  deliveries: z.array(delivery).meta({ description: "The deliveries of this page, newest first." }),
  paging: pagingSchema,
});
const deletedPayload = z.object({
  webhook: z
    .object({
      id: webhookId,
      status: z.literal("deleted").meta({ description: "Always `deleted`.", example: "deleted" }),
    })
    .meta({ id: "DeletedWebhook", description: "The id of a webhook that was deleted." }),
});

const shared = { codeType: "string", tag: "Webhooks", auth: "token", section: "webhooks" } as const;
const read = { ...shared, kind: "read", methods: ["get"] } as const;
const write = { ...shared, kind: "write", methods: ["post"] } as const;

export const webhookExtensions = {
  listWebhooks: operation({
    ...read,
    path: "/api/kalends/v1/webhooks/list/",
    summary: "List webhooks",
    returns: "The webhooks of the account.",
    description: "Returns all webhooks of the account, without their secrets.",
    params: noParams,
    payload: listPayload,
    errors: [],
    example: { request: {}, payload: payloadExample(listPayload) },
  }),
  createWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/create/",
    summary: "Add a webhook",
    returns: "The webhook and its secret.",
    description:
      "Adds a webhook. Changes that are committed from then on are sent to it, each in a signed request.",
    params: createParams,
    structured: { types: "list" },
    trimmed: ["types"],
    payload: secretPayload,
    errors: ["calendar_not_found", "webhook_limit_reached"],
    example: {
      request: requestExample(createParams, "url"),
      payload: payloadExample(secretPayload),
      mistake: { url: "example.com" },
    },
  }),
  deleteWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/delete/",
    summary: "Delete a webhook",
    returns: "The id of the deleted webhook.",
    description: "Deletes a webhook and its deliveries. What waits for it is not sent any more.",
    params: idParams,
    payload: deletedPayload,
    errors: ["webhook_not_found"],
    example: {
      request: requestExample(idParams),
      payload: payloadExample(deletedPayload),
      mistake: { webhook_id: "abc" },
    },
  }),
  rotateWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/rotate/",
    summary: "Replace the secret of a webhook",
    returns: "The webhook and its new secret.",
    description:
      "Makes a new secret. For 24 hours messages have two signatures, of the new secret and of the one before.",
    params: idParams,
    payload: secretPayload,
    errors: ["webhook_not_found"],
    example: {
      request: requestExample(idParams),
      payload: payloadExample(secretPayload),
      mistake: { webhook_id: "0" },
    },
  }),
  enableWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/enable/",
    summary: "Enable a webhook again",
    returns: "The enabled webhook.",
    description:
      "Enables a webhook that was disabled. What waits is sent at once; what has changed since was not stored for it.",
    params: idParams,
    payload: webhookPayload,
    errors: ["webhook_not_found"],
    example: {
      request: requestExample(idParams),
      payload: payloadExample(webhookPayload),
      mistake: { webhook_id: "-1" },
    },
  }),
  testWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/test/",
    summary: "Send a test message",
    returns: "The delivery of the test message.",
    description:
      "Sends a message of the type `webhook.test`, once. `listWebhookDeliveries` shows what became of it.",
    params: idParams,
    payload: deliveryPayload,
    errors: ["webhook_not_found"],
    example: {
      request: requestExample(idParams),
      payload: payloadExample(deliveryPayload),
      mistake: { webhook_id: "01" },
    },
  }),
  listWebhookDeliveries: operation({
    ...read,
    path: "/api/kalends/v1/webhooks/deliveries/",
    summary: "List the deliveries of a webhook",
    returns: "A page of the deliveries of the webhook.",
    description:
      "Returns the messages to a webhook of the last 30 days in pages, newest first, and what became of them.",
    params: listParams,
    payload: deliveriesPayload,
    errors: ["webhook_not_found"],
    example: {
      request: requestExample(listParams, "webhook_id"),
      payload: payloadExample(deliveriesPayload),
      mistake: { page: "0" },
    },
  }),
  redeliverWebhook: operation({
    ...write,
    path: "/api/kalends/v1/webhooks/redeliver/",
    summary: "Send a message again",
    returns: "The delivery, which is pending again.",
    description:
      "Sends a message again that was sent or has failed, with the same `webhook-id` and all its attempts. For one that is pending the next " +
      "attempt is made at once.",
    params: deliveryParams,
    payload: deliveryPayload,
    errors: ["delivery_not_found"],
    example: {
      request: requestExample(deliveryParams),
      payload: payloadExample(deliveryPayload),
      mistake: { delivery_id: "abc" },
    },
  }),
} satisfies Record<string, Operation>;
