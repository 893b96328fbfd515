import { type Goals, jobs } from "./jobs.js";
import { ratio, type Run } from "./run.js";

/** What a run is measured by. */
export interface Goal {
  readonly text: string;
  readonly value: number;
  readonly limit: number;
  readonly is: "at least" | "at most";
}

/** The goals that this run can tell about. On PostgreSQL they are those beside the tutorial server on PostgreSQL. */
export function goalsOf(run: Run): readonly Goal[] {
  const goals =
    run.database === "SQLite" ? [...ratioGoals(run), ...otherGoals(run)] : ratioGoals(run, ["tutorial"]);
  return goals.filter(({ value }) => Number.isFinite(value));
}

export function isMet({ value, limit, is }: Goal): boolean {
  return is === "at least" ? value >= limit : value <= limit;
}

const names = {
  bare: "share of bare node:http",
  express: "share of Express",
  tutorial: "times the tutorial",
};

function ratioGoals(
  run: Run,
  rulers: readonly (keyof Goals)[] = ["bare", "express", "tutorial"],
): readonly Goal[] {
  return jobs.flatMap(({ id, goals }) =>
    rulers.flatMap((ruler): readonly Goal[] => {
      const limit = goals[ruler];
      if (limit === undefined) return [];
      return [{ text: `${id}: ${names[ruler]}`, value: ratio(run, id, ruler), limit, is: "at least" }];
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
    atMost("J11-last: times the cost of J1-new", speed("J1-new") / speed("J11-last"), 2),
    atMost("J11-upcoming: times the cost of J1-new", speed("J1-new") / speed("J11-upcoming"), 2),
    atMost("J12: times the cost of J1-new", speed("J1-new") / speed("J12"), 1.25),
    atMost("J10: start to first 200, ms", run.startup?.ours?.firstAnswerMs ?? NaN, 500),
    atMost("J9: most memory in any job, MB", (run.peakBytes ?? NaN) / 1e6, 150),
    atMost("longest stall of the event loop, ms", Math.max(...stalls), 50),
    atMost("J3: p99, ms", run.jobs["J3"]?.ours?.p99Ms ?? NaN, 15),
  ];
}
