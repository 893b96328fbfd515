import type { CheckResult, Report, Status } from "../types.js";
import { causesOf, firstAdvice, isBad, singleFailures } from "./causes.js";

const signs = {
  passed: "✓",
  failed: "✗",
  skipped: "-",
  broken: "!",
  observed: "·",
} as const satisfies Record<Status, string>;

/**
 * Prints checks: one line for each; more for a failure, with the sentence it rests on and the requests to try by hand. A cause
 * that was printed before is only named.
 */
export function consolePrinter(): (result: CheckResult) => string {
  const printed = new Set<string>();
  return (result) => {
    const { id, level, clause, sentence, title, status, message = "", reason, cause, known } = result;
    const grade = level === "recommended" ? " (recommended)" : "";
    const line = `${signs[status]} ${id}${grade}: ${title}`;
    if (known !== undefined) return `${line} [known failure: ${known}]`;
    if (status === "skipped") return `${line} [not tested: ${reason ?? "unknown"}]`;
    if (status === "observed") return `${line}: ${message}`;
    if (status === "passed") return line;
    if (cause !== undefined && printed.has(cause)) return `${line} [${cause}, as above]`;
    if (cause !== undefined) printed.add(cause);
    return [line, `${clause}: ${sentence}`, ...message.split("\n")].join("\n    ");
  };
}

/** Returns the end of the output: failures by cause, the verdict, and the line that runners read. */
export function consoleEnd(report: Report): string {
  const lines = [""];
  const causes = causesOf(report);
  for (const { cause, ids, required } of causes)
    lines.push(`${ids.length} failures (${required} required) have one cause: ${cause}`);
  const advice = firstAdvice(report);
  if (advice !== undefined) lines.push(`Fix this first: ${advice}${advice.endsWith(".") ? "" : "."}`, "");
  const failed = singleFailures(report).map(({ id, level, clause }) => `  ${id} (${level}, ${clause})`);
  if (failed.length > 0) lines.push(causes.length === 0 ? "Failed:" : "Failed otherwise:", ...failed, "");
  if (report.leftovers.length > 0)
    lines.push(`Calendars that could not be deleted: ${report.leftovers.join(", ")}`, "");
  for (const [reason, count] of reasons(report)) lines.push(`Not tested, ${count}: ${reason}`);
  const seconds = (report.durationMs / 1_000).toFixed(1);
  lines.push(report.summary, `Seed ${report.seed}, run ${report.runId}, ${seconds} s`);
  return [...lines, closingLine(report)].join("\n");
}

/** "178 passed, 0 failed, 12 skipped": every check that judges; observations are not counted. */
function closingLine({ counts: { required, recommended }, results }: Report): string {
  const failed = results.filter(isBad).length;
  const skipped = results.filter(({ status }) => status === "skipped").length;
  return `${required.passed + recommended.passed} passed, ${failed} failed, ${skipped} skipped`;
}

function reasons(report: Report): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { status, reason = "unknown" } of report.results)
    if (status === "skipped") counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return counted;
}
