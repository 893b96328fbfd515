/** Paths of the contract (contract 4). Literals: the suite judges by the contract, not by a document of ours. */
export const paths = {
  listTimeZones: "/api/v1/timezones",
  listCalendars: "/api/v1/calendars/list/",
  createCalendar: "/api/v1/calendars/create/",
  saveCalendar: "/api/v1/calendars/save/",
  deleteCalendar: "/api/v1/calendars/delete/",
  listEvents: "/api/v1/calendars/events/list/",
  createEvent: "/api/v1/calendars/events/create/",
  saveEvent: "/api/v1/calendars/events/save/",
  deleteEvent: "/api/v1/calendars/events/delete/",
  listSubscribers: "/api/v1/calendars/subscribers/list/",
  listInactiveSubscribers: "/api/v1/calendars/subscribers/list/inactive/",
  listBlockedSubscribers: "/api/v1/calendars/subscribers/list/blocked/",
  getSubscriber: "/api/v1/calendars/subscriber/",
} as const;

export type OperationName = keyof typeof paths;

/** The section of the contract of each operation. */
export const sections = {
  listTimeZones: "4.12",
  listCalendars: "4.1",
  createCalendar: "4.2",
  saveCalendar: "4.3",
  deleteCalendar: "4.4",
  listEvents: "4.5",
  createEvent: "4.6",
  saveEvent: "4.7",
  deleteEvent: "4.8",
  listSubscribers: "4.9",
  listInactiveSubscribers: "4.9",
  listBlockedSubscribers: "4.9",
  getSubscriber: "4.10",
} as const satisfies Record<OperationName, string>;

/**
 * The parameters beside the token that each operation must have. Not `timezone` of a calendar, which has a default (rulings R4.7).
 */
export const mandatory: Readonly<Record<OperationName, readonly string[]>> = {
  listTimeZones: [],
  listCalendars: [],
  createCalendar: ["title"],
  saveCalendar: ["calendar_id", "title"],
  deleteCalendar: ["calendar_id"],
  listEvents: ["calendar_id"],
  createEvent: ["calendar_id", "title", "start_date"],
  saveEvent: ["event_id", "title", "start_date"],
  deleteEvent: ["event_id"],
  listSubscribers: ["calendar_id"],
  listInactiveSubscribers: ["calendar_id"],
  listBlockedSubscribers: ["calendar_id"],
  getSubscriber: ["calendar_id", "subscriber_id"],
};

export const operationNames: readonly OperationName[] = Object.keys(paths).filter(
  (name): name is OperationName => name in paths,
);

/** Whether the operation changes data. */
export function isWrite(operation: OperationName): boolean {
  return looksLikeWrite(paths[operation]);
}

/** Whether a path could be that of a write, whatever its method and its final slash. */
export function looksLikeWrite(path: string): boolean {
  return /\/(create|save|delete|update)(\/|\?|$)/i.test(path);
}
