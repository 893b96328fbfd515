import type { CheckResult, Counts, ExitCode, Level, Verdict } from "../types.js";

const levels = ["required", "recommended", "observed"] as const;

export const exitCodes = {
  conforms: 0,
  fails: 1,
  incomplete: 1,
  "wrong-usage": 2,
  down: 2,
  "nothing-judged": 3,
  unreachable: 3,
  leftovers: 4,
  broken: 5,
  interrupted: 130,
} as const satisfies Record<Verdict, ExitCode>;

export function count(results: readonly CheckResult[]): Record<Level, Counts> {
  const of = (level: Level): Counts => {
    const mine = results.filter((result) => result.level === level);
    const having = (status: CheckResult["status"]): number =>
      mine.filter((result) => result.status === status && result.known === undefined).length;
    return {
      passed: having("passed"),
      failed: having("failed"),
      known: mine.filter(({ known }) => known !== undefined).length,
      skipped: having("skipped"),
      broken: having("broken"),
      observed: having("observed"),
    };
  };
  return { required: of("required"), recommended: of("recommended"), observed: of("observed") };
}

export interface Circumstances {
  readonly interrupted: boolean;
  readonly leftovers: readonly string[];
  readonly strict: boolean;
  /** A known failure passed. */
  readonly unexpected: boolean;
  /** The server kept checks from judging. */
  readonly blocked: boolean;
  /** Every chosen check had to run, and some did not. */
  readonly incomplete: boolean;
}

/** The verdict over the counts; the first that applies. */
export function judge(counts: Readonly<Record<Level, Counts>>, more: Circumstances): Verdict {
  const { required, recommended } = counts;
  if (more.interrupted) return "interrupted";
  if (levels.some((level) => counts[level].broken > 0)) return "broken";
  if (required.failed > 0 || more.unexpected || (more.strict && recommended.failed > 0)) return "fails";
  if (more.blocked) return "unreachable";
  const judged = [required, recommended].flatMap(({ passed, known }) => [passed, known]);
  if (judged.every((some) => some === 0) && recommended.failed === 0) return "nothing-judged";
  if (more.incomplete) return "incomplete";
  return more.leftovers.length > 0 ? "leftovers" : "conforms";
}

const words = {
  conforms: "Conforms to the contract",
  fails: "Does not conform to the contract",
  incomplete: "Not every check ran (--require-complete)",
  "wrong-usage": "Wrong usage",
  "nothing-judged": "Nothing was judged",
  down: "Does not answer",
  unreachable: "Could not be judged",
  leftovers: "Conforms to the contract, but not everything the run made could be deleted",
  broken: "The suite itself broke",
  interrupted: "Interrupted",
} as const satisfies Record<Verdict, string>;

/** One line with the verdict, and how many checks passed, failed and were not tested. */
export function summarise(
  verdict: Verdict,
  counts: Readonly<Record<Level, Counts>>,
  { ran, all, why }: { readonly ran: number; readonly all: number; readonly why?: string | undefined },
): string {
  const { required, recommended, observed } = counts;
  const known = required.known + recommended.known;
  const isPartial = ran < all && (verdict === "conforms" || verdict === "leftovers");
  const verdictWords = isPartial ? `Partial run, ${ran} of ${all} checks, no failure` : words[verdict];
  const exceptions = known === 0 ? "" : `, except for ${known} known failures`;
  return [
    `${verdictWords}${exceptions}${why === undefined ? "" : ` (${why})`}. ${tally("required", required)}`,
    tally("recommended", recommended),
    `observed: ${observed.observed}`,
  ].join(" · ");
}

function tally(level: Level, { passed, failed, known, skipped }: Counts): string {
  const accepted = known === 0 ? "" : `, ${known} known to fail`;
  return `${level}: ${passed} passed, ${failed} failed${accepted}, ${skipped} not tested`;
}
