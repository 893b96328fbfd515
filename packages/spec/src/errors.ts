import { z } from "zod";

/** HTTP statuses that an error answer may carry (rulings R2.3). */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 415 | 429 | 431 | 500 | 503 | 507;

interface ErrorEntry {
  readonly status: ErrorStatus;
  /** One sentence a person can act on. Never holds a value that was sent. */
  readonly message: string;
}

/**
 * Every error the API can answer: `error_type` → status and default message (service.md 7, rulings R2).
 * The types, the OpenAPI responses and docs/errors.md all come from this table.
 */
export const errors = {
  malformed_request: { status: 400, message: "The request is not well-formed HTTP." },
  encoding_invalid: {
    status: 400,
    message: "Parameter names and values must be valid percent-encoded UTF-8 without control characters.",
  },
  body_invalid: {
    status: 400,
    message: "The body must be a JSON object of strings, integers and booleans, or a form without files.",
  },
  too_many_parameters: { status: 400, message: "A request may have at most 1,000 parameters." },
  parameter_repeated: { status: 400, message: "A parameter was given more than once." },
  parameter_missing: { status: 400, message: "A required parameter is missing." },
  parameter_invalid: { status: 400, message: "A parameter has a value that is not accepted." },
  credentials_ambiguous: {
    status: 400,
    message: "Send one token: the query, the body and the header Authorization name different ones.",
  },
  token_missing: {
    status: 401,
    message:
      "A token is required: send Authorization: Bearer (no other scheme, such as Basic, is read) or the parameter token.",
  },
  token_unknown: { status: 401, message: "The token is not valid: it is unknown, revoked or expired." },
  scope_insufficient: { status: 403, message: "This token may read only; use a token with the scope write." },
  prefetch_refused: {
    status: 403,
    message: "Writes are not accepted from a prefetch; send the request itself.",
  },
  path_unknown: { status: 404, message: "There is no operation at this path; see /openapi.json." },
  calendar_not_found: { status: 404, message: "There is no such calendar in this account." },
  event_not_found: { status: 404, message: "There is no such event in this account." },
  subscriber_not_found: { status: 404, message: "There is no such subscriber of this calendar." },
  method_not_allowed: {
    status: 405,
    message: "This method is not allowed here; use one of those that the header Allow lists.",
  },
  request_timeout: { status: 408, message: "The request took too long to arrive; send it again." },
  body_too_large: { status: 413, message: "The body is larger than 1 MiB." },
  media_type_unsupported: {
    status: 415,
    message:
      "Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, in UTF-8, not compressed.",
  },
  rate_limited: { status: 429, message: "Too many requests; try again after the seconds in Retry-After." },
  head_too_large: {
    status: 431,
    message: "The request line and headers are larger than 64 KiB; use POST for long text.",
  },
  internal_error: {
    status: 500,
    message: "Something went wrong on our side; quote the request_id when you report it.",
  },
  overloaded: { status: 503, message: "The service is busy; try again after the seconds in Retry-After." },
  storage_unavailable: {
    status: 503,
    message: "The service cannot reach or write its storage now; try again after the seconds in Retry-After.",
  },
  storage_full: { status: 507, message: "The service is out of storage; nothing was changed." },
} as const satisfies Record<string, ErrorEntry>;

/** The stable `error_type` of an error answer. */
export type ErrorCode = keyof typeof errors;

/** Every `error_type`, in the order of the table. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errors).filter(
  (name): name is ErrorCode => name in errors,
);

const errorMeta = {
  error_type: z
    .string()
    .regex(/^[a-z_]+$/)
    .meta({
      description: "Stable name of the error. More may be added; treat an unknown one by its HTTP status.",
      "x-extensible-enum": [...errorCodes],
      example: "parameter_invalid",
    }),
  error_message: z.string().meta({
    description:
      "What is wrong and what to do, in one sentence for a person. It names the parameter and never repeats its value.",
    example: "page: must be a whole number from 1.",
  }),
  request_id: z.string().meta({
    description: "Id of this request, the same as in the header `X-Request-Id`.",
    example: "5f0c6a52d1b84f0e9a3c7d21e6b8f490",
  }),
};

const failures = z
  .array(
    z
      .object({
        parameter: z.string().meta({ description: "Name of the parameter.", example: "page" }),
        message: z
          .string()
          .meta({ description: "The rule that it breaks.", example: "must be a whole number from 1" }),
      })
      .meta({ id: "ParameterFailure", description: "A parameter that is missing or not accepted." }),
  )
  .optional()
  .meta({ description: "Every parameter that failed. Absent when no parameter is to blame." });

const errorStatus = z.string().regex(/^[45][0-9]{2}$/);

/** Body of every error answer (rulings R2.2). */
export const apiErrorSchema = z
  .object({
    meta: z
      .object({
        code: errorStatus.meta({ description: "The HTTP status as a string.", example: "400" }),
        ...errorMeta,
        errors: failures,
      })
      .meta({ id: "ErrorMeta", description: "What went wrong." }),
  })
  .meta({ id: "ErrorBody", description: "The body of every error." });

/** Body of an error answer of the time zone list: an integer `meta.code` (service.md 2.1), and no parameter to fail. */
export const integerApiErrorSchema = z
  .object({
    meta: z
      .object({
        code: z.int().min(400).max(599).meta({
          description: "The HTTP status as an integer.",
          format: "int32",
          example: 500,
        }),
        ...errorMeta,
      })
      .meta({ id: "ErrorMetaWithIntegerCode", description: "What went wrong, on the time zone list." }),
  })
  .meta({
    id: "ErrorBodyWithIntegerCode",
    description: "The body of an error of the time zone list.",
  });

/** One failing parameter of a 400. */
export interface ParameterFailure {
  readonly parameter: string;
  readonly message: string;
}
