import { hasIntegerCode, operations } from "@kalends/spec";
import type { NextFunction, Request, Response } from "express";
import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { sendJson } from "./answer.js";
import { describeFailure } from "./describe-failure.js";
import { ApiError, errorAnswer } from "./errors.js";
import { recordOf } from "./access-log.js";

export { describeFailure };

/** The one place that answers errors: ours, the database's, the body reader's, and bugs. */
export function errorResponder(log: Logger) {
  // Express tells an error handler by its four parameters.
  return function respondError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    const error = apiError(thrown);
    const record = recordOf(res);
    record.errorType = error.code;
    if (error.status >= 500) logFailure(log, thrown, record.requestId, error.code);
    if (res.headersSent) {
      res.destroy();
      return;
    }
    const { status, headers, body } = errorAnswer(error, record.requestId, isIntegerCodePath(req.path));
    // A body that was not read to its end would be taken for the next request.
    if (hasBody(req) && !req.complete) res.setHeader("Connection", "close");
    sendJson(res, status, body, headers);
  };
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** The error that a caller sees. */
function apiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const storage = storageFailure(thrown);
  if (storage !== undefined) return new ApiError(storage);
  switch (bodyReaderStatus(thrown)) {
    case 413:
      return new ApiError("body_too_large");
    case 415:
      return new ApiError("media_type_unsupported");
    case 400:
      return new ApiError("malformed_request");
    default:
      return new ApiError("internal_error");
  }
}

/** Status that Express's body reader put on its error. */
function bodyReaderStatus(thrown: unknown): unknown {
  return thrown instanceof Error && "status" in thrown ? thrown.status : undefined;
}

/** For how long a failure of the storage that repeats is only counted, in milliseconds. */
const quietMs = 1_000;

/** Failures of the storage since the log was last told of one. */
interface Untold {
  count: number;
  /** Writes the line of the last of them. */
  tell(repeated: number): void;
}

const untold = new WeakMap<Logger, Untold>();

/**
 * Tells the log of a failure. A database that stops fails every request: of such failures one a second is told, and how many
 * it stands for (`repeated`).
 */
export function logFailure(log: Logger, thrown: unknown, requestId: string, message: string): void {
  const tell = (repeated?: number): void => {
    const counted = repeated === undefined ? {} : { repeated };
    log.error({ request_id: requestId, err: describeFailure(thrown), ...counted }, message);
  };
  if (storageFailure(thrown) === undefined) {
    tell();
    return;
  }
  const waiting = untold.get(log);
  if (waiting === undefined) {
    tell();
    countQuietly(log);
    return;
  }
  waiting.count++;
  waiting.tell = tell;
}

function countQuietly(log: Logger): void {
  const since: Untold = { count: 0, tell: () => undefined };
  untold.set(log, since);
  const end = (): void => {
    untold.delete(log);
    if (since.count === 0) return;
    since.tell(since.count);
    countQuietly(log);
  };
  setTimeout(end, quietMs).unref();
}

/** Errors of the time zone list have an integer code too (rulings R2.1). */
function isIntegerCodePath(path: string): boolean {
  return Object.values(operations).some((op) => hasIntegerCode(op) && op.path === path.replace(/\/$/, ""));
}
