export * from "./client.js";
export type { RawExtensionsClient } from "./raw.js";
export type * from "./types.js";
export {
  verifyWebhook,
  type VerifyWebhookOptions,
  WebhookVerificationError,
  type WebhookHeaders,
  type WebhookMessage,
  type WebhookTestMessage,
  type WebhookVerificationReason,
} from "./verify-webhook.js";
export type { components, operations, paths } from "./schema.js";
