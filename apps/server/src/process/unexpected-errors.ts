import type { Logger } from "pino";
import { describeFailure } from "../http/failure-log.js";

/** How long requests in flight may take to finish, in ms. */
const endLimitMs = 10_000;

/** Stops the server gracefully, and logs the reason. */
export type Stop = (reason: string) => Promise<void>;

let count = 0;

/** Returns how many exceptions nothing caught in this process. */
export function unexpectedErrors(): number {
  return count;
}

/**
 * Logs and counts exceptions that nothing caught, and rejections that nothing handled. Until the returned function is called they
 * end the process: it accepts no more, lets requests in flight finish, and exits with code 1. Then it goes on: what one request or one
 * unit of background work throws must not end the others (docs/decisions/0016).
 */
export function surviveUnexpectedErrors(log: Logger, stop: Stop): () => void {
  let isEnding = false;
  let hasStarted = false;
  const fail = (details: object): void => {
    log.fatal(details, "unexpected error");
    if (isEnding) return;
    isEnding = true;
    const end = (): void => process.exit(1);
    setTimeout(end, endLimitMs);
    stop("unexpected error").then(end, (failure: unknown) => {
      log.fatal({ err: describeFailure(failure) }, "stop failed");
      end();
    });
  };
  process.on("uncaughtException", (error: unknown, origin) => {
    count++;
    const details = { err: described(error), origin };
    if (hasStarted) log.error(details, "unexpected error");
    else fail(details);
  });
  return () => void (hasStarted = true);
}

/** What is thrown may itself throw when it is read; an exception in a handler of exceptions would end the process. */
function described(error: unknown): object {
  try {
    return describeFailure(error);
  } catch {
    return { name: typeof error };
  }
}
