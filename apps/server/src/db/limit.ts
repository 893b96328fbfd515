import { Overloaded } from "./database.js";

/**
 * Returns a function that runs at most so many works at a time; the others wait in their order.
 * @param patienceMs how long one may wait, in milliseconds; then it is refused as Overloaded
 */
export function createLimit(most: number, patienceMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];

  function turn(place: { isTaken: boolean }): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new Overloaded("too many writes wait for locks"));
      }, patienceMs);
      const begin = (): void => {
        place.isTaken = true;
        clearTimeout(timer);
        resolve();
      };
      waiting.push(begin);
    });
  }

  return async (work) => {
    const place = { isTaken: running < most };
    if (place.isTaken) running++;
    try {
      if (!place.isTaken) await turn(place);
      return await work();
    } finally {
      // Whatever fails, a place that was taken is given to the next one.
      const next = place.isTaken ? waiting.shift() : undefined;
      if (next !== undefined) next();
      else if (place.isTaken) running--;
    }
  };
}
