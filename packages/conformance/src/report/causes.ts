import { contractNames, operations } from "../engine/operations.js";
import type { CheckResult, Report } from "../types.js";

/** Failures with one cause, such as an operation that does not exist. */
export interface Cause {
  readonly cause: string;
  readonly ids: readonly string[];
  /** What to build, when the cause is an operation that does not succeed. */
  readonly advice?: string;
}

/** The causes that several failures share, the most frequent first. */
export function causesOf({ results }: Pick<Report, "results">): readonly Cause[] {
  const ids = new Map<string, string[]>();
  for (const { cause, id } of results.filter(isBad))
    if (cause !== undefined) ids.set(cause, [...(ids.get(cause) ?? []), id]);
  return [...ids]
    .filter(([, failed]) => failed.length > 1)
    .map(([cause, failed]) => ({ cause, ids: failed, ...adviceOn(cause) }))
    .toSorted((one, other) => other.ids.length - one.ids.length);
}

/** Failures to list one by one: those without a cause that others share. */
export function singleFailures(report: Pick<Report, "results">): readonly CheckResult[] {
  const shared = new Set(causesOf(report).map(({ cause }) => cause));
  return report.results.filter((result) => isBad(result) && !shared.has(result.cause ?? ""));
}

/** Whether the result is a failure that is not known. */
export function isBad({ status, known }: CheckResult): boolean {
  return (status === "failed" && known === undefined) || status === "broken";
}

function adviceOn(cause: string): { readonly advice?: string } {
  const operation = contractNames.find((name) => cause.startsWith(`${name}:`));
  if (operation === undefined) return {};
  return {
    advice: `make ${operations[operation].path} succeed (docs/contract.md#${operations[operation].section})`,
  };
}
