/**
 * Interval of the checks whether a process waits for the database, in ms. An unreachable database has failed by the first one.
 */
const silentMs = 3_000;

/** Message of a process that waits: for a migration that may take minutes, or for a stalled writer. */
export const waitsForDatabase = "waiting for the database: another process is migrating it or writes to it";

/**
 * Runs `work`, and calls `say` when it waits long for the database, and again when another session blocks it.
 * @param work calls `begun` when its wait is over
 * @param blocker describes the blocking session, where the database can tell
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
