import { type Goals, jobs } from "./jobs.js";
import { ratio, type Run } from "./run.js";

/** A target value for one figure of a run. */
export interface Goal {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
  readonly is: "at least" | "at most";
}

/** Returns the goals whose figures this run has. On PostgreSQL only the ratios to the tutorial server count. */
export function goalsOf(run: Run): readonly Goal[] {
  const goals =
    run.database === "SQLite" ? [...ratioGoals(run), ...otherGoals(run)] : ratioGoals(run, ["tutorial"]);
  return goals.filter(({ value }) => Number.isFinite(value));
}

/** Reports whether the value is within the limit. */
export function isMet({ value, limit, is }: Goal): boolean {
  return is === "at least" ? value >= limit : value <= limit;
}

const names = {
  bare: "ratio to node:http",
  express: "ratio to Express",
  tutorial: "ratio to the tutorial server",
};

function ratioGoals(
  run: Run,
  baselines: readonly (keyof Goals)[] = ["bare", "express", "tutorial"],
): readonly Goal[] {
  return jobs.flatMap(({ id, goals }) =>
    baselines.flatMap((baseline): readonly Goal[] => {
      const limit = goals[baseline];
      if (limit === undefined) return [];
      return [{ text: `${id}: ${names[baseline]}`, value: ratio(run, id, baseline), limit, is: "at least" }];
    }),
  );
}

function otherGoals(run: Run): readonly Goal[] {
  const speed = (id: string): number => run.jobs[id]?.ours?.requestsPerSecond ?? NaN;
  const stalls = Object.values(run.jobs).map(({ ours }) => ours?.stallMs ?? 0);
  const atMost = (text: string, value: number, limit: number): Goal => ({
    text,
    value,
    limit,
    is: "at most",
  });
  return [
    atMost("J11-last: time relative to J1-uncached", speed("J1-uncached") / speed("J11-last"), 2),
    atMost("J11-upcoming: time relative to J1-uncached", speed("J1-uncached") / speed("J11-upcoming"), 2),
    atMost("J12: time relative to J1-uncached", speed("J1-uncached") / speed("J12"), 1.25),
    atMost("J10: start to first response, ms", run.startup?.ours?.firstResponseMs ?? NaN, 500),
    atMost("J9: peak memory in any job, MB", (run.peakBytes ?? NaN) / 1e6, 150),
    atMost("longest event loop stall, ms", Math.max(...stalls), 50),
    atMost("J3: p99, ms", run.jobs["J3"]?.ours?.p99Ms ?? NaN, 15),
  ];
}
