import * as z from "zod";
import { access } from "./access.js";
import { rule } from "./failures.js";
import { count, flag, ids, instant, instantOrNone, parameter } from "./fields.js";
import { extensionRead, extensionWrite, operation, type OperationTable, pagingSchema } from "./operation.js";
import { webhookTypes } from "./webhook-messages.js";

/** The longest URL of a webhook, in characters. */
const longestUrl = 2048;

const typesRule = rule("not_allowed", `must be types, separated by commas: ${webhookTypes.join(", ")}`);
const isType = (text: string): boolean => webhookTypes.some((type) => type === text);

const createParams = z.object({
  url: z
    .string()
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/, rule("not_a_url", "must be a URL that begins with https://"))
    .max(longestUrl, `must be at most ${longestUrl} characters`)
    .meta({
      description:
        "Where messages are sent: an `https` URL without a user name, a password and a fragment, whose host is on the public Internet.",
      example: "https://hooks.example/kalends",
    }),
  types: z
    .string()
    .refine((text) => text.split(",").every(isType), typesRule)
    .optional()
    .meta({
      type: "array",
      items: { type: "string", enum: [...webhookTypes] },
      description:
        "What to send. Without a value, every type. In a form, the types with commas between them.",
      example: ["event.created", "event.saved"],
    }),
  calendar_id: ids.calendar.optional().meta({
    description: "Send only what happens in this calendar. Without a value, in all of the account.",
  }),
  with_person: flag.optional().meta({
    description:
      "Whether messages about subscribers hold their names and e-mail addresses. Without a value, `false`.",
    default: "false",
    example: "false",
  }),
});

const webhookId = ids.calendar.meta({
  description: "Id of the webhook: digits, as a string.",
  example: "1",
});
const deliveryId = ids.calendar.meta({
  description: "Id of the delivery: digits, as a string.",
  example: "9",
});

const webhook = z
  .object({
    id: webhookId,
    url: z
      .string()
      .meta({ description: "Where messages are sent.", example: "https://hooks.example/kalends" }),
    types: z
      .array(z.enum(webhookTypes))
      .meta({ description: "What is sent.", example: ["event.created", "event.saved"] }),
    calendar_id: z
      .string()
      .meta({ description: "The only calendar of which it is sent; empty for all.", example: "" }),
    with_person: z.boolean().meta({
      description: "Whether messages hold names and e-mail addresses of subscribers.",
      example: false,
    }),
    status: z
      .enum(["enabled", "disabled"])
      .meta({ description: "`disabled`: nothing is sent until you enable it again.", example: "enabled" }),
    disabled_reason: z
      .string()
      .meta({ description: "Why it was disabled; empty when it was not.", example: "" }),
    date_disabled: instantOrNone.meta({
      description: "When it was disabled; empty when it was not.",
      example: "",
    }),
    date_create: instant.meta({ description: "Time of creation.", example: "2026-07-02T12:00:00Z" }),
  })
  .meta({ id: "Webhook", description: "Where messages about changes are sent." });

