import type { Exchange } from "../types.js";
import { causeOf, exchangeOf } from "./assert.js";
import { type ContractName, contractNames, operations } from "./operations.js";
import type { Session } from "./session.js";

/** A cause that many failures share: an operation and its defect. */
export interface NamedCause {
  readonly operation: ContractName;
  /** "GET" by default: the contract names no method. */
  readonly method: string;
  readonly problem: string;
}

export const noSuchPath = "no such path";
export const notJson = "not JSON";
/** The cause of errors in another form, whatever the operation. */
export const errorsNotJson = "errors are not JSON";

/** Statuses of a missing path or method. */
const absences: readonly number[] = [404, 405, 501];

/**
 * Returns the shared cause of a failure: "listEvents: no such path", "createEvent by POST: HTTP 405". Undefined where the
 * response has the right form, and only its content is wrong.
 */
export function commonCause(error: Error, session: Session): string | undefined {
  const own = causeOf(error);
  const exchange = exchangeOf(error);
  const operation = exchange === undefined ? undefined : operationAt(exchange.url);
  if (exchange === undefined || operation === undefined || exchange.error !== undefined) return own;
  const name = exchange.method === "GET" ? operation : `${operation} by ${exchange.method}`;
  const { status } = exchange;
  if (absences.includes(status) && !isThere(session, operation, exchange.method))
    return `${name}: ${noSuchPath}`;
  if (own?.startsWith("HTTP ") === true) return `${name}: ${own}`;
  if (isJson(exchange)) return own === undefined ? undefined : `${name}: ${own}`;
  return status >= 400 ? errorsNotJson : `${name}: ${notJson}`;
}

/** Reads a cause that names an operation. */
export function readCause(cause: string): NamedCause | undefined {
  const [, name = "", method = "GET", problem = ""] = /^(\w+)(?: by ([A-Z]+))?: (.*)$/s.exec(cause) ?? [];
  const operation = contractNames.find((one) => one === name);
  return operation === undefined ? undefined : { operation, method, problem };
}

/** Reports whether any response of the run shows that the operation exists. */
function isThere({ answers }: Session, operation: ContractName, method: string): boolean {
  return answers.some(
    (one) =>
      one.operation === operation &&
      one.answer.exchange.method === method &&
      !absences.includes(one.answer.status),
  );
}

/** The operation whose path a URL has, with or without the last slash. */
function operationAt(url: string): ContractName | undefined {
  const path = (url.split("?")[0] ?? "").replace(/\/$/, "");
  return contractNames.find((name) => path.endsWith(operations[name].path.replace(/\/$/, "")));
}

/** The exchange may have only the beginning of a body, which cannot be parsed. */
function isJson({ body }: Exchange): boolean {
  return /^\s*[{[]/.test(body);
}
