import type { CheckResult, Counts, ExitCode, Level, Verdict } from "../types.js";

const levels = ["required", "recommended", "observed"] as const;

export const exitCodes = {
  conforms: 0,
  fails: 1,
  "nothing-judged": 3,
  unreachable: 3,
  leftovers: 4,
  broken: 5,
  interrupted: 130,
} as const satisfies Record<Verdict, ExitCode>;

export function count(results: readonly CheckResult[]): Record<Level, Counts> {
  const of = (level: Level): Counts => {
    const having = (status: CheckResult["status"]): number =>
      results.filter((result) => result.level === level && result.status === status).length;
    return {
      passed: having("passed"),
      failed: having("failed"),
      skipped: having("skipped"),
      broken: having("broken"),
      observed: having("observed"),
    };
  };
  return { required: of("required"), recommended: of("recommended"), observed: of("observed") };
}

/** The verdict over the counts; the first that applies. */
export function judge(
  counts: Readonly<Record<Level, Counts>>,
  more: { readonly interrupted: boolean; readonly leftovers: readonly string[]; readonly strict: boolean },
): Verdict {
  const { required, recommended } = counts;
  if (more.interrupted) return "interrupted";
  if (levels.some((level) => counts[level].broken > 0)) return "broken";
  if (required.failed > 0 || (more.strict && recommended.failed > 0)) return "fails";
  if (required.passed + recommended.passed + recommended.failed === 0) return "nothing-judged";
  return more.leftovers.length > 0 ? "leftovers" : "conforms";
}

const words = {
  conforms: "Conforms to the contract",
  fails: "Does not conform to the contract",
  "nothing-judged": "Nothing was judged",
  unreachable: "Could not be judged",
  leftovers: "Conforms to the contract, but not everything the run made could be deleted",
  broken: "The suite itself broke",
  interrupted: "Interrupted",
} as const satisfies Record<Verdict, string>;

/** One line that says the verdict, and how many checks passed, failed and were not tested. */
export function summarise(verdict: Verdict, counts: Readonly<Record<Level, Counts>>, why?: string): string {
  const { required, recommended, observed } = counts;
  const parts = [
    `required: ${required.passed} passed, ${required.failed} failed, ${required.skipped} not tested`,
    `recommended: ${recommended.passed} passed, ${recommended.failed} failed, ${recommended.skipped} not tested`,
    `observed: ${observed.observed}`,
  ];
  return `${words[verdict]}${why === undefined ? "" : ` (${why})`}. ${parts.join(" · ")}`;
}