const secret = z.string().meta({
  description:
    "The secret that messages are signed with, `whsec_` and base64. It is shown only in this response.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

const delivery = z
  .object({
    id: deliveryId,
    webhook_id: webhookId,
    calendar_id: z
      .string()
      .meta({ description: "The calendar that changed; empty for a test.", example: "1" }),
    message_id: z.string().meta({
      description: "The `webhook-id` of the message: the same for all attempts.",
      example: "msg_2f9c1e6f7b3c4d1bb639f0e2d8a5a1f0",
    }),
    type: z.string().meta({ description: "Type of the message.", example: "event.created" }),
    status: z.enum(["pending", "sent", "failed"]).meta({
      description: "`sent`: the receiver has answered with 2xx. `failed`: it is not tried again.",
      example: "sent",
    }),
    attempts: count.meta({ description: "How often it was tried.", example: 1 }),
    response_status: z.int().min(0).max(999).meta({
      description: "HTTP status of the last response; 0 when there was none.",
      format: "int32",
      example: 204,
    }),
    error: z
      .string()
      .meta({ description: "What failed in the last attempt; empty when nothing did.", example: "" }),
    duration_ms: count.meta({ description: "How long the last attempt took, in ms.", example: 87 }),
    date_create: instant.meta({ description: "Time of the change.", example: "2026-07-02T12:00:00Z" }),
    date_attempted: instantOrNone.meta({
      description: "Time of the last attempt; empty before the first.",
      example: "2026-07-02T12:00:00Z",
    }),
    date_next: instantOrNone.meta({
      description: "When it is tried again; empty when it is not, or is due now.",
      example: "",
    }),
  })
  .meta({ id: "WebhookDelivery", description: "A message to one webhook, and what became of it." });

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

const shared = { tag: "Webhooks", section: "webhooks" } as const;

export const webhookOperations = {
  webhooksList: operation({
    ...extensionRead,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/list/",
    summary: "List webhooks",
    returns: "The webhooks of the account.",
    description: "Returns all webhooks of the account, without their secrets.",
    params: noParams,
    payload: listPayload,
    errors: [],
  }),
  webhooksCreate: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
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
    example: { sends: ["url"], mistake: { url: "example.com" } },
  }),
  webhooksDelete: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/delete/",
    summary: "Delete a webhook",
    returns: "The id of the deleted webhook.",
    description: "Deletes a webhook and its deliveries. What waits for it is not sent any more.",
    params: idParams,
    payload: deletedPayload,
    errors: ["webhook_not_found"],
    example: { mistake: { webhook_id: "abc" } },
  }),
  webhooksRotate: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/rotate/",
    summary: "Replace the secret of a webhook",
    returns: "The webhook and its new secret.",
    description:
      "Makes a new secret. For 24 hours messages have two signatures, of the new secret and of the one before.",
    params: idParams,
    payload: secretPayload,
    errors: ["webhook_not_found"],
    example: { mistake: { webhook_id: "0" } },
  }),
  webhooksEnable: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/enable/",
    summary: "Enable a webhook again",
    returns: "The enabled webhook.",
    description:
      "Enables a webhook that was disabled. What waits is sent, at most 1,000 messages that have failed at once and the rest at their " +
      "next attempts; what has changed since was not stored for it.",
    params: idParams,
    payload: webhookPayload,
    errors: ["webhook_not_found"],
    example: { mistake: { webhook_id: "-1" } },
  }),
  webhooksTest: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/test/",
    summary: "Send a test message",
    returns: "The delivery of the test message.",
    description:
      "Sends a message of the type `webhook.test`, once. `webhooksDeliveries` shows what became of it. While the webhook is disabled it waits.",
    params: idParams,
    payload: deliveryPayload,
    errors: ["webhook_not_found"],
    example: { mistake: { webhook_id: "01" } },
  }),
  webhooksDeliveries: operation({
    ...extensionRead,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/deliveries/",
    summary: "List the deliveries of a webhook",
    returns: "A page of the deliveries of the webhook.",
    description:
      "Returns the messages to a webhook of the last 30 days in pages, newest first, and what became of them.",
    params: listParams,
    payload: deliveriesPayload,
    errors: ["webhook_not_found"],
    example: { sends: ["webhook_id"], mistake: { page: "0" } },
  }),
  webhooksRedeliver: operation({
    ...extensionWrite,
    ...shared,
    access: access.ownerOfAll,
    path: "/api/kalends/v1/webhooks/redeliver/",
    summary: "Send a message again",
    returns: "The delivery, which is pending again.",
    description:
      "Sends a message again that was sent or has failed, with the same `webhook-id` and all its attempts. For one that is pending the next " +
      "attempt is made at once. While the webhook is disabled it waits.",
    params: deliveryParams,
    payload: deliveryPayload,
    errors: ["delivery_not_found"],
    example: { mistake: { delivery_id: "abc" } },
  }),
} satisfies OperationTable;
