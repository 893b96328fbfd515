import { CalendarApiError } from "./errors.js";

/**
 * Runs `work` until it ends, the caller aborts or the time is over. It is over then, even when `work` does not listen.
 * Without `work` it waits. When the time is over it returns an error of kind `timeout`.
 *
 * Not AbortSignal.any and AbortSignal.timeout: edge runtimes lack the first, and a signal that lives long would keep
 * something of each call.
 *
 * @param name the work as messages name it, such as `GET /api/v1/timezones`
 * @param caller the caller's signal
 * @throws CalendarApiError of kind `abort`
 */
export function limited(
  name: string,
  caller: AbortSignal,
  timeoutMs: number,
  work?: (end: AbortSignal) => Promise<Response | CalendarApiError>,
): Promise<Response | CalendarApiError> {
  const longestTimerMs = 2e9; // setTimeout fires at once beyond 2^31 - 1
  const inner = new AbortController();
  const { signal } = inner;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new Promise<Response | CalendarApiError>((resolve, reject) => {
    const ended = (kind: "abort" | "timeout") => new CalendarApiError(`${name}: ${kind}`, { kind });
    const abort = (): void => reject(ended("abort"));
    if (caller.aborted) return abort();
    caller.addEventListener("abort", abort, { signal });
    timer = setTimeout(() => resolve(ended("timeout")), Math.min(timeoutMs, longestTimerMs));
    work?.(signal).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    inner.abort(); // ends the work that still runs, and the listening
  });
}
