import { allErrors as errors, type ErrorCode, errorCodes, type ErrorStatus } from "./errors.js";
import { brokenRule, type BrokenRule, type ParameterFailure } from "./failures.js";
import {
  errorsOf,
  hasIntegerCode,
  isExtension,
  isOfConsole,
  isWrite,
  type Operation,
  type OperationTable,
  shownFailures,
} from "./operation.js";

/** Name and description of the response component of each error status; 400 and 404 have one for each operation or resource. */
const components: Record<ErrorStatus, readonly [name: string, description: string]> = {
  400: ["BadRequest", "The request breaks a rule; `meta.errors` names every parameter that failed."],
  401: ["Unauthorized", "The token is missing, or it is not valid."],
  403: ["Forbidden", "The token may only read, or the request is marked as a prefetch. Nothing was changed."],
  404: ["NotFound", "It does not exist, was deleted, or belongs to another account."],
  405: ["MethodNotAllowed", "The method is not allowed here."],
  408: ["RequestTimeout", "The request took too long to arrive. Send it again."],
  409: ["Conflict", "Something else stands in the way for now. Nothing was changed."],
  410: ["Gone", "It was there once and is no longer kept."],
  412: ["PreconditionFailed", "The event is not the one that `If-Match` names. Nothing was changed."],
  413: ["BodyTooLarge", "The body is larger than 1 MiB."],
  415: ["UnsupportedMediaType", "The body has a media type that is not accepted."],
  422: ["KeyReused", "The `Idempotency-Key` was used for another request. Nothing was changed."],
  429: ["TooManyRequests", "The token has used up its requests. Try again after `Retry-After`."],
  431: ["HeadTooLarge", "The request line and headers are larger than 64 KiB. Use POST for long text."],
  500: ["InternalError", "The server has a fault. Report it with the `request_id`."],
  503: ["Unavailable", "The server is busy or cannot reach its storage. Try again after `Retry-After`."],
  507: ["StorageFull", "The server is out of storage. Nothing was changed."],
};

/** Errors found before the path is known carry a string code on every path, the time zone list too. */
const beforeRouting: readonly ErrorCode[] = ["malformed_request", "request_timeout", "head_too_large"];

export const requestId = "5f0c6a52d1b84f0e9a3c7d21e6b8f490";

interface ErrorResponse {
  readonly name: string;
  readonly status: ErrorStatus;
  readonly codes: readonly ErrorCode[];
  readonly op: Operation;
}

/** The error responses of an operation, by status. `id` is its operation id. */
export function errorResponsesOf(id: string, op: Operation): readonly ErrorResponse[] {
  const declared = new Set(op.methods.flatMap((method) => errorsOf(op, method)));
  const codes = errorCodes.filter((code) => declared.has(code));
  const statuses = [...new Set(codes.map((code) => errors[code].status))];
  return statuses.map((status) => {
    const ofStatus = codes.filter((code) => errors[code].status === status);
    return { name: responseName(id, op, status, ofStatus), status, codes: ofStatus, op };
  });
}

/** A 400 shows an example of its operation's own, a 404 names what is missing; the others are the same for all. */
function responseName(id: string, op: Operation, status: ErrorStatus, codes: readonly ErrorCode[]): string {
  const [name] = components[status];
  if (status === 400) return `${pascal(id)}${name}`;
  if (isOfConsole(op) && (status === 401 || status === 403))
    return `${isWrite(op) ? "Write" : ""}${pascal(String(codes.at(-1)))}`;
  const isOfItsOwn = status === 404 || status === 409 || (status === 422 && codes.length > 1);
  if (isOfItsOwn) return pascal(String(codes.at(-1)));
  if (op.file !== undefined && status === 413) return pascal(String(codes.at(-1)));
  return codes.every((code) => integer(code, op)) ? `${name}WithIntegerCode` : name;
}

