import type { ServerResponse } from "node:http";
import type { Logger } from "pino";
import { failureOf, recordFailure } from "../http/failures.js";
import { CalendarGone } from "./feed-body.js";
import { sendFeedError } from "./feed-response.js";

/** Answers what a feed or list threw. */
export function sendFeedFailure(log: Logger, error: unknown, res: ServerResponse): void {
  if (error instanceof CalendarGone) return sendFeedError(res, 410, "This calendar was deleted.");
  const failure = failureOf(error);
  recordFailure(log, error, failure, res);
  if (res.headersSent) res.destroy();
  else sendFeedError(res, failure.status, failure.message, failure.headers);
}
