import { setTimeout as delay } from "node:timers/promises";
import { sqliteFailure } from "./failures.js";

// Whether the database can be read and written, known from the last write, or from a test where that is too long ago.

export interface Health {
  /** @throws Error when the database was found damaged */
  readonly requireSound: () => void;
  /** Remembers the failure of a query when it shows damage. */
  readonly note: (error: unknown) => void;
  /** Returns the outcome of a write, and remembers what it shows. */
  readonly writing: <T>(work: Promise<T>) => Promise<T>;
  /** @throws Error when a read fails, or when the last write failed: another process has the lock, or the disk is full */
  readonly check: () => Promise<void>;
  /** Resolves when the database is found damaged. */
  readonly damaged: Promise<Error>;
}

/** Tests of the database. */
export interface Tests {
  readonly read: () => Promise<unknown>;
  /** Takes the lock of writers, which may take long. */
  readonly lock: () => Promise<unknown>;
  /** Stores something and removes it. */
  readonly store: () => Promise<unknown>;
}

/** How long an outcome holds, in ms; and how long a test of a write is waited for. */
const validMs = 1_000;
const patienceMs = 250;

export function watchHealth(tests: Tests): Health {
  const damage = watchDamage();
  const testRead = once(tests.read, damage.note);
  let running = 0;
  let provenAt = -Infinity; // or tested
  let failure: Error | undefined;

  async function writing<T>(work: Promise<T>): Promise<T> {
    running++;
    try {
      const result = await work;
      provenAt = performance.now();
      failure = undefined;
      return result;
    } catch (error) {
      damage.note(error);
      if (error instanceof Error && sqliteFailure(error) !== undefined) failure = error;
      throw error;
    } finally {
      running--;
    }
  }
  async function testWrite(): Promise<void> {
    // A write that is running will show it.
    if (running > 0 || provenAt > performance.now() - validMs) return;
    provenAt = performance.now();
    // The lock can be had on a full disk too: after a failure only a stored write shows that it is over.
    const testing = writing(failure === undefined ? tests.lock() : tests.store());
    await Promise.race([testing.catch(() => undefined), delay(patienceMs)]);
  }
  return {
    ...damage,
    writing,
    check: async () => {
      damage.requireSound();
      await testRead();
      await testWrite();
      if (failure !== undefined) throw failure;
    },
  };
}

function watchDamage(): Pick<Health, "requireSound" | "note" | "damaged"> {
  let damage: Error | undefined;
  let report: (error: Error) => void = () => undefined;
  const damaged = new Promise<Error>((done) => {
    report = done;
  });
  return {
    damaged,
    note: (error) => {
      if (damage !== undefined || !isDamage(error)) return;
      damage = error;
      report(error);
    },
    requireSound: () => {
      if (damage !== undefined) throw damage;
    },
  };
}

/** Returns a function that runs a test, whose outcome holds for `validMs`. */
function once(run: () => Promise<unknown>, onFailure: (error: unknown) => void): () => Promise<unknown> {
  let last = { at: -Infinity, outcome: Promise.resolve<unknown>(undefined) };
  return () => {
    const now = performance.now();
    if (last.at < now - validMs) {
      last = { at: now, outcome: run() };
      last.outcome.catch(onFailure);
    }
    return last.outcome;
  };
}

function isDamage(error: unknown): error is Error {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "SQLITE_CORRUPT" || error.code === "SQLITE_NOTADB")
  );
}
