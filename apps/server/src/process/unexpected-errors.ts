import type { Logger } from "pino";
import { describeFailure } from "../http/failure-log.js";

/** How long requests in flight may take to finish, in ms. */
const endLimitMs = 10_000;

/** Logs why the process must end, and ends it: it accepts no more, lets requests in flight finish, and exits with code 1. */
export type Fail = (details: object, message: string) => void;

/** Stops the server gracefully, and logs the reason. */
export type Stop = (reason: string) => Promise<void>;

/** What becomes of exceptions that nothing caught. */
export interface UnexpectedErrors {
  /** Makes the process fail for a reason that leaves it unable to work. */
  readonly fail: Fail;
  /** Says that the process has started: from now on it survives them. */
  readonly started: () => void;
}

let count = 0;

/** Returns how many exceptions nothing caught in this process. */
export function unexpectedErrors(): number {
  return count;
}

/**
 * Logs and counts exceptions that nothing caught, and rejections that nothing handled. Before the process has started they make it
 * fail; later it goes on: what one request or one unit of background work throws must not end the others (docs/decisions/0016).
 */
export function surviveUnexpectedErrors(log: Logger, stop: Stop): UnexpectedErrors {
  let isEnding = false;
  let hasStarted = false;
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
    count++;
    const details = { err: described(error), origin };
    if (hasStarted) log.error(details, "unexpected error");
    else fail(details, "unexpected error");
  });
  return { fail, started: () => void (hasStarted = true) };
}

/** What is thrown may itself throw when it is read; an exception in a handler of exceptions would end the process. */
function described(error: unknown): object {
  try {
    return describeFailure(error);
  } catch {
    return { name: typeof error };
  }
}
