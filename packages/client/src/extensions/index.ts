export { createExtensionsClient, type ExtensionsClient } from "./client.js";
export type { BatchesApi, BatchOptions, CopyOptions } from "./batches.js";
export type { CalendarExtensionsApi, ImportOptions } from "./calendars.js";
export type { ChangesApi } from "./changes.js";
export type { EventExtensionsApi, UpdateOptions } from "./events.js";
export type { RawExtensionsClient } from "./raw.js";
export type { SubscriberExtensionsApi } from "./subscribers.js";
export type { SyncsApi } from "./syncs.js";
export type { TokensApi } from "./tokens.js";
export type { CategoriesApi } from "./categories.js";
export type { SeriesApi, SeriesOptions } from "./series.js";
export type { TrashApi } from "./trash.js";
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
export type { WebhooksApi } from "./webhooks.js";
export type { components, operations, paths } from "./schema.js";
