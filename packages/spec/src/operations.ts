import type { z } from "zod";
import { createCalendar, deleteCalendar, listCalendars, saveCalendar } from "./calendars.js";
import { createEvent, deleteEvent, listEvents, saveEvent } from "./events.js";
import type { Operation } from "./operation.js";
import {
  getSubscriber,
  listBlockedSubscribers,
  listInactiveSubscribers,
  listSubscribers,
} from "./subscribers.js";
import { listTimeZones } from "./timezones.js";

/** Every operation of the API (service.md 4): operationId → declaration. */
export const operations = {
  listTimeZones,
  listCalendars,
  createCalendar,
  saveCalendar,
  deleteCalendar,
  listEvents,
  createEvent,
  saveEvent,
  deleteEvent,
  listSubscribers,
  listInactiveSubscribers,
  listBlockedSubscribers,
  getSubscriber,
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
