import type { Database } from "../db/open-database.js";
import { storageFailure } from "../db/failures.js";
import { findFailures, mostFailures, setFailures } from "../db/set-aside.js";
import type { Failing } from "./units.js";

/** How long after its last failure an item that was set aside is tried again, in seconds. */
const pauseSeconds = 3_600;

/** What has not failed for so long is not tried any more, such as a calendar that is gone: in seconds. */
const forgetSeconds = 2 * 86_400;

/**
 * Returns the units that have failed lately, which the database knows, so that a restart changes nothing. Written is only what fails,
 * and what no longer does.
 * @param clock the time in Unix seconds
 */
export function createFailing(db: Pick<Database, "read" | "transaction">, clock: () => number): Failing {
  const note: Failing["note"] = async (unit, error) => {
    const { failures } = await findFailures(db.read, unit);
    if (error === undefined && failures === 0) return;
    const now = clock();
    const change = { failures: error === undefined ? 0 : failures + 1, now, since: now - forgetSeconds };
    await db.transaction((trx) => setFailures(trx, unit, change));
  };
  return {
    isSetAside: async (unit) => {
      const found = await findFailures(db.read, unit).catch(() => undefined);
      return found !== undefined && found.failures >= mostFailures && clock() < found.failedAt + pauseSeconds;
    },
    // A database that is away is no fault of the unit, and nothing could be noted.
    note: (unit, error) =>
      storageFailure(error) === undefined ? note(unit, error).catch(() => undefined) : Promise.resolve(),
  };
}
