import type { Options } from "./options.js";
import { ratio, type Results, type Run } from "./run.js";

/** Relative difference between two runs of the same build; smaller changes are noise. */
const noise = 0.25;

/**
 * Returns a warning for each ratio that fell since the committed results, in the format that GitHub shows on a pull request.
 * Compares ratios only, since requests per second depend on the machine.
 */
export function regressions(run: Run, results: Results, { postgres }: Options): readonly string[] {
  const before = postgres ? results.postgres : results.sqlite;
  if (before === undefined) return ["There are no committed results to compare with."];
  if (before.client !== run.client)
    return [`The committed results were made with ${before.client}, these with ${run.client}: not compared.`];
  const lines = Object.keys(run.jobs).flatMap((id) =>
    (["bare", "express", "tutorial"] as const).flatMap((name) => {
      const [was, is] = [ratio(before, id, name), ratio(run, id, name)];
      return is < was * (1 - noise)
        ? [`::warning::${id}: the ratio to ${name} fell from ${was.toFixed(2)} to ${is.toFixed(2)}`]
        : [];
    }),
  );
  return lines.length === 0 ? [`No ratio fell by more than ${noise * 100} % since ${before.commit}.`] : lines;
}
