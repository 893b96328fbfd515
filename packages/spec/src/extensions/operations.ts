import type { OperationTable } from "../operation.js";
import { calendarExtensions } from "./calendars.js";
import { eventExtensions } from "./events.js";
import { importExtensions } from "./imports.js";
import { seriesExtensions } from "./series.js";
import { webhookExtensions } from "./webhooks.js";

/** Every operation that Kalends has beyond the contract (extensions X1): operationId → declaration. */
export const extensionOperations = {
  ...calendarExtensions,
  ...importExtensions,
  ...eventExtensions,
  ...seriesExtensions,
  ...webhookExtensions,
} satisfies OperationTable;
