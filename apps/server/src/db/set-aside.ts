import type { Db } from "./database.js";
import { findProperty, setProperty } from "./properties.js";
import type { PropertyRow } from "./rows.js";

/**
 * After so many starts in a row that ended while a process worked on it, a unit of background work is not tried any more
 * (docs/decisions/0016).
 */
export const mostUnfinishedStarts = 3;

/** Why a unit was set aside, for its owner. */
export const setAsideReason = `The server ended ${mostUnfinishedStarts} times in a row while it worked on this.`;

/** What this process has claimed and could not give back, although it did not end: its end is not to blame when the claim ends by itself. */
export interface LostClaims {
  readonly add: (claim: string) => void;
  readonly all: () => readonly string[];
}

/** Claims end after minutes, so that more are not needed. */
const mostLost = 1_000;

export function createLostClaims(): LostClaims {
  const claims = new Set<string>();
  return {
    add: (claim) => {
      claims.add(claim);
      const [oldest] = claims;
      if (claims.size > mostLost && oldest !== undefined) claims.delete(oldest);
    },
    all: () => [...claims],
  };
}

/** The kinds of jobs and of their items, which are set aside by their failures. */
export const failingKinds = ["job", "calendar", "webhook", "account", "event"] as const;

/** A job or an item of one. */
export interface FailingUnit {
  readonly kind: string;
  readonly id: number | string;
}

/** After so many failures in a row an item of a job is tried less often, and `doctor` names it. */
export const mostFailures = 3;

/** A property keeps "failedAt failures" of a unit: only few fail, and each without rows of its own. */
const failingName = ({ kind, id }: FailingUnit): string => `failing ${kind} ${id}`;

const failingOf = (db: Db, kind = "") =>
  db<PropertyRow>("properties").whereLike("name", `${failingName({ kind, id: "" }).trim()} %`);

/** Returns how many runs of a unit have failed in a row, and when the last one has, in Unix seconds; zeros for none. */
export async function findFailures(
  db: Db,
  unit: FailingUnit,
): Promise<{ readonly failedAt: number; readonly failures: number }> {
  const value = await findProperty(db, failingName(unit));
  const [failedAt = 0, failures = 0] = value?.split(" ").map(Number) ?? [];
  return { failedAt, failures };
}

/** Sets how many runs of a unit have failed in a row, and forgets the units that have not failed since. */
export async function setFailures(
  trx: Db,
  unit: FailingUnit,
  { failures, now, since }: { readonly failures: number; readonly now: number; readonly since: number },
): Promise<void> {
  await failingOf(trx).where("value", "<", String(since)).delete();
  if (failures > 0) await setProperty(trx, failingName(unit), `${now} ${failures}`);
  else
    await trx("properties")
      .where({ name: failingName(unit) })
      .delete();
}

/** Returns the units of a kind that are set aside, up to `limit`. */
async function findFailing(db: Db, kind: string, limit: number): Promise<readonly FailingUnit[]> {
  const lasting = failingOf(db, kind).orderBy("name").limit(limit);
  for (let failures = 1; failures < mostFailures; failures++)
    void lasting.whereNot("value", "like", `% ${failures}`);
  const names: readonly string[] = await lasting.pluck("name");
  return names.map((name) => ({ kind, id: name.slice(failingName({ kind, id: "" }).length) }));
}

export interface SetAside {
  readonly deliveries: readonly number[];
  readonly syncs: readonly number[];
  readonly series: readonly number[];
  /** Jobs, and items of jobs such as calendars that are purged. */
  readonly failing: readonly FailingUnit[];
}

/** Returns what was set aside, up to `limit` of each kind. */
export async function findSetAside(db: Db, limit: number): Promise<SetAside> {
  const ids = (table: string): Promise<number[]> =>
    db(table)
      .whereRaw("unfinished_starts > 0") // a literal, for the partial indexes
      .where("unfinished_starts", ">=", mostUnfinishedStarts)
      .orderBy("id")
      .limit(limit)
      .pluck("id");
  const [deliveries, syncs, series, failing] = await Promise.all([
    ids("webhook_deliveries"),
    ids("calendar_syncs"),
    ids("series"),
    Promise.all(failingKinds.map((kind) => findFailing(db, kind, limit))),
  ]);
  return { deliveries, syncs, series, failing: failing.flat() };
}
