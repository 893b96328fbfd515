import type { CheckResult, Report, Status } from "../types.js";

const signs = {
  passed: "✓",
  failed: "✗",
  skipped: "-",
  broken: "!",
  observed: "·",
} as const satisfies Record<Status, string>;

/** One line for a check; more when it failed, with the sentence it rests on and the requests to try by hand. */
export function consoleLine(result: CheckResult): string {
  const { id, level, clause, sentence, title, status, message = "", reason } = result;
  const grade = level === "recommended" ? " (recommended)" : "";
  const line = `${signs[status]} ${id}${grade}: ${title}`;
  if (status === "skipped") return `${line} [not tested: ${reason ?? "unknown"}]`;
  if (status === "observed") return `${line}: ${message}`;
  if (status === "passed") return line;
  return [line, `${clause}: ${sentence}`, ...message.split("\n")].join("\n    ");
}

/** What a person must see at the end: what failed, the verdict, and the line that runners read. */
export function consoleEnd(report: Report): string {
  const lines = [""];
  const failed = report.results.filter(({ status }) => status === "failed" || status === "broken");
  if (failed.length > 0)
    lines.push(
      "Failed:",
      ...failed.map((result) => `  ${result.id} (${result.level}, ${result.clause})`),
      "",
    );
  if (report.leftovers.length > 0)
    lines.push(`Calendars that could not be deleted: ${report.leftovers.join(", ")}`, "");
  for (const [reason, count] of reasons(report)) lines.push(`Not tested, ${count}: ${reason}`);
  lines.push(
    report.summary,
    `Seed ${report.seed}, run ${report.runId}, ${(report.durationMs / 1_000).toFixed(1)} s`,
  );
  return [...lines, closingLine(report)].join("\n");
}

/** "178 passed, 0 failed, 12 skipped": every check that judges; observations are not counted. */
export function closingLine({ counts: { required, recommended, observed } }: Report): string {
  const failed =
    required.failed + recommended.failed + required.broken + recommended.broken + observed.broken;
  return `${required.passed + recommended.passed} passed, ${failed} failed, ${required.skipped + recommended.skipped + observed.skipped} skipped`;
}

function reasons(report: Report): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { status, reason = "unknown" } of report.results)
    if (status === "skipped") counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return counted;
}
