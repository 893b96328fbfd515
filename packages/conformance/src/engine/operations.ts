interface Declared {
  /** Section of the contract, or of docs/extensions.md with an X in front. */
  readonly section: string;
  readonly path: string;
  /** Whether it changes data. Writes of the contract answer GET too, those of the extensions POST alone. */
  readonly writes?: true;
  /** The parameters beside the token that it must have. */
  readonly needs?: readonly string[];
}

/**
 * Every operation. Literals: the suite judges by the contract and docs/extensions.md, not by a document of ours. Create and save of a
 * calendar do not need `timezone`, which has a default (rulings R4.7).
 */
export const operations = {
  listTimeZones: { section: "4.12", path: "/api/v1/timezones", needs: [] },
  listCalendars: { section: "4.1", path: "/api/v1/calendars/list/", needs: [] },
  createCalendar: { section: "4.2", path: "/api/v1/calendars/create/", writes: true, needs: ["title"] },
  saveCalendar: {
    section: "4.3",
    path: "/api/v1/calendars/save/",
    writes: true,
    needs: ["calendar_id", "title"],
  },
  deleteCalendar: {
    section: "4.4",
    path: "/api/v1/calendars/delete/",
    writes: true,
    needs: ["calendar_id"],
  },
  listEvents: { section: "4.5", path: "/api/v1/calendars/events/list/", needs: ["calendar_id"] },
  createEvent: {
    section: "4.6",
    path: "/api/v1/calendars/events/create/",
    writes: true,
    needs: ["calendar_id", "title", "start_date"],
  },
  saveEvent: {
    section: "4.7",
    path: "/api/v1/calendars/events/save/",
    writes: true,
    needs: ["event_id", "title", "start_date"],
  },
  deleteEvent: {
    section: "4.8",
    path: "/api/v1/calendars/events/delete/",
    writes: true,
    needs: ["event_id"],
  },
  listSubscribers: { section: "4.9", path: "/api/v1/calendars/subscribers/list/", needs: ["calendar_id"] },
  listInactiveSubscribers: {
    section: "4.9",
    path: "/api/v1/calendars/subscribers/list/inactive/",
    needs: ["calendar_id"],
  },
  listBlockedSubscribers: {
    section: "4.9",
    path: "/api/v1/calendars/subscribers/list/blocked/",
    needs: ["calendar_id"],
  },
  getSubscriber: {
    section: "4.10",
    path: "/api/v1/calendars/subscriber/",
    needs: ["calendar_id", "subscriber_id"],
  },
  findCalendars: { section: "X2.4", path: "/api/kalends/v1/calendars/list/" },
  getCalendar: { section: "X2.3", path: "/api/kalends/v1/calendars/details/" },
  updateCalendar: { section: "X2.3", path: "/api/kalends/v1/calendars/update/", writes: true },
  importCalendar: { section: "X6.1", path: "/api/kalends/v1/calendars/import/", writes: true },
  findEvents: { section: "X2.4", path: "/api/kalends/v1/events/list/" },
  getEvent: { section: "X2.3", path: "/api/kalends/v1/events/details/" },
  addEvent: { section: "X2.4", path: "/api/kalends/v1/events/create/", writes: true },
  updateEvent: { section: "X2.3", path: "/api/kalends/v1/events/update/", writes: true },
  listEventChanges: { section: "X2.5", path: "/api/kalends/v1/events/changes/" },
  getSeries: { section: "X8.2", path: "/api/kalends/v1/events/series/details/" },
  findSeriesDates: { section: "X8.2", path: "/api/kalends/v1/events/series/preview/" },
  createSeries: { section: "X5.1", path: "/api/kalends/v1/events/series/create/", writes: true },
  updateSeries: { section: "X5.3", path: "/api/kalends/v1/events/series/update/", writes: true },
  deleteSeries: { section: "X5.3", path: "/api/kalends/v1/events/series/delete/", writes: true },
  changeEvents: { section: "X8.4", path: "/api/kalends/v1/events/batch/", writes: true },
  copyEvent: { section: "X8.4", path: "/api/kalends/v1/events/copy/", writes: true },
  addCalendar: { section: "X8.6", path: "/api/kalends/v1/calendars/create/", writes: true },
  removeEvent: { section: "X8.6", path: "/api/kalends/v1/events/delete/", writes: true },
  removeCalendar: { section: "X8.6", path: "/api/kalends/v1/calendars/delete/", writes: true },
  findTimeZones: { section: "X8.6", path: "/api/kalends/v1/timezones/list/" },
  listPalettes: { section: "X8.6", path: "/api/kalends/v1/palettes/list/" },
  findSubscribers: { section: "X8.6", path: "/api/kalends/v1/subscribers/list/" },
  blockSubscriber: { section: "X8.6", path: "/api/kalends/v1/subscribers/block/", writes: true },
  unblockSubscriber: { section: "X8.6", path: "/api/kalends/v1/subscribers/unblock/", writes: true },
  deleteSubscriber: { section: "X8.6", path: "/api/kalends/v1/subscribers/delete/", writes: true },
  exportCalendar: { section: "X8.6", path: "/api/kalends/v1/calendars/export/" },
  exportSubscribers: { section: "X8.6", path: "/api/kalends/v1/subscribers/export/" },
  listCategories: { section: "X8.6", path: "/api/kalends/v1/categories/list/" },
  renameCategory: { section: "X8.6", path: "/api/kalends/v1/categories/rename/", writes: true },
  mergeCategories: { section: "X8.6", path: "/api/kalends/v1/categories/merge/", writes: true },
  listSyncs: { section: "X8.6", path: "/api/kalends/v1/syncs/list/" },
  createSync: { section: "X8.6", path: "/api/kalends/v1/syncs/create/", writes: true },
  updateSync: { section: "X8.6", path: "/api/kalends/v1/syncs/update/", writes: true },
  runSync: { section: "X8.6", path: "/api/kalends/v1/syncs/run/", writes: true },
  deleteSync: { section: "X8.6", path: "/api/kalends/v1/syncs/delete/", writes: true },
  listTokens: { section: "X8.6", path: "/api/kalends/v1/tokens/list/" },
  createToken: { section: "X8.6", path: "/api/kalends/v1/tokens/create/", writes: true },
  revokeToken: { section: "X8.6", path: "/api/kalends/v1/tokens/revoke/", writes: true },
  listTrash: { section: "X8.3", path: "/api/kalends/v1/trash/list/" },
  restoreEvent: { section: "X8.3", path: "/api/kalends/v1/events/restore/", writes: true },
  restoreSeries: { section: "X8.3", path: "/api/kalends/v1/events/series/restore/", writes: true },
  restoreCalendar: { section: "X8.3", path: "/api/kalends/v1/calendars/restore/", writes: true },
  purgeTrash: { section: "X8.3", path: "/api/kalends/v1/trash/purge/", writes: true },
  listHistory: { section: "X9.4", path: "/api/kalends/v1/history/list/" },
  revertEvent: { section: "X9.4", path: "/api/kalends/v1/events/revert/", writes: true },
  getStatistics: { section: "X8.7", path: "/api/kalends/v1/calendars/statistics/" },
  listWebhooks: { section: "X4.1", path: "/api/kalends/v1/webhooks/list/" },
  createWebhook: { section: "X4.1", path: "/api/kalends/v1/webhooks/create/", writes: true },
  deleteWebhook: { section: "X4.1", path: "/api/kalends/v1/webhooks/delete/", writes: true },
  rotateWebhook: { section: "X4.1", path: "/api/kalends/v1/webhooks/rotate/", writes: true },
  enableWebhook: { section: "X4.1", path: "/api/kalends/v1/webhooks/enable/", writes: true },
  testWebhook: { section: "X4.1", path: "/api/kalends/v1/webhooks/test/", writes: true },
  listWebhookDeliveries: { section: "X4.2", path: "/api/kalends/v1/webhooks/deliveries/" },
  redeliverWebhook: { section: "X4.2", path: "/api/kalends/v1/webhooks/redeliver/", writes: true },
} as const satisfies Readonly<Record<string, Declared>>;

