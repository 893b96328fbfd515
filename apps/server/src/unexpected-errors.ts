import type { Logger } from "pino";
import { describeFailure } from "./http/failure-log.js";

/** How long requests in flight may take to finish, in ms. */
const endLimitMs = 10_000;

/** Logs why the process must end, and ends it: it accepts no more, lets requests in flight finish, and exits with code 1. */
export type Fail = (details: object, message: string) => void;

/** Stops the server gracefully, and logs the reason. */
export type Stop = (reason: string) => Promise<void>;

/**
 * Logs exceptions that nothing caught, and rejections that nothing handled. After the first one the state of the process is
 * unknown, so it fails. Returns the function that makes it fail for other reasons.
 */
export function endOnUnexpectedError(log: Logger, stop: Stop): Fail {
  let isEnding = false;
  const fail: Fail = (details, message) => {
    log.fatal(details, message);
    if (isEnding) return;
    isEnding = true;
    const end = (): void => process.exit(1);
    setTimeout(end, endLimitMs);
    stop(message).then(end, (failure: unknown) => {
      log.fatal({ err: describeFailure(failure) }, "stop failed");
      end();
    });
  };
  process.on("uncaughtException", (error: unknown, origin) => {
    fail({ err: describeFailure(error), origin }, "unexpected error");
  });
  return fail;
}
