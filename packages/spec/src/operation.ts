import * as z from "zod";
import { type Access, access } from "./access.js";
import type { ErrorCode } from "./errors.js";
import type { ParameterFailure } from "./failures.js";
import { objectExample, type Overrides, requestExample } from "./example.js";

export type Method = "get" | "post";
export type Tag =
  | "Time zones"
  | "Calendars"
  | "Events"
  | "Trash"
  | "Subscribers"
  | "Webhooks"
  | "Account"
  | "Tokens"
  | "Sessions"
  | "People";

/** An object schema whose fields are plain zod schemas. */
export type ObjectSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** One operation of the API, as data (docs/decisions/0001). */
export interface Operation {
  /** The OpenAPI document that describes it. */
  readonly document: "contract" | "extensions";
  /** Section of the contract, such as "4.2"; of an extension, the heading of docs/extensions.md that explains it. */
  readonly section: string;
  /** Path with its trailing slash; the server answers without it too (rulings R1.3). */
  readonly path: `/api/v1/${string}` | `/api/kalends/v1/${string}` | `/console/api/${string}`;
  /** Whether the operation changes data: a write needs a token with the scope `write`. */
  readonly kind: "read" | "write";
  /** Reads answer GET; the six writes of the contract answer POST too (rulings R1.1), those of the extensions POST alone. */
  readonly methods: readonly ["get"] | readonly ["get", "post"] | readonly ["post"];
  /** Type of `meta.code`: a string, on the time zone list an integer (contract 2.1). */
  readonly codeType: "string" | "integer";
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** Describes the successful response in a sentence. */
  readonly returns: string;
  /**
   * "token": needs the account's token. The token is a security scheme, not a parameter. "session": the cookie of the console.
   * "link": opens a session.
   */
  readonly auth: "token" | "session" | "link" | "none";
  /** Rights that a person needs. Operations of the contract are for tokens only, since they write by GET (extensions X9.3). */
  readonly access: Access;
  /** Strings as sent. No transforms (docs/decisions/0001). */
  readonly params: ObjectSchema;
  /** Values for mandatory parameters that the server accepts without a value (rulings R4.7). */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Parameters that keep an empty value instead of taking it as absent: on save it clears the field (rulings R4.6). */
  readonly clearable?: readonly string[];
  /** Parameters that a JSON body may also give as an object, or as a list of texts without commas. */
  readonly structured?: Readonly<Record<string, "object" | "list">>;
  /** Lists whose items are trimmed before the schema parses them: people write a blank after a comma. */
  readonly trimmed?: readonly string[];
  /** A parameter that may be the body itself, of a type and a size of its own; the other parameters are then in the query. */
  readonly file?: {
    readonly parameter: string;
    readonly mediaType: string;
    readonly otherTypes?: readonly string[];
    readonly bytes: number;
    /** Whether the file is binary: the parameter has it in base64. */
    readonly isBinary?: true;
  };
  /** Whether absent values are those of a stored item, so that the handler checks rules about several. */
  readonly partial?: true;
  /** Whether the operation accepts `If-Match` with the state of the event. */
  readonly ifMatch?: true;
  /** Parameters that are not validated while the other parameter is present (rulings R3.6). */
  readonly ignoredWith?: Readonly<Record<string, string>>;
  /** Parameters that come together or not at all (rulings R3.5). */
  readonly together?: readonly [string, string];
  /** A secret in the response: the stored response for a repeated request has it empty (extensions X8.6). */
  readonly shownOnce?: string;
  /** The response without `meta`. */
  readonly payload: ObjectSchema;
  /** An example of each media type, if a success is a file instead of JSON. */
  readonly fileAnswer?: Readonly<Record<string, string>>;
  /** Errors of its own, beside those every operation has. */
  readonly errors: readonly ErrorCode[];
  /** For the document: a request with its response, and the change that makes it invalid. */
  readonly example: {
    readonly request: Readonly<Record<string, string>>;
    readonly payload: object;
    /** Parameters that are sent instead; "" is absent. */
    readonly mistake?: Readonly<Record<string, string>>;
  };
}

export type OperationTable = Readonly<Record<string, Operation>>;

/** An operation as it is declared: its example is made of those of its fields. */
interface Declaration extends Omit<Operation, "example"> {
  readonly example?: {
    /** Parameters that the request has; all of them when none is named. */
    readonly sends?: readonly string[];
    /** Values of the response that replace the examples of its fields. */
    readonly answers?: Overrides;
    /** Parameters that the refused request has instead; "" is absent. */
    readonly mistake?: Readonly<Record<string, string>>;
  };
}

export function operation<const D extends Declaration>(
  declaration: D,
): Omit<D, "example"> & Pick<Operation, "example"> {
  const { sends, answers, mistake } = declaration.example ?? {};
  const request = requestExample(declaration.params, sends);
  const example = { request, payload: objectExample(declaration.payload, answers) };
  return { ...declaration, example: mistake === undefined ? example : { ...example, mistake } };
}

