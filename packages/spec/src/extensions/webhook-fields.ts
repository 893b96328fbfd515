import * as z from "zod";
import { ids } from "../fields.js";
import { count, instant } from "./fields.js";
import { webhookTypes } from "./webhook-messages.js";

/** The longest URL of a webhook, in characters. */
const longestUrl = 2048;

const typesRule = `must be types, separated by commas: ${webhookTypes.join(", ")}`;
const isType = (text: string): boolean => webhookTypes.some((type) => type === text);

export const createParams = z.object({
  url: z
    .string()
    .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/\S+$/, "must be a URL that begins with https://")
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
  with_person: z.enum(["true", "false"], "must be true or false").optional().meta({
    description:
      "Whether messages about subscribers hold their names and e-mail addresses. Without a value, `false`.",
    default: "false",
    example: "false",
  }),
});

/** An instant, or an empty text. */
const instantOrNone = z.string().regex(/^$|^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/);

export const webhookId = ids.calendar.meta({
  description: "Id of the webhook: digits, as a string.",
  example: "1",
});
export const deliveryId = ids.calendar.meta({
  description: "Id of the delivery: digits, as a string.",
  example: "9",
});

export const webhook = z
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

export const secret = z.string().meta({
  description:
    "The secret that messages are signed with, `whsec_` and base64. It is shown only in this response.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

export const delivery = z
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
