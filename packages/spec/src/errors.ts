import * as z from "zod";
import { failureCodes } from "./failures.js";

/** HTTP statuses that an error answer may carry (rulings R2.3). */
export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 410
  | 412
  | 413
  | 415
  | 422
  | 429
  | 431
  | 500
  | 503
  | 507;

export interface ErrorEntry {
  readonly status: ErrorStatus;
  /** One sentence a person can act on. Never holds a value that was sent. */
  readonly message: string;
}

/**
 * Every error the API can answer: `error_type` → status and default message (contract 7, rulings R2).
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
  path_unknown: {
    status: 404,
    message:
      "There is no operation at this path; see /openapi.json, and below /api/kalends/ see /openapi-kalends.json.",
  },
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

/**
 * Errors of the extensions. An operation of the contract answers them only to a caller that asked for what the contract does not
 * have, such as with the header `Idempotency-Key`.
 */
const extensionErrors = {
  idempotency_key_invalid: {
    status: 400,
    message: "Idempotency-Key must be sent once, as 1 to 255 visible ASCII characters.",
  },
  if_match_invalid: {
    status: 400,
    message:
      'If-Match must be the updated_times of the event in quotes, such as "3"; writes other than save, update and delete of an event do not take it.',
  },
  session_missing: { status: 401, message: "No one is signed in: the session has ended, or there was none." },
  link_unknown: {
    status: 401,
    message:
      "The link, or the token, is not valid: it was used, has expired or was withdrawn; ask for a new one.",
  },
  invitation_not_found: {
    status: 404,
    message:
      "There is nothing behind the link: it was used, has expired or was withdrawn; ask for a new one.",
  },
  passkey_unknown: {
    status: 401,
    message:
      "The passkey does not sign in here: it was removed, was added elsewhere, or its answer is late; try again, or sign in by a link.",
  },
  identity_refused: {
    status: 401,
    message: "The identity provider has not confirmed who this is; try again, or sign in by a link.",
  },
  identity_unknown: {
    status: 401,
    message:
      "The identity provider names no one who was invited, or another person; ask an owner for a link.",
  },
  request_foreign: {
    status: 403,
    message:
      "The console's address takes requests of its own page alone, with the header Kalends-Console: 1 and, in a POST, Content-Type: application/json.",
  },
  role_insufficient: {
    status: 403,
    message: "The person who has signed in may not do this; an owner can give another role.",
  },
  session_insecure: {
    status: 403,
    message:
      "No one can sign in over plain http: use https, or set CONSOLE_INSECURE=on where the network is trusted.",
  },
  passkey_refused: {
    status: 400,
    message:
      "The passkey cannot be added: its answer is late, it is there already, or it did not verify the person.",
  },
  calendar_file_invalid: {
    status: 400,
    message: "The file cannot be imported; the message says why.",
  },
  picture_invalid: {
    status: 400,
    message: "The picture cannot be used; the message says why.",
  },
  message_not_found: { status: 404, message: "There is no such message of this calendar." },
  entry_not_found: { status: 404, message: "The history of this event has no such entry." },
  series_not_found: { status: 404, message: "There is no such series in this account." },
  webhook_not_found: { status: 404, message: "There is no such webhook in this account." },
  category_not_found: { status: 404, message: "The events of this calendar have no such category." },
  sync_not_found: { status: 404, message: "There is no such sync in this account." },
  person_not_found: { status: 404, message: "There is no such person in this account." },
  session_not_found: { status: 404, message: "There is no such session of this person." },
  passkey_not_found: { status: 404, message: "There is no such passkey of this person." },
  token_not_found: { status: 404, message: "There is no such token in this account." },
  delivery_not_found: { status: 404, message: "There is no such delivery in this account." },
  idempotency_in_progress: {
    status: 409,
    message:
      "A request with this Idempotency-Key is being served; try again after the seconds in Retry-After.",
  },
  mail_not_set_up: {
    status: 409,
    message: "This service sends no e-mail: its operator has not set SMTP_URL.",
  },
  webhook_limit_reached: {
    status: 409,
    message: "The account has as many webhooks as it may have; delete one first.",
  },
  message_limit_reached: {
    status: 409,
    message: "The calendar has had as many messages as it may have in a day; send the next one later.",
  },
  sync_limit_reached: {
    status: 409,
    message: "The account has as many syncs as it may have; delete one first.",
  },
  token_limit_reached: {
    status: 409,
    message: "The account has as many valid tokens as it may have; revoke one first.",
  },
  person_limit_reached: {
    status: 409,
    message: "The account has as many people as it may have; remove one first.",
  },
  passkey_limit_reached: {
    status: 409,
    message: "The person has as many passkeys as a person may have; remove one first.",
  },
  oidc_unavailable: {
    status: 409,
    message: "The identity provider does not answer as it must, or is not configured; sign in by a link.",
  },
  account_key_taken: {
    status: 409,
    message: "Another account has this key, or had it within the last year; choose another one.",
  },
  last_owner: {
    status: 409,
    message: "This is the last owner of all calendars; give someone else that role first.",
  },
  calendar_deleted: {
    status: 409,
    message: "The calendar of the event is deleted; restore the calendar first.",
  },
  event_replaced: {
    status: 409,
    message:
      "Another event stands for this one now: it was imported since, or has its place in the series; delete that one first.",
  },
  cursor_expired: {
    status: 410,
    message: "The cursor is older than 30 days; read the calendar again from the start, without a cursor.",
  },
  event_changed: {
    status: 412,
    message:
      'The event has changed: its updated_times is not the one in If-Match, where a weak tag such as W/"3" never matches; read it again.',
  },
  file_too_large: {
    status: 413,
    message:
      "The file is larger than it may be: a calendar file 10 MB, which can be split, and a picture 8 MB.",
  },
  idempotency_key_reused: {
    status: 422,
    message: "This Idempotency-Key was used with another operation or other parameters; send a new key.",
  },
  write_too_large: {
    status: 422,
    message:
      "The request would write more than one request may, so nothing was changed; send shorter texts, or fewer events at a time.",
  },
  answer_too_large: {
    status: 422,
    message: "The answer would be larger than 4 MB, so nothing was changed; ask for less at a time.",
  },
} as const satisfies Record<string, ErrorEntry>;

