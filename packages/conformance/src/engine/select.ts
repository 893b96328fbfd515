import picomatch from "picomatch";
import type { RunOptions } from "../types.js";
import type { Check } from "./check.js";

export const extensionsProfile = "extensions";

/** Whether the options name the extensions: a run that does not is about the contract alone. */
export function asksForExtensions({ profiles = [], only = [] }: RunOptions): boolean {
  return (
    profiles.includes(extensionsProfile) ||
    only.some((pattern) => pattern.startsWith(`${extensionsProfile}.`))
  );
}

/** The checks that the options choose. */
export function select(
  checks: readonly Check[],
  { profiles = [], only = [], skip = [], required = false }: RunOptions,
): readonly Check[] {
  const isWanted = only.length === 0 ? () => true : picomatch([...only]);
  const isUnwanted = skip.length === 0 ? () => false : picomatch([...skip]);
  return checks.filter(
    ({ id, profile, level }) =>
      (!required || level === "required") &&
      (profiles.length === 0 || profiles.includes(profile)) &&
      isWanted(id) &&
      !isUnwanted(id),
  );
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