type Table = typeof operations;
type At<Prefix extends string> = {
  [Name in keyof Table]: Table[Name]["path"] extends `${Prefix}${string}` ? Name : never;
}[keyof Table];

export type OperationName = keyof Table;
/** An operation of the contract. */
export type ContractName = At<"/api/v1/">;
export type ExtensionName = At<"/api/kalends/v1/">;
export type WebhookName = At<"/api/kalends/v1/webhooks/">;
/** An operation that the program of an organizer needs beside those on calendars and events. */
export type OrganizerName = {
  [Name in keyof Table]: Table[Name]["section"] extends "X8.6" ? Name : never;
}[keyof Table];
/** An operation of the extensions on calendars and events. */
export type DataName = Exclude<ExtensionName, WebhookName | OrganizerName>;

const names: readonly OperationName[] = Object.keys(operations).filter(
  (name): name is OperationName => name in operations,
);
const isAt = (name: OperationName, prefix: string): boolean => operations[name].path.startsWith(prefix);

export const contractNames = names.filter((name): name is ContractName => isAt(name, "/api/v1/"));
export const extensionNames = names.filter((name): name is ExtensionName => isAt(name, "/api/kalends/v1/"));
export const webhookNames = names.filter((name): name is WebhookName =>
  isAt(name, "/api/kalends/v1/webhooks/"),
);
export const organizerNames = extensionNames.filter(
  (name): name is OrganizerName => operations[name].section === "X8.6",
);
export const dataNames = extensionNames.filter(
  (name): name is DataName => !isAt(name, "/api/kalends/v1/webhooks/") && operations[name].section !== "X8.6",
);

/** Where a server publishes the document of its extensions (extensions X1.1). */
export const documentPath = "/openapi-kalends.json";

/** Whether the operation changes data. */
export function isWrite(name: OperationName): boolean {
  return "writes" in operations[name];
}

/** Whether a path could be that of a write, whatever its method and its final slash. */
export function looksLikeWrite(path: string): boolean {
  return /\/(create|save|delete|update)(\/|\?|$)/i.test(path);
}
