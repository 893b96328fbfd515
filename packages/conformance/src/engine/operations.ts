import {
  isExtension,
  isWrite as writes,
  operationIds,
  type OperationId,
  operations as published,
} from "@kalends/spec";

interface Declared {
  /** Section of the contract. */
  readonly section: string;
  readonly path: string;
  /** Whether it changes data. Writes answer GET too, those of the extensions POST alone. */
  readonly writes?: true;
  /** The parameters beside the token that it must have. */
  readonly needs: readonly string[];
}

/**
 * Every operation of the contract. Literals: the suite judges by the contract, not by a document of ours. Create and save of a calendar do
 * not need `timezone`, which has a default (rulings R4.7).
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
} as const satisfies Readonly<Record<string, Declared>>;

/** An operation of the contract. */
export type ContractName = keyof typeof operations;
/** An operation of the extensions, of which the suite knows what their document says. */
export type ExtensionName = Exclude<OperationId, ContractName>;
export type OperationName = ContractName | ExtensionName;

const isOfContract = (name: string): name is ContractName => name in operations;

export const contractNames: readonly ContractName[] = Object.keys(operations).filter(isOfContract);
export const extensionNames: readonly ExtensionName[] = operationIds.filter((id): id is ExtensionName =>
  isExtension(published[id]),
);

export function pathOf(name: OperationName): string {
  return isOfContract(name) ? operations[name].path : published[name].path;
}

/** Whether the operation changes data. */
export function isWrite(name: OperationName): boolean {
  return isOfContract(name) ? "writes" in operations[name] : writes(published[name]);
}

/** Whether a path could be that of a write, whatever its method and its final slash. */
export function looksLikeWrite(path: string): boolean {
  return /\/(create|save|delete|update)(\/|\?|$)/i.test(path);
}
