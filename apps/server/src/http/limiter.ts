import { ApiError } from "./errors.js";
import { heavyWork } from "./limits.js";

/** Whose work it is: an account, or what the public reads of one. */
export type Owner = number | string;

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

/** Runs some works at once. Of those that wait, the first of the owner with the least work running is next. */
export class Limiter {
  private readonly options: LimiterOptions;
  private readonly running = new Map<Owner, number>();
  private readonly queue = new Set<Waiting>();
  private total = 0;

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  /** Runs `work` when there is room for it. @throws ApiError when it has waited for too long, or too much of its owner waits */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const { ofOne, ofAll } = this.options;
    if (this.total < ofAll && this.runningOf(owner) < ofOne) this.count(owner, 1);
    else await this.wait(owner);
    try {
      return await work();
    } finally {
      this.count(owner, -1);
      this.beginNext();
    }
  }

  private runningOf(owner: Owner): number {
    return this.running.get(owner) ?? 0;
  }

  private count(owner: Owner, change: 1 | -1): void {
    const count = this.runningOf(owner) + change;
    this.total += change;
    if (count === 0) this.running.delete(owner);
    else this.running.set(owner, count);
  }

  private beginNext(): void {
    let next: Waiting | undefined;
    for (const waiting of this.queue) {
      const count = this.runningOf(waiting.owner);
      if (count < this.options.ofOne && (next === undefined || count < this.runningOf(next.owner)))
        next = waiting;
    }
    next?.begin();
  }

  private wait(owner: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      let own = 0;
      for (const waiting of this.queue) if (waiting.owner === owner) own++;
      const refuse = (): void => {
        leave();
        const isOwnFault = typeof owner === "number" && this.runningOf(owner) >= this.options.ofOne;
        reject(new ApiError(isOwnFault ? "rate_limited" : "overloaded", [], { "Retry-After": "1" }));
      };
      const leave = (): void => {
        clearTimeout(timer);
        this.queue.delete(waiting);
      };
      const begin = (): void => {
        leave();
        this.count(owner, 1);
        resolve();
      };
      const waiting = { owner, begin };
      const timer = setTimeout(refuse, this.options.waitMs);
      if (own >= this.options.mostWaiting) refuse();
      else this.queue.add(waiting);
    });
  }
}

/** Heavy operations, and what the public reads that is not cached (limits.ts). */
export const heavy = new Limiter(heavyWork);

/** The owner of what the public reads of an account, which waits for none of the account's own work. */
export const publicOf = (accountId: number): string => `public ${accountId}`;
