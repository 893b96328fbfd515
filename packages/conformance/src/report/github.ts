import type { CheckResult, Report } from "../types.js";
import { causesOf, isBad, singleFailures } from "./causes.js";

const mostRows = 50;

/** The report as Markdown, for `$GITHUB_STEP_SUMMARY`. */
export function markdown(report: Report): string {
  const levels = (["required", "recommended", "observed"] as const).map((level) => {
    const { passed, failed, known, skipped, observed } = report.counts[level];
    return `| ${[level, passed, failed, known, skipped, observed].join(" | ")} |`;
  });
  const causes = causesOf(report).map(({ cause, ids }) => `- ${ids.length} failures: ${cell(cause)}`);
  const failed = singleFailures(report);
  const rows = failed.slice(0, mostRows).map(({ id, level, clause, message }) => {
    return `| \`${id}\` | ${level} | ${clause} | ${cell(firstLine(message))} |`;
  });
  const more = failed.length > mostRows ? [`\n${failed.length - mostRows} more failed.`] : [];
  const table = ["| Check | Level | Clause | Finding |", "| --- | --- | --- | --- |", ...rows, ...more];
  return [
    `## Conformance of ${cell(report.baseUrl)}`,
    `**${cell(report.summary)}**`,
    "| Level | Passed | Failed | Known | Not tested | Observed |",
    "| --- | --- | --- | --- | --- | --- |",
    ...levels,
    ...(causes.length === 0 ? [] : ["", ...causes]),
    ...(rows.length === 0 ? [] : ["", ...table]),
    "",
  ]
    .join("\n")
    .replace("**\n|", "**\n\n|")
    .replace("\n**", "\n\n**");
}

/** Workflow commands that mark failures in GitHub's list of annotations. */
export function annotations(report: Report): readonly string[] {
  const causes = causesOf(report).map(({ cause, ids }) => command("error", `${ids.length} checks`, cause));
  const single = singleFailures(report).map((result) =>
    command(weightOf(result, report), result.id, `${result.clause}: ${firstLine(result.message)}`),
  );
  return [...causes, ...single];
}

function weightOf(result: CheckResult, { strict }: Report): "error" | "warning" {
  const counts = result.level === "required" || strict || result.unexpected === true;
  return isBad(result) && counts ? "error" : "warning";
}

function command(name: string, title: string, message: string): string {
  const data = (text: string): string =>
    text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
  const property = data(title).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${name} title=${property}::${data(message)}`;
}

function firstLine(message = ""): string {
  return message.split("\n")[0] ?? "";
}

/** Text of the server cannot break the table, nor become markup. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replace(/[\\`*_[\]|~]/g, "\\$&");
}
