import type { RunOptions } from "../types.js";
import type { Check } from "./check.js";
import { seededRandom } from "./session.js";

/** The checks that the options ask for, in the order to run them. */
export function select(checks: readonly Check[], options: RunOptions, seed: number): readonly Check[] {
  const { profiles, only, skip } = options;
  const chosen = checks.filter(
    (check) =>
      (profiles === undefined || profiles.length === 0 || profiles.includes(check.profile)) &&
      (only === undefined || only.length === 0 || only.some((glob) => matches(check.id, glob))) &&
      !(skip ?? []).some((glob) => matches(check.id, glob)),
  );
  const ordered = options.order === "random" ? shuffled(chosen, seed) : chosen;
  return [
    ...ordered.filter((check) => check.needs.last !== true),
    ...ordered.filter((check) => check.needs.last === true),
  ];
}

/** Why the check cannot run with these options; undefined when it can. */
export function missing(check: Check, options: RunOptions): string | undefined {
  const { writes = true, other, subscribers } = check.needs;
  if (writes && options.readOnly === true) return "needs to write (--read-only)";
  if (other === true && options.otherToken === undefined) return "needs a second account (--other-token)";
  if (subscribers === true && options.subscribersCalendar === undefined)
    return "needs a calendar with subscribers (--subscribers-calendar)";
  return undefined;
}

function matches(id: string, glob: string): boolean {
  const pattern = glob.split("*").map((part) => part.replace(/[.\\+?^${}()|[\]]/g, "\\$&"));
  return new RegExp(`^${pattern.join(".*")}$`).test(id);
}

function shuffled(checks: readonly Check[], seed: number): readonly Check[] {
  const random = seededRandom(seed);
  return checks
    .map((check) => ({ check, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ check }) => check);
}
