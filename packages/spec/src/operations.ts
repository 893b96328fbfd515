import type { z } from "zod";
import { calendarOperations } from "./calendars.js";
import { eventOperations } from "./events.js";
import type { Operation } from "./operation.js";
import { subscriberOperations } from "./subscribers.js";
import { timezoneOperations } from "./timezones.js";

/** Every operation of the API (service.md 4): operationId → declaration. */
export const operations = {
  ...timezoneOperations,
  ...calendarOperations,
  ...eventOperations,
  ...subscriberOperations,
} satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;
/** Parameters of an operation, checked: strings. */
export type Params<Id extends OperationId> = z.output<(typeof operations)[Id]["params"]>;
/** What a handler returns: the body without `meta`. */
export type Payload<Id extends OperationId> = z.output<(typeof operations)[Id]["payload"]>;

/** The ids, in the order of the table. */
export const operationIds: readonly OperationId[] = Object.keys(operations).filter(
  (name): name is OperationId => name in operations,
);
