import {
  allErrors as errors,
  type ErrorCode,
  type ErrorStatus,
  hasIntegerCode,
  type Operation,
  type ParameterFailure,
  shownFailures,
} from "@kalends/spec";

/** Headers that an error code always has. */
const headersOf: { readonly [Code in ErrorCode]?: Readonly<Record<string, string>> } = {
  token_missing: { "WWW-Authenticate": 'Bearer realm="kalends"' },
  token_unknown: { "WWW-Authenticate": 'Bearer realm="kalends", error="invalid_token"' },
  session_missing: { "WWW-Authenticate": 'Cookie realm="kalends"' },
  link_unknown: { "WWW-Authenticate": 'Cookie realm="kalends"' },
  idempotency_in_progress: { "Retry-After": "1" },
  rate_limited: { "Retry-After": "1" },
  overloaded: { "Retry-After": "1" },
  storage_unavailable: { "Retry-After": "5" },
};

/** An error that a caller sees. Its status and message come from the table of the spec. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** On 400: every parameter that failed. */
  readonly failures: readonly ParameterFailure[];
  /** Headers of the answer, such as Allow or Retry-After. */
  readonly headers: Readonly<Record<string, string>>;
  /** Why someone is refused, for the log alone. */
  readonly reason?: string;

  constructor(
    code: ErrorCode,
    failures: readonly ParameterFailure[] = [],
    headers: Readonly<Record<string, string>> = {},
    sentence: string = errors[code].message,
  ) {
    super(sentence);
    this.code = code;
    this.failures = failures;
    this.headers = { ...headersOf[code], ...headers };
  }

  get status(): ErrorStatus {
    return errors[this.code].status;
  }
}

/** The error of a method that a path does not have. Names both: Node's parser accepts no method but known ones. */
export function methodNotAllowed(sent: string, allowed: readonly string[]): ApiError {
  const sentence = `${sent} is not allowed here; use ${new Intl.ListFormat("en", { type: "disjunction" }).format(allowed)}.`;
  return new ApiError("method_not_allowed", [], { Allow: allowed.join(", ") }, sentence);
}

/** An error as it goes over the wire (rulings R2.2). */
export interface ErrorAnswer {
  readonly status: ErrorStatus;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Returns the answer of an operation; without one, that of a request which reached none. */
export function errorAnswer(error: ApiError, requestId: string, op?: Operation): ErrorAnswer {
  const { code, status, failures } = error;
  const integerCode = op !== undefined && hasIntegerCode(op); // contract 2.1
  const shown = op === undefined ? failures : shownFailures(failures, op);
  return {
    status,
    headers: error.headers,
    body: {
      meta: {
        code: integerCode ? status : String(status),
        error_type: code,
        error_message: message(error),
        ...(shown.length === 0 ? {} : { errors: shown }),
        request_id: requestId,
      },
    },
  };
}

/** The failing parameter and its rule, never its value; the code's own sentence when no parameter is to blame. */
function message({ message: sentence, failures }: ApiError): string {
  const [first, ...rest] = failures;
  if (first === undefined) return sentence;
  const more = rest.length === 0 ? "" : ` ${rest.length} more in errors.`;
  return `${first.parameter}: ${first.message}.${more}`;
}
