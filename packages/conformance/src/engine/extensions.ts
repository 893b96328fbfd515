import { type OperationName, paths as contractPaths } from "./operations.js";

/** Paths of calendars and events (extensions X2, X3). Literals, as those of the contract. */
const dataPaths = {
  findCalendars: "/api/kalends/v1/calendars/list/",
  getCalendar: "/api/kalends/v1/calendars/details/",
  updateCalendar: "/api/kalends/v1/calendars/update/",
  importCalendar: "/api/kalends/v1/calendars/import/",
  findEvents: "/api/kalends/v1/events/list/",
  getEvent: "/api/kalends/v1/events/details/",
  addEvent: "/api/kalends/v1/events/create/",
  updateEvent: "/api/kalends/v1/events/update/",
  listEventChanges: "/api/kalends/v1/events/changes/",
  createSeries: "/api/kalends/v1/events/series/create/",
  updateSeries: "/api/kalends/v1/events/series/update/",
  deleteSeries: "/api/kalends/v1/events/series/delete/",
} as const;

/** Paths of webhooks (extensions X4). */
const webhookPaths = {
  listWebhooks: "/api/kalends/v1/webhooks/list/",
  createWebhook: "/api/kalends/v1/webhooks/create/",
  deleteWebhook: "/api/kalends/v1/webhooks/delete/",
  rotateWebhook: "/api/kalends/v1/webhooks/rotate/",
  enableWebhook: "/api/kalends/v1/webhooks/enable/",
  testWebhook: "/api/kalends/v1/webhooks/test/",
  listWebhookDeliveries: "/api/kalends/v1/webhooks/deliveries/",
  redeliverWebhook: "/api/kalends/v1/webhooks/redeliver/",
} as const;

export const extensionPaths = { ...dataPaths, ...webhookPaths } as const;

export type DataName = keyof typeof dataPaths;
export type WebhookName = keyof typeof webhookPaths;
export type ExtensionName = DataName | WebhookName;

/** An operation of the contract or of the extensions. */
export type AnyOperation = OperationName | ExtensionName;

export const allPaths = { ...contractPaths, ...extensionPaths } as const satisfies Record<
  AnyOperation,
  string
>;

export const dataNames: readonly DataName[] = Object.keys(dataPaths).filter(
  (name): name is DataName => name in dataPaths,
);
export const webhookNames: readonly WebhookName[] = Object.keys(webhookPaths).filter(
  (name): name is WebhookName => name in webhookPaths,
);
export const extensionNames: readonly ExtensionName[] = [...dataNames, ...webhookNames];

/** Where a server publishes the document of its extensions (extensions X1.1). */
export const documentPath = "/openapi-kalends.json";

const writes: readonly string[] = [
  "updateCalendar",
  "addEvent",
  "updateEvent",
  "createWebhook",
  "deleteWebhook",
  "rotateWebhook",
  "enableWebhook",
  "testWebhook",
  "redeliverWebhook",
  "importCalendar",
  "createSeries",
  "updateSeries",
  "deleteSeries",
] satisfies ExtensionName[];

/** Whether the operation is a POST that changes data. */
export function isExtensionWrite(name: AnyOperation): boolean {
  return writes.includes(name);
}
