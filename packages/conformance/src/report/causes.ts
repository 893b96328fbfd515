import { errorsNotJson, noSuchPath, notJson, readCause } from "../engine/cause.js";
import { operations } from "../engine/operations.js";
import type { CheckResult, Report } from "../types.js";

/** Failures with one cause, such as an operation that does not exist. */
export interface Cause {
  readonly cause: string;
  readonly ids: readonly string[];
  /** How many of them are required. */
  readonly required: number;
  /** What to do about it. */
  readonly advice: string;
}

/** The causes that several failures share: first that of most required ones. */
export function causesOf(report: Pick<Report, "results">): readonly Cause[] {
  const named = report.results.filter(({ cause }) => cause !== undefined);
  return groupsOf({ results: named }).filter(({ ids }) => ids.length > 1);
}

/** What to do first: about the cause of most required failures, even if that is one. Undefined when nothing failed. */
export function firstAdvice(report: Pick<Report, "results">): string | undefined {
  return groupsOf(report)[0]?.advice;
}

/** Failures to list one by one: those without a cause that others share. */
export function singleFailures(report: Pick<Report, "results">): readonly CheckResult[] {
  const shared = new Set(causesOf(report).flatMap(({ ids }) => ids));
  return report.results.filter((result) => isBad(result) && !shared.has(result.id));
}

/** Whether the result is a failure that is not known. */
export function isBad({ status, known }: CheckResult): boolean {
  return (status === "failed" && known === undefined) || status === "broken";
}

/** All failures by their causes. Those that name none are grouped by the sentence that they rest on. */
function groupsOf({ results }: Pick<Report, "results">): readonly Cause[] {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results.filter(isBad)) {
    const key = result.cause ?? `${result.clause}: ${result.sentence}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups]
    .map(([cause, failed]) => ({
      cause,
      ids: failed.map(({ id }) => id),
      required: failed.filter(({ level }) => level === "required").length,
      advice: adviceOn(cause),
    }))
    .toSorted((one, other) => other.required - one.required || other.ids.length - one.ids.length);
}

function adviceOn(cause: string): string {
  if (cause === errorsNotJson) return "answer errors in JSON too (docs/contract.md#7.1)";
  const named = readCause(cause);
  if (named === undefined) return cause;
  const { path, section } = operations[named.operation];
  const place = `${path}${named.method === "GET" ? "" : ` by ${named.method}`}`;
  const clause = `(docs/contract.md#${section})`;
  if (named.problem === noSuchPath) return `add ${place} ${clause}`;
  if (named.problem === notJson) return `make ${place} answer JSON ${clause}`;
  if (named.problem.startsWith("HTTP ")) return `make ${place} succeed ${clause}`;
  return `make ${place} answer with ${named.problem.replace(/^no /, "")} ${clause}`;
}
