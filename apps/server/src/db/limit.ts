import { Overloaded } from "./database.js";

/**
 * Returns a function that runs at most so many works at a time; the others wait in their order.
 * @param patienceMs how long one may wait, in milliseconds; then it is refused as Overloaded
 */
export function createLimit(most: number, patienceMs: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];

  function turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1);
        reject(new Overloaded("too many writes wait for locks"));
      }, patienceMs);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      waiting.push(begin);
    });
  }

  return async (work) => {
    if (running >= most) await turn();
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
