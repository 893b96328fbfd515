import type * as z from "zod";
import { extensionOperations } from "./extensions/operations.js";
import { operations } from "./operations.js";

/** Every operation that a server answers: those of the contract and the extensions. */
export const allOperations = { ...operations, ...extensionOperations } as const;

export type AnyOperationId = keyof typeof allOperations;
/** Parameters of an operation, checked: strings. */
export type Params<Id extends AnyOperationId> = z.output<(typeof allOperations)[Id]["params"]>;
/** What a handler returns: the body without `meta`. */
export type Payload<Id extends AnyOperationId> = z.output<(typeof allOperations)[Id]["payload"]>;

/** The ids, in the order of the tables. */
export const allOperationIds: readonly AnyOperationId[] = Object.keys(allOperations).filter(
  (name): name is AnyOperationId => name in allOperations,
);
