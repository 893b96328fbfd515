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
 * Every operation of the contract; those of the extensions are named in the files of `checks`. Literals: the suite judges by the
 * contract and docs/extensions.md, not by a document of ours. Create and save of a calendar do not need `timezone`, which has a default (rulings R4.7).
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
/** An operation of the extensions, by its method and its path below /api/kalends/v1/. */
export type ExtensionName = `${"GET" | "POST"} ${string}/`;
export type OperationName = ContractName | ExtensionName;

const isOfContract = (name: string): name is ContractName => name in operations;

export const contractNames: readonly ContractName[] = Object.keys(operations).filter(isOfContract);

export function pathOf(name: OperationName): string {
  return isOfContract(name) ? operations[name].path : name.replace(/^[A-Z]+ /, "/api/kalends/v1/");
}

/** Where a server publishes the document of its extensions (extensions X1.1). */
export const documentPath = "/openapi-kalends.json";

/** Whether the operation changes data. */
export function isWrite(name: OperationName): boolean {
  return isOfContract(name) ? "writes" in operations[name] : name.startsWith("POST ");
}

/** Whether a path could be that of a write, whatever its method and its final slash. */
export function looksLikeWrite(path: string): boolean {
  return /\/(create|save|delete|update)(\/|\?|$)/i.test(path);
}

/** What the checks of all operations of the extensions call them with. */
export interface Subjects {
  readonly calendar_id: string;
  readonly event_id: string;
  /** An event that was deleted. */
  readonly gone: string;
  /** An event of a series. */
  readonly repeated: string;
  readonly series_id: string;
  /** A calendar that was deleted. */
  readonly deleted: string;
  /** An entry of the history of the event. */
  readonly entry_id: string;
}

/** What each operation needs. */
export type Calls = Readonly<Record<ExtensionName, (subjects: Subjects) => Readonly<Record<string, string>>>>;

/** The operations of a table; those that write come last, so that the others find what they need. */
export function namesOf(table: object): readonly ExtensionName[] {
  const names = Object.keys(table).filter((name): name is ExtensionName => name.includes(" "));
  return names.toSorted((one, other) => Number(isWrite(one)) - Number(isWrite(other)));
}
