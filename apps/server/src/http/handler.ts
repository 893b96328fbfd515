import type {
  allOperations,
  AnyOperationId,
  ErrorCode,
  ParameterFailure,
  Params,
  Payload,
} from "@kalends/spec";
import type { Principal } from "../accounts/principal.js";
import type { Transaction } from "../db/transaction.js";
import type { Database, ReadDatabase } from "../db/database.js";
import type { Page } from "../db/paging.js";
import type { ApiError } from "./errors.js";
import type { FileAnswer } from "./file-answer.js";
import type { FileText } from "./file-text.js";
import type { Printable, PrintedBody } from "./json.js";

type Declared<Id extends AnyOperationId> = (typeof allOperations)[Id]["errors"][number];
type Auth<Id extends AnyOperationId> = (typeof allOperations)[Id]["auth"];
type Writes<Id extends AnyOperationId> = (typeof allOperations)[Id]["kind"] extends "write" ? true : false;

/** What a handler returns: a payload, or the body that was made of one before. */
export type Answer<Payload> = Printable<Payload> | PrintedBody;

/** What a write is about. */
export interface WrittenIds {
  readonly calendarId?: number;
  readonly eventId?: number;
  readonly subscriberId?: number;
  readonly personId?: number;
}

/**
 * The database for a write: the result of its transaction is the payload of the answer, so that the answer can be kept in the same
 * transaction for a request that comes again (extensions X2.1). A handler runs one transaction.
 */
export interface WriteDatabase<Payload> extends Pick<
  Database,
  "list" | "read" | "query" | "dialect" | "reserve"
> {
  transaction(work: (trx: Transaction) => Promise<Payload>): Promise<Payload>;
}

interface OfRequest {
  readonly now: number;
  /** Scheme and host, as the caller sees them. */
  readonly base: string;
  /** The page asked for, on lists. */
  readonly page: Page;
}

/** What a request of an account has besides. */
interface OfAccount {
  /** The token or the session; undefined on the command line. */
  readonly principal?: Principal | undefined;
  /** The calendars that a person is restricted to; undefined for all. An operation that names none of them leaves out the others. */
  readonly calendars?: Restricted["calendars"];
  /** Names what a write created, changed or deleted: for the log, and so that its kept answer is removed with that. */
  readonly wrote: (ids: WrittenIds) => void;
  /** Throws unless the header If-Match, where there is one, names this state of the event (extensions X2.2). */
  readonly requireMatch: (event: { readonly updated_times: number }) => void;
  /** Whether the answer is kept for a request that comes again (extensions X2.1). */
  readonly isKept: boolean;
  /** What the body was, where it was a file. */
  readonly encoding?: FileText["encoding"] | undefined;
}

export type Context<Id extends AnyOperationId> = OfRequest & {
  readonly db: Writes<Id> extends true ? WriteDatabase<Payload<Id>> : ReadDatabase;
  /**
   * Returns what was made for this account and address at that version of the data, or makes it. Without a version nothing is
   * cached. The answer must depend on nothing but the request and that state.
   */
  readonly cached: (
    version: string | number | undefined,
    make: () => Promise<Printable<Payload<Id>>>,
  ) => Promise<Answer<Payload<Id>>>;
} & (Auth<Id> extends "token" | "session"
    ? OfAccount & {
        /** The account that the token stands for. */
        readonly accountId: number;
      }
    : unknown) &
  (Auth<Id> extends "session" | "link" ? { readonly session: Session } : unknown) &
  (Auth<Id> extends "none"
    ? unknown
    : {
        /** Makes only the errors that this operation declares. */
        readonly error: (
          code: Declared<Id> | "parameter_invalid",
          failures?: readonly ParameterFailure[],
        ) => ApiError;
      });

export interface Restricted {
  readonly params: Readonly<Record<string, string>>;
  readonly calendars: ReadonlySet<number> | undefined;
}

/** The cookie of a request below /console/api/. */
export interface Session {
  /** Where people reach the service. */
  readonly base: string;
  /** Counts a wrong secret against the address that has sent it. @throws ApiError when there were too many in the last minute */
  readonly countGuess: () => Promise<unknown>;
  /** The same of each attempt at something that costs work elsewhere, before it. */
  readonly countAttempt: (at: string) => Promise<unknown>;
  /** Undefined when none was sent. */
  readonly secret: string | undefined;
  /** What a sign-in at an identity provider is remembered by; undefined when there is none. */
  readonly flow: string | undefined;
  /** The name of that provider; undefined without one. */
  readonly provider: string | undefined;
  /** Whether the service sends e-mail. */
  readonly sendsMail: boolean;
  /** The browser and system, as the request names them. */
  readonly device: string;
  /** Whether the way to this server is one that a cookie may take. */
  readonly canSignIn: boolean;
  /** Sets the cookie; with 0 seconds it ends. */
  readonly setSecret: (secret: string, seconds: number) => void;
  /** The same of the cookie for a sign-in at an identity provider. */
  readonly setFlow: (value: string, seconds: number) => void;
}

export type Handler<Id extends AnyOperationId> = (
  params: Params<Id>,
  context: Context<Id>,
) => Promise<
  (typeof allOperations)[Id] extends { readonly fileAnswer: object } ? FileAnswer : Answer<Payload<Id>>
>;

/** A handler for every operation of the spec: a missing or mistyped one does not compile. */
export type Handlers = { readonly [Id in AnyOperationId]: Handler<Id> };

/** A handler whose operation is no longer known to the compiler: in the loop that mounts them all. */
export type ErasedHandler = (
  params: Readonly<Record<string, string>>,
  context: OfRequest &
    OfAccount & {
      readonly db: Database | WriteDatabase<object>;
      readonly cached: (version: string | number | undefined, make: () => Promise<object>) => Promise<object>;
      readonly accountId: number | undefined;
      readonly session?: Session | undefined;
      readonly error: (code: ErrorCode, failures?: readonly ParameterFailure[]) => ApiError;
    },
) => Promise<object>;
