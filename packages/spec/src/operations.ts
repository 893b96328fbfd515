import type * as z from "zod";
import { accountOperations } from "./account.js";
import { batchOperations } from "./batches.js";
import { calendarOperations } from "./calendars.js";
import { categoryOperations } from "./categories.js";
import { eventOperations } from "./events.js";
import { calendarFileOperations, subscriberFileOperations } from "./exports.js";
import { historyOperations } from "./history.js";
import { importOperations } from "./imports.js";
import { messageOperations } from "./messages.js";
import type { Operation, OperationTable } from "./operation.js";
import { paletteOperations } from "./palettes.js";
import { passkeyOperations } from "./passkeys.js";
import { pictureOperations } from "./pictures.js";
import { peopleOperations } from "./people.js";
import { seriesOperations } from "./series.js";
import { sessionOperations } from "./sessions.js";
import { statisticsOperations } from "./statistics.js";
import { subscriberOperations } from "./subscribers.js";
import { syncOperations } from "./syncs.js";
import { timezoneOperations } from "./timezones.js";
import { tokenOperations } from "./tokens.js";
import { trashOperations } from "./trash.js";
import { webhookOperations } from "./webhooks.js";

/** Every operation that a token can call, of both documents: operationId → declaration. */
export const operations = {
  ...timezoneOperations,
  ...calendarOperations,
  ...paletteOperations,
  ...statisticsOperations,
  ...importOperations,
  ...calendarFileOperations,
  ...syncOperations,
  ...eventOperations,
  ...batchOperations,
  ...seriesOperations,
  ...historyOperations,
  ...categoryOperations,
  ...trashOperations,
  ...subscriberOperations,
  ...subscriberFileOperations,
  ...messageOperations,
  ...webhookOperations,
  ...accountOperations,
  ...pictureOperations,
  ...tokenOperations,
} satisfies OperationTable;

/** All operations, also those that only a session of the console can call. */
export const allOperations = {
  ...operations,
  ...sessionOperations,
  ...passkeyOperations,
  ...peopleOperations,
} satisfies OperationTable;

export type OperationId = keyof typeof operations;
export type AnyOperationId = keyof typeof allOperations;
export type ContractId = {
  [Id in OperationId]: (typeof operations)[Id]["document"] extends "contract" ? Id : never;
}[OperationId];
/** Parameters of an operation, checked: strings. */
export type Params<Id extends AnyOperationId> = z.output<(typeof allOperations)[Id]["params"]>;
/** What a handler returns: the body without `meta`. */
export type Payload<Id extends AnyOperationId> = z.output<(typeof allOperations)[Id]["payload"]>;

export const operationIds: readonly OperationId[] = Object.keys(operations).filter(
  (name): name is OperationId => name in operations,
);

export const allOperationIds: readonly AnyOperationId[] = Object.keys(allOperations).filter(
  (name): name is AnyOperationId => name in allOperations,
);

export const contractIds: readonly ContractId[] = operationIds.filter(
  (id): id is ContractId => operations[id].document === "contract",
);

export function operationsOf(document: Operation["document"]): OperationTable {
  return Object.fromEntries(Object.entries(allOperations).filter(([, op]) => op.document === document));
}
