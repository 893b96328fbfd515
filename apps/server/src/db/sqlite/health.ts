import { codeOf } from "../error-code.js";
import { validMs, watchWrites, type WriteHealth } from "../write-health.js";
import { sqliteFailure } from "./failures.js";

// Whether the database can be read and written, and is sound.

export interface Health extends WriteHealth {
  /** @throws Error when the database was found damaged */
  readonly requireSound: () => void;
  /** Remembers the failure of a query when it shows damage. */
  readonly note: (error: unknown) => void;
  /** Resolves when the database is found damaged. */
  readonly damaged: Promise<Error>;
}

export interface Tests {
  readonly read: () => Promise<unknown>;
  /** Takes the lock of writers, which may take long. */
  readonly lock: () => Promise<unknown>;
  /** Stores something and removes it. */
  readonly store: () => Promise<unknown>;
}

export function watchHealth({ read, lock, store }: Tests): Health {
  const damage = watchDamage();
  const testRead = once(read, damage.note);
  const noted = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      damage.note(error);
      throw error;
    });
  const writes = watchWrites({
    begin: () => noted(lock()),
    store: () => noted(store()),
    concernsAll: (error) => sqliteFailure(error) !== undefined,
    oneAtATime: true,
  });
  return {
    ...damage,
    writing: (work) => writes.writing(noted(work)),
    check: async () => {
      damage.requireSound();
      await testRead();
      await writes.check();
    },
  };
}

function watchDamage(): Pick<Health, "requireSound" | "note" | "damaged"> {
  let damage: Error | undefined;
  let report: (error: Error) => void = () => undefined;
  const damaged = new Promise<Error>((done) => (report = done));
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
  return /^SQLITE_(?:CORRUPT|NOTADB)$/.test(codeOf(error));
}
