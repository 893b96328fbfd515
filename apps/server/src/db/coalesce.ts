/** Makes callers share the runs of a query: each gets the result of one that began after its call, and one runs at a time. */
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
