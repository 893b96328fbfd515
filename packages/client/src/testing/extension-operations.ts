import { findCalendars, getCalendar, updateCalendar } from "./extension-calendars.js";
import { addEvent, findEvents, getEvent, listEventChanges, updateEvent } from "./extension-events.js";
import { importCalendar } from "./import.js";
import { createSeries, deleteSeries, updateSeries } from "./extension-series.js";
import { calendarFields, eventFields, freeFields, listFilters } from "./parameter-names.js";
import type { Accepted } from "./params.js";
import type { Call } from "./state.js";
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhook,
  testWebhook,
} from "./webhooks.js";

/** The operations beyond the contract, by the names that their document gives them. */
export type ExtensionName =
  | "findCalendars"
  | "getCalendar"
  | "updateCalendar"
  | "importCalendar"
  | "findEvents"
  | "getEvent"
  | "addEvent"
  | "updateEvent"
  | "listEventChanges"
  | "listWebhooks"
  | "createWebhook"
  | "deleteWebhook"
  | "rotateWebhook"
  | "enableWebhook"
  | "testWebhook"
  | "listWebhookDeliveries"
  | "redeliverWebhook"
  | "createSeries"
  | "updateSeries"
  | "deleteSeries";

interface Extension extends Accepted {
  readonly id: ExtensionName;
  readonly path: string;
  readonly kind: "read" | "write";
  /** A write answers POST alone (extensions.md X1.2). */
  readonly isPostOnly?: boolean;
  readonly hasIfMatch?: boolean;
  readonly answer: (call: Call) => object;
}

const dataFilters = ["custom_data_key", "custom_data_value"];
const added = ["status", "custom_data", "categories"];
const rule = ["rrule", "rdate", "exdate"];
const write = {
  kind: "write",
  isPostOnly: true,
  structured: ["custom_data"],
  lists: ["categories", "rdate", "exdate"],
} as const;
const read = { kind: "read", mandatory: ["calendar_id"] } as const;

const webhookWrite = { kind: "write", isPostOnly: true, mandatory: ["webhook_id"], optional: [] } as const;

/** extensions.md X4 */
const webhookOperations: readonly Extension[] = [
  {
    id: "listWebhooks",
    path: "/api/kalends/v1/webhooks/list/",
    kind: "read",
    mandatory: [],
    optional: [],
    answer: listWebhooks,
  },
  {
    id: "createWebhook",
    path: "/api/kalends/v1/webhooks/create/",
    kind: "write",
    isPostOnly: true,
    lists: ["types"],
    mandatory: ["url"],
    optional: ["types", "calendar_id", "with_person"],
    answer: createWebhook,
  },
  {
    id: "deleteWebhook",
    path: "/api/kalends/v1/webhooks/delete/",
    ...webhookWrite,
    answer: deleteWebhook,
  },
  {
    id: "rotateWebhook",
    path: "/api/kalends/v1/webhooks/rotate/",
    ...webhookWrite,
    answer: rotateWebhook,
  },
  {
    id: "enableWebhook",
    path: "/api/kalends/v1/webhooks/enable/",
    ...webhookWrite,
    answer: enableWebhook,
  },
  {
    id: "testWebhook",
    path: "/api/kalends/v1/webhooks/test/",
    ...webhookWrite,
    answer: testWebhook,
  },
  {
    id: "listWebhookDeliveries",
    path: "/api/kalends/v1/webhooks/deliveries/",
    kind: "read",
    mandatory: ["webhook_id"],
    optional: ["page"],
    answer: listWebhookDeliveries,
  },
  {
    id: "redeliverWebhook",
    path: "/api/kalends/v1/webhooks/redeliver/",
    ...webhookWrite,
    mandatory: ["delivery_id"],
    answer: redeliverWebhook,
  },
];

/** extensions.md X2 to X6 */
export const extensionOperations: readonly Extension[] = [
  {
    id: "findCalendars",
    path: "/api/kalends/v1/calendars/list/",
    kind: "read",
    mandatory: [],
    optional: [...dataFilters, "page"],
    answer: findCalendars,
  },
  {
    id: "getCalendar",
    path: "/api/kalends/v1/calendars/details/",
    ...read,
    optional: [],
    answer: getCalendar,
  },
  {
    id: "updateCalendar",
    path: "/api/kalends/v1/calendars/update/",
    ...write,
    mandatory: ["calendar_id"],
    optional: ["title", ...calendarFields, "custom_data"],
    clearable: ["title", ...calendarFields, "custom_data"],
    answer: updateCalendar,
  },
  {
    id: "importCalendar",
    path: "/api/kalends/v1/calendars/import/",
    kind: "write",
    isPostOnly: true,
    mandatory: ["calendar_id", "ics"],
    optional: ["dry_run", "classes"],
    file: "ics",
    answer: importCalendar,
  },
  {
    id: "findEvents",
    path: "/api/kalends/v1/events/list/",
    ...read,
    optional: [...listFilters, "upcoming", ...dataFilters],
    answer: findEvents,
  },
  {
    id: "getEvent",
    path: "/api/kalends/v1/events/details/",
    kind: "read",
    mandatory: ["event_id"],
    optional: [],
    answer: getEvent,
  },
  {
    id: "addEvent",
    path: "/api/kalends/v1/events/create/",
    ...write,
    mandatory: ["calendar_id", "title", "start_date"],
    optional: [...eventFields, ...added],
    answer: addEvent,
  },
  {
    id: "updateEvent",
    path: "/api/kalends/v1/events/update/",
    ...write,
    mandatory: ["event_id"],
    optional: ["title", "start_date", ...eventFields, ...added],
    clearable: ["title", "timezone", "color_id", "end_date", "all_day_event", ...freeFields, ...added],
    hasIfMatch: true,
    isPartial: true,
    answer: updateEvent,
  },
  {
    id: "listEventChanges",
    path: "/api/kalends/v1/events/changes/",
    ...read,
    optional: ["since"],
    answer: listEventChanges,
  },
  ...webhookOperations,
  {
    id: "createSeries",
    path: "/api/kalends/v1/events/series/create/",
    ...write,
    mandatory: ["calendar_id", "title", "start_date", "rrule"],
    optional: [...eventFields, ...added, "rdate", "exdate"],
    answer: createSeries,
  },
  {
    id: "updateSeries",
    path: "/api/kalends/v1/events/series/update/",
    ...write,
    mandatory: ["event_id", "scope"],
    optional: ["title", "start_date", ...eventFields, ...added, ...rule],
    clearable: [
      "title",
      "timezone",
      "color_id",
      "end_date",
      "all_day_event",
      ...freeFields,
      ...added,
      ...rule,
    ],
    hasIfMatch: true,
    isPartial: true,
    answer: updateSeries,
  },
  {
    id: "deleteSeries",
    path: "/api/kalends/v1/events/series/delete/",
    ...write,
    mandatory: ["event_id", "scope"],
    optional: [],
    hasIfMatch: true,
    answer: deleteSeries,
  },
];
