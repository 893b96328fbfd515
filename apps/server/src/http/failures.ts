import type { IncomingMessage, ServerResponse } from "node:http";
import { allOperationIds, allOperations } from "@kalends/spec";
import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";
import { Overloaded } from "../db/database.js";
import { AccountFull, WriteTooLarge } from "../db/refusals.js";
import { storageFailure } from "../db/failures.js";
import { recordOf } from "./access-log.js";
import { sendJson } from "./answer.js";
import { isUnread } from "./body-bytes.js";
import { ApiError, errorAnswer } from "./errors.js";
import { logFailure } from "../background/failure-log.js";

/** Returns what a thrown error means to a caller: its code, status and headers such as Retry-After. */
export function failureOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof URIError) return new ApiError("malformed_request"); // Express's, for a path that is no UTF-8
  if (thrown instanceof WriteTooLarge) return new ApiError("write_too_large");
  if (thrown instanceof AccountFull) return new ApiError("storage_full", [], {}, accountFull);
  if (thrown instanceof Overloaded) return new ApiError(thrown.isOwnFault ? "rate_limited" : "overloaded");
  const storage = storageFailure(thrown);
  if (storage !== undefined) return new ApiError(storage);
  return new ApiError("internal_error");
}

const accountFull =
  "The account stores as many bytes as it may, so nothing was changed; delete events or calendars, or ask the operator for more.";

/**
 * Answers what was thrown: notes it in the record of the request and, where it is ours, in the log, and sends it by `print`: JSON,
 * pages and feeds differ in nothing else.
 */
export function answerFailure(
  log: Logger,
  thrown: unknown,
  req: IncomingMessage,
  res: ServerResponse,
  print: (error: ApiError) => void,
): void {
  const error = failureOf(thrown);
  const record = recordOf(res);
  record.errorType = error.code;
  const isOurs = thrown !== error && ![AccountFull, Overloaded].some((refusal) => thrown instanceof refusal);
  const failure = error.status >= 500 && isOurs ? thrown : error.cause; // that of a service of others
  if (failure !== undefined) logFailure(log, failure, record.requestId, error.code);
  const { reason } = error;
  if (reason !== undefined) log.info({ request_id: record.requestId, reason }, "sign-in refused");
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // A body that was not read to its end would be taken for the next request.
  if (hasBody(req) && isUnread(req)) res.setHeader("Connection", "close");
  print(error);
}

/** Answers errors under /api/ in the envelope: ours, the database's, and bugs (rulings R2.4). */
export function errorResponder(log: Logger) {
  // Express recognizes an error handler by its four parameters.
  return function respondError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    answerFailure(log, thrown, req, res, (error) => {
      const { requestId, operation } = recordOf(res);
      const id = allOperationIds.find((one) => one === operation);
      const { status, headers, body } = errorAnswer(
        error,
        requestId,
        id === undefined ? undefined : allOperations[id],
      );
      sendJson(res, status, body, headers);
    });
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}
