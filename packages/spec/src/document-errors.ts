import { type ErrorCode, errors, type ErrorStatus } from "./errors.js";
import { errorsOf, hasIntegerCode, type Operation } from "./operation.js";
import { operationIds, operations } from "./operations.js";

/** Name and description of the response component of each error status. */
const components: Record<ErrorStatus, readonly [name: string, description: string]> = {
  400: ["BadRequest", "The request breaks a rule."],
  401: ["Unauthorized", "No token, or one that is not valid."],
  403: ["Forbidden", "The token or the kind of request may not write."],
  404: ["NotFound", "Absent, deleted or another account's: nothing tells these apart."],
  405: ["MethodNotAllowed", "The method is not allowed here."],
  408: ["RequestTimeout", "The request took too long to arrive."],
  413: ["BodyTooLarge", "The body is too large."],
  415: ["UnsupportedMediaType", "The body has a type that is not read."],
  429: ["TooManyRequests", "Too many requests with this token."],
  431: ["HeadTooLarge", "The request line and headers are too large."],
  500: ["InternalError", "A fault of the server."],
  503: ["Unavailable", "The service cannot answer now; try again."],
  507: ["StorageFull", "The service is out of storage."],
};

/** Status and component name of the answer to an error of an operation. */
export function errorResponseName(
  code: ErrorCode,
  op: Operation,
): readonly [status: ErrorStatus, name: string] {
  const { status } = errors[code];
  const [name] = components[status];
  return [status, integer(code, op) ? `${name}WithIntegerCode` : name];
}

/** Errors found before the path is known carry a string code on every path, the time zone list too. */
const beforeRouting: readonly ErrorCode[] = ["malformed_request", "request_timeout", "head_too_large"];

function integer(code: ErrorCode, op: Operation): boolean {
  return hasIntegerCode(op) && !beforeRouting.includes(code);
}

/** The response components of all errors that operations declare. */
export function errorResponses(): Readonly<Record<string, ReturnType<typeof response>>> {
  const used = new Map<string, { status: ErrorStatus; integer: boolean; codes: Set<ErrorCode> }>();
  for (const id of operationIds) {
    const op: Operation = operations[id];
    for (const method of op.methods) {
      for (const code of errorsOf(op, method)) {
        const [status, name] = errorResponseName(code, op);
        const entry = used.get(name) ?? { status, integer: integer(code, op), codes: new Set() };
        used.set(name, { ...entry, codes: entry.codes.add(code) });
      }
    }
  }
  return Object.fromEntries([...used].map(([name, entry]) => [name, response(entry)]));
}

function response(entry: { status: ErrorStatus; integer: boolean; codes: ReadonlySet<ErrorCode> }) {
  const { status, integer, codes } = entry;
  const retry = status === 429 || status === 503;
  const named = codes.has("parameter_invalid") ? " `errors` names every failing parameter." : "";
  return {
    description: `${components[status][1]}${named} \`error_type\`: ${[...codes].join(", ")}.`,
    ...(retry ? { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } } : {}),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${integer ? "ApiErrorWithIntegerCode" : "ApiError"}` },
        example: example(codes.has("parameter_invalid") ? "parameter_invalid" : first(codes), integer),
      },
    },
  };
}

function first(codes: ReadonlySet<ErrorCode>): ErrorCode {
  return [...codes][0] ?? "internal_error";
}

function example(code: ErrorCode, integer: boolean) {
  const { status, message } = errors[code];
  const failure = { parameter: "page", message: "must be a whole number from 1" };
  const failed = code === "parameter_invalid";
  return {
    meta: {
      code: integer ? status : String(status),
      error_type: code,
      error_message: failed ? `${failure.parameter}: ${failure.message}.` : message,
      ...(failed ? { errors: [failure] } : {}),
      request_id: "5f0c6a52d1b84f0e9a3c7d21e6b8f490",
    },
  };
}
