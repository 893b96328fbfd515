import type { webhookTypes } from "@kalends/spec";
import type { WebhookDeliveryRow } from "../db/rows.js";

/** What endpoints can be told of. */
export type WebhookType = (typeof webhookTypes)[number];

/** The type of the message that an owner sends to try an endpoint; every endpoint receives it. */
export const testType = "webhook.test";

/** A delivery without its payload, for lists. */
export type ListedDelivery = Omit<WebhookDeliveryRow, "payload" | "subscriber_id">;
