import type { Db } from "./database.js";

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

/** What was set aside, by its ids. */
export interface SetAside {
  readonly deliveries: readonly number[];
  readonly syncs: readonly number[];
  readonly series: readonly number[];
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
  const [deliveries, syncs, series] = await Promise.all([
    ids("webhook_deliveries"),
    ids("calendar_syncs"),
    ids("series"),
  ]);
  return { deliveries, syncs, series };
}
