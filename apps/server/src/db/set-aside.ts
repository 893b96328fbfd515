/**
 * After so many starts in a row that ended while a process worked on it, a unit of background work is not tried any more
 * (docs/decisions/0039).
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
