import { createCalendar, deleteCalendar, listCalendars, saveCalendar } from "./calendars.js";
import { listEvents } from "./event-list.js";
import { createEvent, deleteEvent, saveEvent } from "./events.js";
import { type ExtensionName, extensionOperations } from "./extension-operations.js";
import type { Faulty } from "./faults.js";
import { calendarFields, eventFields, freeFields, listFilters } from "./parameter-names.js";
import type { Accepted } from "./params.js";
import type { Call } from "./state.js";
import {
  getSubscriber,
  listBlockedSubscribers,
  listInactiveSubscribers,
  listSubscribers,
} from "./subscribers.js";
import { listTimeZones } from "./timezones.js";

/** The operations, by the names that the OpenAPI document gives them. */
export type OperationName =
  | "listCalendars"
  | "createCalendar"
  | "saveCalendar"
  | "deleteCalendar"
  | "listEvents"
  | "createEvent"
  | "saveEvent"
  | "deleteEvent"
  | "listSubscribers"
  | "listInactiveSubscribers"
  | "listBlockedSubscribers"
  | "getSubscriber"
  | "listTimeZones"
  | ExtensionName;

export interface Operation extends Accepted {
  readonly id: OperationName;
  readonly path: string;
  /** A read answers GET and HEAD, a write GET and POST (rulings R1.1, R1.2). */
  readonly kind: "read" | "write" | "public";
  /** A write that answers POST alone (extensions.md X1.2). */
  readonly isPostOnly?: boolean;
  /** A write that takes If-Match (extensions.md X2.2). */
  readonly hasIfMatch?: boolean;
  readonly answer: (call: Call) => object;
}

const subscriberList = { kind: "read", mandatory: ["calendar_id"], optional: listFilters } as const;

/** The operations of service.md 4, in its order. */
const operations: readonly Operation[] = [
  {
    id: "listCalendars",
    path: "/api/v1/calendars/list/",
    kind: "read",
    mandatory: [],
    optional: ["page"],
    answer: listCalendars,
  },
  {
    id: "createCalendar",
    path: "/api/v1/calendars/create/",
    kind: "write",
    // The contract marks timezone mandatory, with a default when it has no value (rulings R4.7).
    mandatory: ["title"],
    optional: calendarFields,
    answer: createCalendar,
  },
  {
    id: "saveCalendar",
    path: "/api/v1/calendars/save/",
    kind: "write",
    mandatory: ["calendar_id", "title"],
    optional: calendarFields,
    clearable: ["description"],
    answer: saveCalendar,
  },
  {
    id: "deleteCalendar",
    path: "/api/v1/calendars/delete/",
    kind: "write",
    mandatory: ["calendar_id"],
    optional: [],
    answer: deleteCalendar,
  },
  {
    id: "listEvents",
    path: "/api/v1/calendars/events/list/",
    kind: "read",
    mandatory: ["calendar_id"],
    optional: [...listFilters, "upcoming"],
    answer: listEvents,
  },
  {
    id: "createEvent",
    path: "/api/v1/calendars/events/create/",
    kind: "write",
    mandatory: ["calendar_id", "title", "start_date"],
    optional: eventFields,
    answer: createEvent,
  },
  {
    id: "saveEvent",
    path: "/api/v1/calendars/events/save/",
    kind: "write",
    mandatory: ["event_id", "title", "start_date"],
    optional: eventFields,
    clearable: freeFields,
    hasIfMatch: true,
    answer: saveEvent,
  },
  {
    id: "deleteEvent",
    path: "/api/v1/calendars/events/delete/",
    kind: "write",
    mandatory: ["event_id"],
    optional: [],
    hasIfMatch: true,
    answer: deleteEvent,
  },
  {
    ...subscriberList,
    id: "listSubscribers",
    path: "/api/v1/calendars/subscribers/list/",
    answer: listSubscribers,
  },
  {
    ...subscriberList,
    id: "listInactiveSubscribers",
    path: "/api/v1/calendars/subscribers/list/inactive/",
    answer: listInactiveSubscribers,
  },
  {
    ...subscriberList,
    id: "listBlockedSubscribers",
    path: "/api/v1/calendars/subscribers/list/blocked/",
    answer: listBlockedSubscribers,
  },
  {
    id: "getSubscriber",
    path: "/api/v1/calendars/subscriber/",
    kind: "read",
    mandatory: ["calendar_id", "subscriber_id"],
    optional: [],
    answer: getSubscriber,
  },
  {
    id: "listTimeZones",
    path: "/api/v1/timezones",
    kind: "public",
    mandatory: [],
    optional: [],
    answer: listTimeZones,
  },
];

/** The operation at a path, with or without its final slash, also below `/api/v1/me/` (rulings R1.3, R1.10). */
export function operationAt(path: string): Operation | undefined {
  const plain = path.replace(/\/$/, "").replace(/^\/api\/v1\/me\//, "/api/v1/");
  return [...operations, ...extensionOperations].find(
    (operation) => operation.path.replace(/\/$/, "") === plain,
  );
}

/** The methods that an operation answers. */
export function methodsOf({ kind, isPostOnly = false }: Operation, faulty: Faulty): readonly string[] {
  if (isPostOnly) return faulty("X18") ? ["GET", "POST"] : ["POST"];
  if (kind === "write" && faulty("K63")) return ["GET"];
  if (kind === "write") return faulty("K31") ? ["GET", "POST", "HEAD"] : ["GET", "POST"];
  return ["GET", "HEAD"];
}
