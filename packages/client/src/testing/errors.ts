/** The errors that the model answers (rulings R2.2, R2.3): error_type → status and sentence. */
const errors = {
  malformed_request: [400, "The request is not well-formed HTTP."],
  encoding_invalid: [400, "Names and values must be percent-encoded UTF-8 without control characters."],
  body_invalid: [
    400,
    "The body must be a JSON object of strings, integers and booleans, or a form without files.",
  ],
  too_many_parameters: [400, "A request may have at most 1,000 parameters."],
  parameter_repeated: [400, "must be given once"],
  parameter_missing: [400, "is required"],
  parameter_invalid: [400, "is not accepted"],
  calendar_file_invalid: [400, "The file cannot be imported."],
  if_match_invalid: [
    400,
    'If-Match must be "N" with the updated_times of the event; only writes of one event take it.',
  ],
  idempotency_key_invalid: [400, "Idempotency-Key must be 1 to 255 visible ASCII characters."],
  credentials_ambiguous: [400, "Send one token: this request names different ones."],
  token_missing: [401, "A token is required: send the parameter token."],
  token_unknown: [401, "The token is not valid: it is unknown, revoked or expired."],
  prefetch_refused: [403, "Writes are not accepted from a prefetch."],
  scope_insufficient: [403, "This token may read only; use a token with the scope write."],
  path_unknown: [404, "There is no operation at this path."],
  calendar_not_found: [404, "There is no such calendar in this account."],
  event_not_found: [404, "There is no such event in this account."],
  webhook_not_found: [404, "There is no such webhook in this account."],
  delivery_not_found: [404, "There is no such delivery in this account."],
  subscriber_not_found: [404, "There is no such subscriber of this calendar."],
  method_not_allowed: [405, "This method is not allowed here; see the header Allow."],
  webhook_limit_reached: [409, "The account has as many webhooks as it may have; delete one first."],
  request_timeout: [408, "The request took too long to arrive."],
  body_too_large: [413, "The body is larger than 1 MiB."],
  media_type_unsupported: [
    415,
    "Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, in UTF-8.",
  ],
  cursor_expired: [410, "This cursor is too old, or ahead of the calendar; begin again without since."],
  event_changed: [412, "The event was changed meanwhile; read it again."],
  idempotency_key_reused: [422, "This Idempotency-Key was used with another operation or other parameters."],
  rate_limited: [429, "Too many requests; try again after the seconds in Retry-After."],
  head_too_large: [431, "The request line and headers are larger than 64 KiB."],
  internal_error: [500, "Something went wrong on our side."],
  overloaded: [503, "The service is busy; try again after the seconds in Retry-After."],
  storage_full: [507, "The service is out of storage; nothing was changed."],
} as const;

export type ErrorType = keyof typeof errors;

export interface Failure {
  readonly parameter: string;
  readonly message: string;
}

/** What an operation throws instead of answering. */
export class Refusal extends Error {
  readonly type: ErrorType;
  readonly failures: readonly Failure[];

  constructor(type: ErrorType, failures: readonly Failure[] = []) {
    super(type);
    this.type = type;
    this.failures = failures;
  }
}

export function statusOf(type: ErrorType): number {
  return errors[type][0];
}

/** The members of `meta` beside `code` (rulings R2.2). */
export function errorMeta(type: ErrorType, failures: readonly Failure[], requestId: string): object {
  const [first] = failures;
  return {
    error_type: type,
    error_message: first === undefined ? errors[type][1] : `${first.parameter}: ${first.message}.`,
    ...(first === undefined ? {} : { errors: failures }),
    request_id: requestId,
  };
}