const shared = { codeType: "string", auth: "token" } as const;
const read = { ...shared, kind: "read", methods: ["get"] } as const;
const write = { ...shared, kind: "write" } as const;

/** Members that the declarations of a document share; writes of the contract answer GET too (rulings R1.1, extensions X1.2). */
const ofContract = { document: "contract", access: access.ownerOfAll } as const;
export const contractRead = { ...read, ...ofContract } as const;
export const contractWrite = { ...write, ...ofContract, methods: ["get", "post"] } as const;
export const extensionRead = { ...read, document: "extensions" } as const;
export const extensionWrite = { ...write, document: "extensions", methods: ["post"] } as const;

export function isWrite(op: Operation): boolean {
  return op.kind === "write";
}

export function isExtension({ document }: Pick<Operation, "document">): boolean {
  return document === "extensions";
}

/** The failing parameters as an answer has them: those of the contract have no codes. */
export function shownFailures(
  failures: readonly ParameterFailure[],
  op: Pick<Operation, "document">,
): readonly object[] {
  return isExtension(op) ? failures : failures.map(({ parameter, message }) => ({ parameter, message }));
}

const metaSchema = z
  .object({
    code: z
      .string()
      .regex(/^[0-9]{3}$/)
      .meta({ description: "The HTTP status as a string: `200`.", example: "200" }),
  })
  .meta({ id: "Meta", description: "Status of the call." });

const integerMetaSchema = z
  .object({
    code: z.int().meta({ description: "The HTTP status as an integer: 200.", format: "int32", example: 200 }),
  })
  .meta({ id: "MetaWithIntegerCode", description: "Status of the call, on the time zone list." });

export const pagingSchema = z
  .object({
    previous: z.string().meta({
      description: "URL of the previous page. Empty on the first page.",
      example: "",
    }),
    next: z.string().meta({
      description:
        "URL of the next page: the query of this request, its token included, with the next `page`. Empty on the last page.",
      example: "",
    }),
  })
  .meta({ id: "Paging", description: "Links to the neighbouring pages of a list." });

/** Whether `meta.code` is an integer: only on the time zone list (contract 2.1, 4.12). */
export function hasIntegerCode(op: Operation): boolean {
  return op.codeType === "integer";
}

/** Schema of the whole body of a successful answer: payload and `meta` (contract 2.1). */
export function body(op: Operation): ObjectSchema {
  return z.object({ meta: hasIntegerCode(op) ? integerMetaSchema : metaSchema, ...op.payload.shape });
}

const everywhere = [
  "malformed_request",
  "encoding_invalid",
  "too_many_parameters",
  "request_timeout",
  "head_too_large",
] as const;
const withStorage = ["overloaded", "storage_unavailable"] as const;
const withToken = ["credentials_ambiguous", "token_missing", "token_unknown", "rate_limited"] as const;
const ofConsole = ["request_foreign", "rate_limited"] as const;
const withParameters = ["parameter_repeated", "parameter_invalid"] as const;
const ofWrites = ["scope_insufficient", "prefetch_refused", "storage_full"] as const;
const ofBodies = ["body_invalid", "body_too_large", "media_type_unsupported"] as const;
/** The contract's bodies and its fixed pages cannot exceed the limits of a request. */
const ofBudgets = ["write_too_large", "answer_too_large"] as const;
const ofFiles = ["file_too_large"] as const;
/** The document of the contract does not have these headers, nor their errors. */
const ofKeys = ["idempotency_key_invalid", "idempotency_in_progress", "idempotency_key_reused"] as const;
const ofConditions = ["if_match_invalid", "event_changed"] as const;

/** Every error that the operation can answer to this method. */
export function errorsOf(op: Operation, method: Method): readonly ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...everywhere,
      "internal_error",
      ...(op.auth === "token" ? withToken : []),
      ...(isOfConsole(op) ? ofConsole : []),
      ...(op.auth === "session" ? (["session_missing"] as const) : []),
      ...(op.auth === "none" ? [] : [...withParameters, ...withStorage]),
      ...(canLackParameter(op) ? (["parameter_missing"] as const) : []),
      ...(isWrite(op) ? ofWrites.filter((code) => op.auth === "token" || code !== "scope_insufficient") : []),
      ...(isWrite(op) && isExtension(op) ? [...ofKeys, ...ofBudgets] : []),
      ...(op.ifMatch === true && isExtension(op) ? ofConditions : []),
      ...(method === "post" ? ofBodies : []),
      ...(op.file === undefined ? [] : ofFiles),
      ...op.errors,
    ]),
  ];
}

/** Whether an operation is the console's alone: no token can call it. */
export function isOfConsole({ auth }: Pick<Operation, "auth">): boolean {
  return auth === "session" || auth === "link";
}

function canLackParameter(op: Operation): boolean {
  return op.together !== undefined || !op.params.safeParse({}).success;
}
