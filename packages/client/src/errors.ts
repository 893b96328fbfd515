import type { ErrorType } from "./error-types.js";
import type { ParameterFailure } from "./types.js";

export const keyHeader = "Idempotency-Key";

/**
 * What went wrong. `http`: the server answered with an error. `network`: no answer, or only a part. `timeout`: an attempt
 * took longer than `timeoutMs`. `abort`: the caller's signal ended it. `parse`: a success that is not in the contract's form.
 */
export type CalendarApiErrorKind = "http" | "network" | "timeout" | "abort" | "parse";

/** The parts of a {@link CalendarApiError} beside its message. */
export interface CalendarApiErrorDetails {
  readonly kind: CalendarApiErrorKind;
  readonly status?: number | undefined;
  readonly errorType?: ErrorType | undefined;
  readonly parameters?: readonly ParameterFailure[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly cause?: unknown;
}

/** Every failure of a call, whatever its kind. No part of it ever holds the token: it may be logged as it is. */
export class CalendarApiError extends Error {
  override readonly name = "CalendarApiError";
  /** What went wrong: `http`, `network`, `timeout`, `abort` or `parse`. */
  declare readonly kind: CalendarApiErrorKind;
  /** HTTP status of the answer; undefined when there was none. */
  declare readonly status: number | undefined;
  /** Stable name of the error, such as `calendar_not_found` (rulings R2.2); undefined when the server gave none. */
  declare readonly errorType: ErrorType | undefined;
  /** On 400: every parameter that failed, with the rule it breaks (rulings R2.2). Else empty. */
  declare readonly parameters: readonly ParameterFailure[];
  /** Id of the request, to quote to the people who run the server. */
  declare readonly requestId: string | undefined;
  /** Seconds that the server asks to wait before the next try; undefined when it does not say. */
  declare readonly retryAfter: number | undefined;
  /** Key of the write, the caller's or a random one: the same write under it is done once. Undefined for a read. */
  declare readonly idempotencyKey: string | undefined;

  constructor(message: string, details: CalendarApiErrorDetails) {
    super(message, details); // of the details it takes the cause
    Object.assign(this, details);
    this.parameters ??= [];
  }

  /** The error as plain data, for a log. */
  toJSON(): object {
    return Object.assign({ message: this.message }, this);
  }
}

/** An error body as far as a server fills it; ours fills it all (rulings R2.2). */
export interface ErrorBody {
  readonly meta?: {
    readonly error_type?: string;
    readonly error_message?: string;
    readonly errors?: readonly ParameterFailure[];
    readonly request_id?: string;
  };
}

/** The error that an answer with an error status stands for. `body` is a string when the answer is not JSON. */
export function httpError(
  body: ErrorBody | string | undefined,
  { status, headers }: Response,
): CalendarApiError {
  const { meta }: ErrorBody = Object(body);
  return new CalendarApiError(meta?.error_message ?? `HTTP ${status}`, {
    kind: "http",
    status,
    errorType: meta?.error_type,
    parameters: meta?.errors,
    requestId: meta?.request_id ?? headers.get("X-Request-Id") ?? undefined,
    retryAfter: retryAfterOf(headers),
    idempotencyKey: headers.get(keyHeader) ?? undefined,
  });
}

/** Seconds until the next try. A date counts from the server's own `Date`, so that clocks need not agree (RFC 9110 10.2.3). */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get("Retry-After") ?? "-";
  const fromDate = (Date.parse(value) - Date.parse(headers.get("Date") ?? "")) / 1000;
  return [Number(value), fromDate].find((seconds) => seconds >= 0);
}