/** Every error of the contract and of the extensions. */
export const allErrors = { ...errors, ...extensionErrors } as const;

/** The stable `error_type` of an error answer. */
export type ErrorCode = keyof typeof allErrors;

/** Every `error_type` of the contract, in the order of the table. */
export const contractErrorCodes = Object.keys(errors);

/** Every `error_type`, in the order of the tables. */
export const errorCodes: readonly ErrorCode[] = Object.keys(allErrors).filter(
  (name): name is ErrorCode => name in allErrors,
);

const errorMeta = {
  error_type: errorType(contractErrorCodes),
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

function errorType(codes: readonly string[]) {
  return z
    .string()
    .regex(/^[a-z_]+$/)
    .meta({
      description: "Stable name of the error. More may be added; treat an unknown one by its HTTP status.",
      "x-extensible-enum": [...codes],
      example: "parameter_invalid",
    });
}

const failure = {
  parameter: z.string().meta({ description: "Name of the parameter.", example: "page" }),
  message: z
    .string()
    .meta({ description: "The rule that it breaks.", example: "must be a whole number from 1" }),
};

const contractFailure = z
  .object(failure)
  .meta({ id: "ParameterFailure", description: "A parameter that is missing or not accepted." });

export const extensionFailure = z
  .object({
    ...failure,
    code: z
      .string()
      .regex(/^[a-z_]+$/)
      .meta({
        description:
          "Stable name of what is wrong, for programs that state it in another language. More may be added; show the message of an " +
          "unknown one.",
        "x-extensible-enum": Object.keys(failureCodes),
        example: "out_of_range",
      }),
    limit: z
      .int()
      .meta({
        description: "The limit that the value exceeds, where one number is the limit.",
        format: "int64",
        example: Number.MAX_SAFE_INTEGER,
      })
      .optional(),
  })
  .meta({
    id: "ParameterFailure",
    description: "A parameter that is missing or not accepted, and what is wrong with it.",
  });

function failuresOf(one: typeof contractFailure | typeof extensionFailure) {
  const description = "Every parameter that failed. Absent when no parameter is to blame.";
  return z.array(one).optional().meta({ description });
}

const errorStatus = z.string().regex(/^[45][0-9]{2}$/);

/** Body of every error answer (rulings R2.2). */
export const apiErrorSchema = apiError(errorMeta, contractFailure, "Error");

/** Body of every error of the extensions. */
export const extensionErrorSchema = apiError(
  { ...errorMeta, error_type: errorType(errorCodes) },
  extensionFailure,
  "ExtensionError",
);

function apiError(
  fields: typeof errorMeta,
  one: typeof contractFailure | typeof extensionFailure,
  name: string,
) {
  return z
    .object({
      meta: z
        .object({
          code: errorStatus.meta({ description: "The HTTP status as a string.", example: "400" }),
          ...fields,
          errors: failuresOf(one),
        })
        .meta({ id: `${name}Meta`, description: "What went wrong." }),
    })
    .meta({ id: `${name}Body`, description: "The body of every error." });
}

/** Body of an error answer of the time zone list: an integer `meta.code` (contract 2.1), and no parameter to fail. */
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
