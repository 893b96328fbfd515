import type { Logger } from "pino";
import { describeFailure } from "./http/failure-log.js";

/** How long requests in flight may take to finish, in ms. */
const endLimitMs = 10_000;

/**
 * Logs exceptions that nothing caught, and rejections that nothing handled. After the first one the state of the process is
 * unknown: it accepts no more, lets requests in flight finish, and ends with exit code 1.
 * @param stop stops the server gracefully
 */
export function endOnUnexpectedError(log: Logger, stop: () => Promise<void>): void {
  let isEnding = false;
  process.on("uncaughtException", (error: unknown, origin) => {
    log.fatal({ err: describeFailure(error), origin }, "unexpected error");
    if (isEnding) return;
    isEnding = true;
    const end = (): void => process.exit(1);
    setTimeout(end, endLimitMs);
    stop().then(end, (failure: unknown) => {
      log.fatal({ err: describeFailure(failure) }, "stop failed");
      end();
    });
  });
}
