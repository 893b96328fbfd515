import picomatch from "picomatch";
import type { RunOptions } from "../types.js";
import type { Check } from "./check.js";
import { seededRandom } from "./session.js";

export const extensionsProfile = "extensions";

/** Whether the options name the extensions: a run that does not is about the contract alone. */
export function asksForExtensions({ profiles = [], only = [] }: RunOptions): boolean {
  return (
    profiles.includes(extensionsProfile) ||
    only.some((pattern) => pattern.startsWith(`${extensionsProfile}.`))
  );
}

/** The checks that the options choose, in the order to run them. */
export function select(checks: readonly Check[], options: RunOptions, seed: number): readonly Check[] {
  const { profiles = [], only = [], skip = [] } = options;
  const isWanted = only.length === 0 ? () => true : picomatch([...only]);
  const isUnwanted = skip.length === 0 ? () => false : picomatch([...skip]);
  const chosen = checks.filter(
    ({ id, profile }) =>
      (profiles.length === 0 || profiles.includes(profile)) && isWanted(id) && !isUnwanted(id),
  );
  const ordered = options.order === "random" ? shuffled(chosen, seed) : chosen;
  const isLast = ({ needs }: Check): boolean => needs.last === true;
  return [...ordered.filter((check) => !isLast(check)), ...ordered.filter(isLast)];
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

function shuffled(checks: readonly Check[], seed: number): readonly Check[] {
  const random = seededRandom(seed);
  const keyed = checks.map((check) => ({ check, key: random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ check }) => check);
}
