import { setTimeout as delay } from "node:timers/promises";
import { storageFailure } from "./failures.js";

// Whether writes succeed: known from the last one, or from a test where that is too long ago.

export interface WriteHealth {
  /** Returns the outcome of a write, and remembers what it shows. */
  readonly writing: <T>(work: Promise<T>) => Promise<T>;
  /** @throws Error of the last write or test, when that failed */
  readonly check: () => Promise<void>;
}

export interface WriteTests {
  /** Shows that a write can begin, such as that its locks can be had, which may take long. */
  readonly begin: () => Promise<unknown>;
  /** Stores something and removes it. */
  readonly store: () => Promise<unknown>;
  /** Whether a write that failed shows that others will fail too. */
  readonly concernsAll: (error: Error) => boolean;
  /** Whether writes run one after the other: then the outcome of one that runs is awaited instead of a test. */
  readonly oneAtATime: boolean;
}

/** How long an outcome holds, in ms; and how long a test is waited for. */
export const validMs = 1_000;
const patienceMs = 250;

export function watchWrites({ begin, store, concernsAll, oneAtATime }: WriteTests): WriteHealth {
  let running = 0;
  let isTesting = false;
  let [succeededAt, testedAt] = [-Infinity, -Infinity];
  let failure: Error | undefined;

  async function outcomeOf<T>(work: Promise<T>, isFailure: (error: Error) => boolean): Promise<T> {
    running++;
    try {
      const result = await work;
      succeededAt = performance.now();
      failure = undefined;
      return result;
    } catch (error) {
      if (error instanceof Error && isFailure(error)) failure = error;
      throw error;
    } finally {
      running--;
    }
  }

  function isTestDue(): boolean {
    if (isTesting || (oneAtATime && running > 0)) return false;
    const since = performance.now() - validMs;
    return testedAt < since && (failure !== undefined || succeededAt < since);
  }

  async function test(): Promise<void> {
    testedAt = performance.now();
    isTesting = true;
    // A write can begin on a full disk too: after a failure only one that is stored shows that it is over.
    const work = failure === undefined ? begin() : store();
    await outcomeOf(work, (error) => storageFailure(error) !== undefined)
      .catch(() => undefined)
      .finally(() => (isTesting = false));
  }

  return {
    writing: (work) => outcomeOf(work, concernsAll),
    check: async () => {
      if (isTestDue()) await Promise.race([test(), delay(patienceMs)]);
      if (failure !== undefined) throw failure;
    },
  };
}
