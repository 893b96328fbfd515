import type { Logger } from "pino";
import { storageFailure } from "../db/failures.js";
import { describeFailure } from "../http/failure-log.js";

/** Logs a failure of the storage, or a defect. It names no URL and no person. */
export function logWebhookFailure(log: Logger, error: unknown, message: string): void {
  log.warn({ code: storageFailure(error), err: describeFailure(error) }, message);
}
