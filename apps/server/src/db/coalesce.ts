/**
 * Lets callers share the runs of a query: one runs at a time, and each caller gets the result of a run that began after its
 * call.
 */
export function coalesce<T>(run: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    if (next !== undefined) return next;
    next = running.then(() => {
      next = undefined;
      return run();
    });
    running = next.catch(() => undefined);
    return next;
  };
}
