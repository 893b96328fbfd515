import type { Options } from "./options.js";
import { ratio, type Results, type Run } from "./run.js";

/** Two runs of the same thing differ by up to this: less tells nothing. */
const noise = 0.25;

/**
 * Warnings about ratios that fell since the committed results: ratios alone, since requests per second tell of the machine.
 * GitHub shows them beside the change.
 */
export function fallen(run: Run, results: Results, { postgres }: Options): readonly string[] {
  const before = postgres ? results.postgres : results.sqlite;
  if (before === undefined) return ["There are no committed results to compare with."];
  if (before.client !== run.client)
    return [`The committed results were made with ${before.client}, these with ${run.client}: not compared.`];
  const lines = Object.keys(run.jobs).flatMap((id) =>
    (["bare", "express", "tutorial"] as const).flatMap((name) => {
      const [was, is] = [ratio(before, id, name), ratio(run, id, name)];
      return is < was * (1 - noise)
        ? [`::warning::${id} has fallen to ${is.toFixed(2)} of ${name}; it was ${was.toFixed(2)}`]
        : [];
    }),
  );
  return lines.length === 0 ? [`No ratio fell by more than ${noise * 100} % since ${before.commit}.`] : lines;
}
