// What a round has shown: what clients were answered, compared with what the database holds and what a receiver got in the end.

/** What a round left. */
export interface Evidence {
  /** Titles of events whose creation was answered with 200. */
  readonly acknowledged: readonly string[];
  /** Titles in the database, one for each row. */
  readonly stored: readonly string[];
  /** Titles in messages about created events. */
  readonly told: readonly string[];
}

export interface Verdict {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly untold: readonly string[];
}

export function judge({ acknowledged, stored, told }: Evidence): Verdict {
  const [inDatabase, inMessages] = [new Set(stored), new Set(told)];
  const seen = new Set<string>();
  const doubled = stored.filter((title) => seen.has(title) || !seen.add(title));
  return {
    lost: acknowledged.filter((title) => !inDatabase.has(title)),
    doubled,
    untold: acknowledged.filter((title) => !inMessages.has(title)),
  };
}

/** Returns the longest time without a success between two moments, in seconds. @param successes in ms, ascending */
export function longestGap(successes: readonly number[], from: number, to: number): number {
  const moments = [from, ...successes.filter((at) => at > from && at < to), to];
  const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? at));
  return Math.max(0, ...gaps) / 1_000;
}