function pascal(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function integer(code: ErrorCode, op: Operation): boolean {
  return hasIntegerCode(op) && !beforeRouting.includes(code);
}

/** The response components of all errors that operations declare: name → response. */
export function errorResponses(table: OperationTable): Readonly<Record<string, ReturnType<typeof response>>> {
  const all = Object.entries(table).flatMap(([id, op]) => errorResponsesOf(id, op));
  return Object.fromEntries(all.map((entry) => [entry.name, response(entry)]));
}

const perStatus: { readonly [Status in ErrorStatus]?: string } = {
  401: "WWW-Authenticate",
  409: "Retry-After",
  429: "Retry-After",
  503: "Retry-After",
};

function response({ status, codes, op }: ErrorResponse) {
  const own = perStatus[status];
  const headers = [
    "X-Request-Id",
    ...(own === undefined ? [] : [own]),
    ...(status === 429 ? rateHeaders : []),
  ];
  const mistake = status === 400 ? mistakeExample(op) : undefined;
  const shared = codes.filter((code) => !needsParameter.includes(code));
  return {
    description: `${descriptionOf(status, codes, op)} \`error_type\`: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headerReferences(headers),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${schemaName(codes, op)}` },
        examples: {
          ...(mistake === undefined ? {} : { [mistake.meta.error_type]: { value: mistake } }),
          ...Object.fromEntries(
            shared.map((code) => [code, { $ref: `#/components/examples/${exampleName(code, op)}` }]),
          ),
        },
      },
    },
  };
}

function descriptionOf(status: ErrorStatus, codes: readonly ErrorCode[], op: Operation): string {
  if (status === 422 && codes.length > 1)
    return "The `Idempotency-Key` was used for another request, or the request would cost too much. Nothing was changed.";
  if (op.file !== undefined && status === 413) return "The body, or the file, is too large.";
  if (isOfConsole(op) && status === 401) return "No one is signed in, or the link is not valid.";
  if (isOfConsole(op) && status === 403)
    return "The request does not come from the console's own page, or from where no one can sign in. Nothing was changed.";
  const isWithoutParameters = status === 400 && Object.keys(op.params.shape).length === 0;
  return isWithoutParameters ? "The request is not well-formed." : components[status][1];
}

export const rateHeaders = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

export function headerReferences(names: readonly string[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** On the time zone list, errors of both kinds share a status: 400. */
export const mixedErrorName = "ListTimeZonesErrorBody";

function schemaName(codes: readonly ErrorCode[], op: Operation): string {
  const integers = codes.filter((code) => integer(code, op)).length;
  if (integers === 0) return isExtension(op) ? "ExtensionErrorBody" : "ErrorBody";
  return integers === codes.length ? "ErrorBodyWithIntegerCode" : mixedErrorName;
}

function exampleName(code: ErrorCode, op: Operation): string {
  return integer(code, op) ? `${code}_with_integer_code` : code;
}

/** The example components of all errors: name → example. */
export function errorExamples(table: OperationTable): Readonly<Record<string, { readonly value: object }>> {
  const entries = Object.entries(table).flatMap(([id, one]) =>
    errorResponsesOf(id, one).flatMap(({ codes, op }) =>
      codes
        .filter((code) => !needsParameter.includes(code))
        .map((code) => [exampleName(code, op), { value: errorBody(code, op) }] as const),
    ),
  );
  return Object.fromEntries(entries);
}

/** Their examples name parameters, which differ from operation to operation. */
const needsParameter: readonly ErrorCode[] = ["parameter_missing", "parameter_invalid"];

/** `parameter_repeated` blames the token, which every operation with parameters takes. */
const repeatedToken = {
  parameter: "token",
  message: "must be given once, as a single value",
  code: "repeated",
} as const;

function errorBody(code: ErrorCode, op: Operation) {
  return body(code, op, code === "parameter_repeated" ? [repeatedToken] : []);
}

function mistakeExample(op: Operation) {
  const { mistake } = op.example;
  if (mistake === undefined) return undefined;
  const failures = Object.keys(op.params.shape).flatMap((parameter) => {
    const value = mistake[parameter];
    return value === undefined ? [] : [{ parameter, ...ruleOf(op, parameter, value) }];
  });
  const isMissing = mistake[failures[0]?.parameter ?? ""] === "";
  return body(isMissing ? "parameter_missing" : "parameter_invalid", op, failures);
}

function ruleOf(op: Operation, parameter: string, value: string): BrokenRule {
  if (value === "") return { message: "is required", code: "missing" };
  return brokenRule(op.params.shape[parameter]?.safeParse(value).error?.issues[0]);
}

function body(code: ErrorCode, op: Operation, failures: readonly ParameterFailure[]) {
  const { status, message } = errors[code];
  const [first, ...rest] = failures;
  const more = rest.length === 0 ? "" : ` ${rest.length} more in errors.`;
  return {
    meta: {
      code: integer(code, op) ? status : String(status),
      error_type: code,
      error_message: first === undefined ? message : `${first.parameter}: ${first.message}.${more}`,
      ...(failures.length === 0 ? {} : { errors: shownFailures(failures, op) }),
      request_id: requestId,
    },
  };
}
