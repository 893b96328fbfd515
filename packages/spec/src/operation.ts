import { z } from "zod";
import type { ErrorCode } from "./errors.js";

export type Method = "get" | "post";
export type Tag = "Time zones" | "Calendars" | "Events" | "Subscribers";

/** An object schema whose fields are plain zod schemas. */
export type ObjectSchema = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** One operation of the API, as data (docs/decisions/0001). */
export interface Operation {
  /** Section of the contract, such as "4.2". */
  readonly section: string;
  /** Path with its trailing slash; the server answers without it too (rulings R1.3). */
  readonly path: `/api/v1/${string}`;
  /** Reads answer GET; the six writes answer POST too (rulings R1.1). */
  readonly methods: readonly ["get"] | readonly ["get", "post"];
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  /** "token": needs the account's token. The token is a security scheme, not a parameter. */
  readonly auth: "token" | "none";
  /** Strings as sent. No transforms (docs/decisions/0002). */
  readonly params: ObjectSchema;
  /** Values for mandatory parameters that the server accepts without a value (rulings R4.7). */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Parameters that keep an empty value instead of taking it as absent: on save it clears the field (rulings R4.6). */
  readonly clearable?: readonly string[];
  /** Parameters whose schema is not asked while the other parameter is present (rulings R3.6). */
  readonly ignoredWith?: Readonly<Record<string, string>>;
  /** Parameters that come together or not at all (rulings R3.5). */
  readonly together?: readonly [string, string];
  /** What the answer holds beside `meta`. */
  readonly payload: ObjectSchema;
  /** Errors of its own, beside those every operation has. */
  readonly errors: readonly ErrorCode[];
  /** A request and its answer, for the document. */
  readonly example: { readonly request: Readonly<Record<string, string>>; readonly payload: object };
}

/** Keeps the literal types of a declaration. */
export function operation<const O extends Operation>(declaration: O): O {
  return declaration;
}

/** Whether the operation changes data: those are the ones that answer POST too (rulings R1.1). */
export function isWrite(op: Operation): boolean {
  return op.methods.length === 2;
}

export const metaSchema = z
  .object({
    code: z
      .string()
      .regex(/^[0-9]{3}$/)
      .meta({ description: "The HTTP status as a string; success is `200`.", example: "200" }),
  })
  .meta({ id: "Meta", description: "Status of the call (service.md 2.1)." });

export const integerMetaSchema = z
  .object({ code: z.int().meta({ description: "The HTTP status as an integer.", example: 200 }) })
  .meta({
    id: "MetaWithIntegerCode",
    description: "Status of the call, on the time zone list (service.md 2.1).",
  });

export const pagingSchema = z
  .object({
    previous: z
      .string()
      .meta({ description: "URL of the previous page; empty when there is none.", example: "" }),
    next: z.string().meta({
      description:
        "URL of the next page: the query of this request with the next `page`; empty when there is none.",
      example: "",
    }),
  })
  .meta({ id: "Paging", description: "Neighbours of this page (service.md 2.2)." });

/** Whether `meta.code` is an integer: only on the time zone list (service.md 2.1, 4.12). */
export function hasIntegerCode(op: Operation): boolean {
  return op.auth === "none";
}

/** Schema of the whole body of a successful answer: payload and `meta` (service.md 2.1). */
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
const withParameters = ["parameter_repeated", "parameter_missing", "parameter_invalid"] as const;
const ofWrites = ["scope_insufficient", "prefetch_refused", "storage_full"] as const;
const ofBodies = ["body_invalid", "body_too_large", "media_type_unsupported"] as const;

/** Every error that the operation can answer to this method. */
export function errorsOf(op: Operation, method: Method): readonly ErrorCode[] {
  return [
    ...new Set<ErrorCode>([
      ...everywhere,
      "internal_error",
      ...(op.auth === "token" ? [...withToken, ...withParameters, ...withStorage] : []),
      ...(isWrite(op) ? ofWrites : []),
      ...(method === "post" ? ofBodies : []),
      ...op.errors,
    ]),
  ];
}
