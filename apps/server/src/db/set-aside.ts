import type { Db } from "./database.js";
import { listProperties } from "./properties.js";

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

/** A job or an item of one whose last runs have failed. */
export interface FailingUnit {
  readonly kind: string;
  readonly id: string;
  /** Runs in a row. */
  readonly failures: number;
  /** Unix seconds. */
  readonly failedAt: number;
}

/** After so many failures in a row an item of a job is tried less often, and `doctor` names it. */
export const mostFailures = 3;

/** A property keeps "failures failedAt" of a unit: only few fail, and each without rows of its own. */
const failingPrefix = "failing ";

export function failingProperty({
  kind,
  id,
}: {
  readonly kind: string;
  readonly id: number | string;
}): string {
  return `${failingPrefix}${kind} ${id}`;
}

/** More units than these are not set aside: so many fail by a defect, not by what they are about. */
const mostFailing = 1_000;

/** Returns the units whose last run failed. */
export async function findFailing(db: Db): Promise<readonly FailingUnit[]> {
  const rows = await listProperties(db, failingPrefix, mostFailing);
  return rows.map(({ name, value }) => {
    const [kind = "", ...id] = name.slice(failingPrefix.length).split(" ");
    const [failures = 0, failedAt = 0] = value.split(" ").map(Number);
    return { kind, id: id.join(" "), failures, failedAt };
  });
}

/** What was set aside, by its ids. */
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
    findFailing(db),
  ]);
  const lasting = failing.filter(({ failures }) => failures >= mostFailures);
  return { deliveries, syncs, series, failing: lasting.slice(0, limit) };
}
