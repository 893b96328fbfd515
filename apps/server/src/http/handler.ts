import type { ErrorCode, operations, OperationId, ParameterFailure, Params, Payload } from "@kalends/spec";
import type { Database } from "../db/connect.js";
import type { Page } from "../db/paging.js";
import type { ApiError } from "./errors.js";
import type { Printable } from "./json.js";
import type { IsCurrent } from "./page-cache.js";

type Declared<Id extends OperationId> = (typeof operations)[Id]["errors"][number];
type NeedsToken<Id extends OperationId> = (typeof operations)[Id]["auth"] extends "token" ? true : false;

/** What a handler gets beside its parameters. */
export type Context<Id extends OperationId> = {
  readonly db: Database;
  /** Unix seconds. */
  readonly now: number;
  /** The page asked for, on lists. */
  readonly page: Page;
  /**
   * Says that the answer depends on nothing but the request and the data, not on the time: then it may be sent again while
   * nothing was committed, or `isCurrent` says that what it was made of is as it was.
   */
  readonly keep: (isCurrent?: IsCurrent) => void;
} & (NeedsToken<Id> extends true
  ? {
      /** The account that the token stands for. */
      readonly accountId: number;
      /** Makes only the errors that this operation declares. */
      readonly error: (
        code: Declared<Id> | "parameter_invalid",
        failures?: readonly ParameterFailure[],
      ) => ApiError;
    }
  : unknown);

export type Handler<Id extends OperationId> = (
  params: Params<Id>,
  context: Context<Id>,
) => Promise<Printable<Payload<Id>>>;

/** A handler for every operation of the spec: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** A handler whose operation is no longer known to the compiler: in the loop that mounts them all. */
export type ErasedHandler = (
  params: Readonly<Record<string, string>>,
  context: {
    readonly db: Database;
    readonly now: number;
    readonly page: Page;
    readonly keep: (isCurrent?: IsCurrent) => void;
    readonly accountId: number | undefined;
    readonly error: (code: ErrorCode, failures?: readonly ParameterFailure[]) => ApiError;
  },
) => Promise<object>;
