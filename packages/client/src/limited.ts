import { CalendarApiError } from "./errors.js";

/**
 * Runs `work` until it ends, the caller aborts or the time is over. It is over then, even when `work` does not listen.
 * Without `work` it waits. What ended early is returned as an error of kind `abort` or `timeout`.
 *
 * Not AbortSignal.any and AbortSignal.timeout: edge runtimes lack the first, and a signal that lives long would keep
 * something of each call.
 *
 * @param name the work as messages name it, such as `GET /api/v1/timezones`
 * @param caller the caller's signal
 */
export function limited(
  name: string,
  caller: AbortSignal,
  timeoutMs: number,
  work?: (end: AbortSignal) => Promise<Response | CalendarApiError>,
): Promise<Response | CalendarApiError> {
  const inner = new AbortController();
  const { signal } = inner;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Response | CalendarApiError>((resolve, reject) => {
    const stop = (kind: "abort" | "timeout"): void =>
      resolve(new CalendarApiError(`${name}: ${kind}`, { kind }));
    if (caller.aborted) return stop("abort");
    caller.addEventListener("abort", () => stop("abort"), { signal });
    timer = setTimeout(stop, Math.min(timeoutMs, longestTimerMs), "timeout");
    work?.(signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    inner.abort(); // ends the work that still runs, and the listening
  });
}

/** setTimeout fires at once beyond this. */
const longestTimerMs = 2 ** 31 - 1;
