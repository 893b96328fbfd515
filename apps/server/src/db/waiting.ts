/** How often a process looks whether it waits for the database, in ms. One that cannot be reached has failed by the first time. */
const silentMs = 3_000;

/** What a process says that waits: for a migration that may take minutes, or for a writer that may have stalled. */
export const waitsForDatabase = "waiting for the database: another process is migrating it or writes to it";

/**
 * Runs `work`, and calls `say` while it waits for the database for long: once, and again when it waits for another session.
 * @param work calls `begun` when the wait is over, as far as it knows
 * @param blocker describes the session that it waits for, where the database can tell
 */
export async function sayingIfItWaits<T>(
  say: (what: string) => void,
  work: (begun: () => void) => Promise<T>,
  blocker?: () => Promise<string | undefined>,
): Promise<T> {
  let state: "waiting" | "begun" | "over" = "waiting";
  let said: string | undefined;
  const look = async (): Promise<void> => {
    const by = await blocker?.().catch(() => undefined);
    const what = by === undefined ? waitsForDatabase : `${waitsForDatabase}, ${by}`;
    if (state === "over" || what === said || (by === undefined && (state === "begun" || said !== undefined)))
      return;
    said = what;
    say(what);
  };
  const timer = setInterval(() => void look(), silentMs);
  try {
    return await work(() => {
      state = "begun"; // what it changes may still be locked by others
    });
  } finally {
    state = "over";
    clearInterval(timer);
  }
}
