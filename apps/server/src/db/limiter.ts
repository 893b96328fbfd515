import { Overloaded } from "./database.js";

/** An account, or a key for public reads of one. */
export type Owner = number | string;

interface LimiterOptions {
  /** Most works that run at once, of one owner and of all. */
  readonly ofOne: number;
  readonly ofAll: number;
  /** Most works of one owner that may wait, and for how long, in milliseconds. */
  readonly mostWaiting: number;
  readonly waitMs: number;
}

/** How the lists of one account wait for a connection. */
export const listWork = { mostWaiting: 256, waitMs: 10_000 } as const;

interface Works {
  running: number;
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many works run at once. The next waiting one is of the owner with the least running, and among equals of the one
 * whose last work began longest ago.
 */
export class Limiter {
  private readonly options: LimiterOptions;
  /** In the order in which owners came, or last began a work. */
  private readonly owners = new Map<Owner, Works>();
  private running = 0;

  constructor(options: LimiterOptions) {
    this.options = options;
  }

  /**
   * Runs `work` when the limits allow it.
   * @throws Overloaded when it has waited for too long, or too many works of its owner wait
   */
  async run<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const own = this.owners.get(owner) ?? { running: 0, waiting: new Set() };
    this.owners.set(owner, own);
    if (this.hasRoom(own)) this.begin(owner, own);
    else await this.wait(owner, own);
    try {
      return await work();
    } finally {
      own.running--;
      this.running--;
      this.tidy(owner, own);
      this.beginNext();
    }
  }

  private hasRoom({ running }: Works): boolean {
    return this.running < this.options.ofAll && running < this.options.ofOne;
  }

  private begin(owner: Owner, own: Works): void {
    own.running++;
    this.running++;
    this.owners.delete(owner); // it is the last one now
    this.owners.set(owner, own);
  }

  private beginNext(): void {
    let next: Works | undefined;
    for (const own of this.owners.values())
      if (own.waiting.size > 0 && this.hasRoom(own) && !(next && next.running <= own.running)) next = own;
    const [begin] = next?.waiting ?? [];
    begin?.();
  }

  private tidy(owner: Owner, { running, waiting }: Works): void {
    if (running + waiting.size === 0) this.owners.delete(owner);
  }

  private wait(owner: Owner, own: Works): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        own.waiting.delete(next);
      };
      const refuse = (): void => {
        leave();
        this.tidy(owner, own);
        const isOwnFault = typeof owner === "number" && own.running >= this.options.ofOne;
        reject(new Overloaded("it waits for too much other work", { isOwnFault }));
      };
      const next = (): void => {
        leave();
        this.begin(owner, own);
        resolve();
      };
      const timer = setTimeout(refuse, this.options.waitMs);
      if (own.waiting.size >= this.options.mostWaiting) refuse();
      else own.waiting.add(next);
    });
  }
}

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
