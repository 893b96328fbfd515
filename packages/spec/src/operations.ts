import { calendarOperations } from "./calendars.js";
import { eventOperations } from "./events.js";
import type { Operation } from "./operation.js";
import { subscriberOperations } from "./subscribers.js";
import { timezoneOperations } from "./timezones.js";

/** Every operation of the contract (contract 4): operationId → declaration. */
export const operations = {
  ...timezoneOperations,
  ...calendarOperations,
  ...eventOperations,
  ...subscriberOperations,
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** The ids, in the order of the table. */
export const operationIds: readonly OperationId[] = Object.keys(operations).filter(
  (name): name is OperationId => name in operations,
);
