/** After so long without the database a process says that it waits, in ms. One that cannot be reached has failed by then. */
const silentMs = 3_000;

/** What a process says that waits: for a migration that may take minutes, or for a writer that may have stalled. */
export const waitsForDatabase = "waiting for the database: another process is migrating it or writes to it";

/** Runs `work`, and calls `say` once while it waits for the database for long: until it calls `begun`, or has ended. */
export async function sayingIfItWaits<T>(
  say: () => void,
  work: (begun: () => void) => Promise<T>,
): Promise<T> {
  const timer = setTimeout(say, silentMs);
  const begun = (): void => clearTimeout(timer);
  try {
    return await work(begun);
  } finally {
    begun();
  }
}
