import type { CalendarApiError, CalendarApiErrorDetails, CalendarApiErrorKind } from "./errors.js";

/** Makes an error of one call; its message is `words`, or the kind. */
export type Fail = (
  kind: CalendarApiErrorKind,
  details?: Partial<CalendarApiErrorDetails>,
  words?: string,
) => CalendarApiError;

/**
 * Runs `work` until it ends, the caller aborts or the time is over. It is over then, even when `work` does not listen.
 * Without `work` it waits. When the time is over it returns an error of kind `timeout`.
 *
 * Not AbortSignal.any and AbortSignal.timeout: edge runtimes lack the first, and a signal that lives long would keep
 * something of each call.
 *
 * @param fail makes the errors of the call
 * @param caller the caller's signal
 * @throws CalendarApiError of kind `abort`, whose cause is the caller's reason
 */
export function limited(
  fail: Fail,
  caller: AbortSignal,
  timeoutMs: number,
  work?: (end: AbortSignal) => Promise<Response | CalendarApiError>,
): Promise<Response | CalendarApiError> {
  const longestTimerMs = 2e9; // setTimeout fires at once beyond 2^31 - 1
  const inner = new AbortController();
  const { signal } = inner;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Response | CalendarApiError>((resolve, reject) => {
    const abort = (): void => reject(fail("abort", { cause: caller.reason }));
    if (caller.aborted) return abort();
    caller.addEventListener("abort", abort, { signal });
    timer = setTimeout(() => resolve(fail("timeout")), Math.min(timeoutMs, longestTimerMs));
    work?.(signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    inner.abort(); // ends the work that still runs, and the listening
  });
}
