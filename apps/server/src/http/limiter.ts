import { ApiError } from "./errors.js";
import { heavyWork } from "./limits.js";

/** Whose work it is: an account, or what the public reads of one. */
export type Owner = number | string;

export interface Limiter {
  /** Runs `work` when there is room for it. @throws ApiError when it has waited for too long, or too much of its owner waits */
  run<T>(owner: Owner, work: () => Promise<T>): Promise<T>;
}

interface LimiterOptions {
  /** Works that run at once, of one owner and of all. */
  readonly ofOne: number;
  readonly ofAll: number;
  /** Works of one owner that may wait, and for how long, in milliseconds. */
  readonly mostWaiting: number;
  readonly waitMs: number;
}

interface Waiting {
  readonly owner: Owner;
  begin(): void;
}

/** Returns a limiter. Of those that wait, the first of the owner with the least work running is next. */
export function createLimiter({ ofOne, ofAll, mostWaiting, waitMs }: LimiterOptions): Limiter {
  const running = new Map<Owner, number>();
  const queue = new Set<Waiting>();
  let total = 0;

  const runningOf = (owner: Owner): number => running.get(owner) ?? 0;

  function add(owner: Owner, change: 1 | -1): void {
    const count = runningOf(owner) + change;
    total += change;
    if (count === 0) running.delete(owner);
    else running.set(owner, count);
  }

  function beginNext(): void {
    let next: Waiting | undefined;
    for (const waiting of queue) {
      const count = runningOf(waiting.owner);
      if (count < ofOne && (next === undefined || count < runningOf(next.owner))) next = waiting;
    }
    next?.begin();
  }

  function refusal(owner: Owner): ApiError {
    const isOwnFault = typeof owner === "number" && runningOf(owner) >= ofOne;
    return new ApiError(isOwnFault ? "rate_limited" : "overloaded", [], { "Retry-After": "1" });
  }

  function wait(owner: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      let own = 0;
      for (const waiting of queue) if (waiting.owner === owner) own++;
      if (own >= mostWaiting) {
        reject(refusal(owner));
        return;
      }
      const leave = (): void => {
        clearTimeout(timer);
        queue.delete(waiting);
      };
      const waiting = {
        owner,
        begin: () => {
          leave();
          add(owner, 1);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(refusal(owner));
      }, waitMs);
      queue.add(waiting);
    });
  }

  return {
    run: async (owner, work) => {
      if (total < ofAll && runningOf(owner) < ofOne) add(owner, 1);
      else await wait(owner);
      try {
        return await work();
      } finally {
        add(owner, -1);
        beginNext();
      }
    },
  };
}

/** Heavy operations, and what the public reads that is not cached (limits.ts). */
export const heavy = createLimiter(heavyWork);

/** The owner of what the public reads of an account, which waits for none of the account's own work. */
export const publicOf = (accountId: number): string => `public ${accountId}`;
