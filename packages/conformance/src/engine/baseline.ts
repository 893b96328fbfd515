import type { CheckResult, Report } from "../types.js";
import { isItem } from "./item.js";

/** Id of a check → why its failure is accepted. */
export type KnownFailures = Readonly<Record<string, string>>;

/** Reads a list of known failures, a JSON object of ids and reasons; a message when it has another form. */
export function parseKnownFailures(text: string): KnownFailures | string {
  try {
    const value: unknown = JSON.parse(text);
    if (!isItem(value)) return "expected a JSON object of check ids and reasons";
    const known: Record<string, string> = {};
    for (const [id, reason] of Object.entries(value)) {
      if (typeof reason !== "string" || reason.trim() === "") return `${id}: expected a reason, as text`;
      known[id] = reason;
    }
    return known;
  } catch {
    return "expected a JSON object of check ids and reasons";
  }
}

/** The failures of a run as a list of known failures; reasons of an earlier list are kept, and entries of checks that were not judged. */
export function knownFailuresOf(report: Report, earlier: KnownFailures): string {
  const failed = report.results.filter(
    ({ status, level, unexpected }) =>
      status === "failed" && unexpected !== true && (level === "required" || report.strict),
  );
  const rows = failed.map(
    ({ id, message = "" }) => [id, earlier[id] ?? message.split("\n")[0] ?? ""] as const,
  );
  const judged = new Set(
    report.results.filter(({ status }) => status === "passed" || status === "failed").map(({ id }) => id),
  );
  const kept = Object.entries(earlier).filter(([id]) => !judged.has(id));
  const sorted = [...rows, ...kept].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** Marks a failure that is known, and fails a check that passes although its failure is known. */
export function againstBaseline(result: CheckResult, known: KnownFailures): CheckResult {
  const reason = Object.hasOwn(known, result.id) ? known[result.id] : undefined;
  if (reason === undefined || result.level === "observed") return result;
  if (result.status === "failed") return { ...result, known: reason };
  if (result.status !== "passed") return result;
  const message = `passed, though it is a known failure (${reason}): remove it from the list`;
  return { ...result, status: "failed", unexpected: true, message };
}
