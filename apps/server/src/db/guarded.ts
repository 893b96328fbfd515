/**
 * Returns a handler of events that passes what it throws to `fail`. Thrown in an event or a later tick, it would reach no one who
 * waits: an attempt would end at its time limit, and a transaction never.
 */
export function guarded<Arguments extends readonly unknown[]>(
  fail: (error: Error) => void,
  handle: (...given: Arguments) => void,
): (...given: Arguments) => void {
  return (...given) => {
    try {
      handle(...given);
    } catch (error) {
      fail(error instanceof Error ? error : new Error("A handler failed.", { cause: error }));
    }
  };
}
