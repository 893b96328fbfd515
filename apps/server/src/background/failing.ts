import type { Database } from "../db/open-database.js";
import { storageFailure } from "../db/failures.js";
import { deleteProperties, setProperty } from "../db/properties.js";
import { type FailingUnit, failingProperty, findFailing, mostFailures } from "../db/set-aside.js";
import type { Failing, Unit } from "./units.js";

/** How long after its last failure an item that was set aside is tried again, in seconds. */
const pauseSeconds = 3_600;

/** What has not failed for so long is not tried any more, such as a calendar that is gone: in seconds. */
const forgetSeconds = 2 * 86_400;

/** How long what other servers have noted may stay unknown, in seconds. */
const readSeconds = 30;

/**
 * Returns the units that have failed lately, which the database knows, so that a restart changes nothing. Written is only what fails,
 * and what no longer does.
 * @param clock the time in Unix seconds
 */
export function createFailing(db: Pick<Database, "read" | "transaction">, clock: () => number): Failing {
  let [known, readAt] = [new Map<string, FailingUnit>(), -Infinity];

  const refresh = async (): Promise<void> => {
    if (clock() < readAt + readSeconds) return;
    readAt = clock();
    const found = await findFailing(db.read);
    known = new Map(found.map((unit) => [failingProperty(unit), unit]));
    const old = [...known].filter(([, { failedAt }]) => failedAt < clock() - forgetSeconds);
    for (const [name] of old) await forget(name);
  };

  const forget = async (name: string): Promise<void> => {
    await db.transaction((trx) => deleteProperties(trx, [name]));
    known.delete(name);
  };

  const note = async ({ kind, id }: Pick<Unit, "kind" | "id">, error: unknown): Promise<void> => {
    await refresh();
    const name = failingProperty({ kind, id });
    const failures = known.get(name)?.failures ?? 0;
    if (error !== undefined) {
      const unit = { kind, id: String(id), failures: failures + 1, failedAt: clock() };
      await db.transaction((trx) => setProperty(trx, name, `${unit.failures} ${unit.failedAt}`));
      known.set(name, unit);
    } else if (failures > 0) await forget(name);
  };

  return {
    isSetAside: async (unit) => {
      await refresh().catch(() => undefined);
      const { failures = 0, failedAt = 0 } = known.get(failingProperty(unit)) ?? {};
      return failures >= mostFailures && clock() < failedAt + pauseSeconds;
    },
    // A database that is away is no fault of the unit, and nothing could be noted.
    note: (unit, error) =>
      storageFailure(error) === undefined ? note(unit, error).catch(() => undefined) : Promise.resolve(),
  };
}
