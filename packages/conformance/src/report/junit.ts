import type { CheckResult, Report } from "../types.js";

/**
 * The report for CI. A recommendation that is not met is `skipped` there, with what is missing: it does not make the
 * server fail, and a runner must not either.
 */
export function junit(report: Report): string {
  const profiles = [...new Set(report.results.map(({ profile }) => profile))];
  const suites = profiles.map((profile) => {
    const results = report.results.filter((result) => result.profile === profile);
    return `  <testsuite name="${escape(profile)}"${totals(results)}>\n${results.map(testCase).join("")}  </testsuite>\n`;
  });
  const head = `<testsuites name="kalends-conformance"${totals(report.results, report)} time="${seconds(report.durationMs)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${verdictCase(report)}${suites.join("")}</testsuites>\n`;
}

/** Red whenever the exit code is not 0: a run that could judge nothing has no failed check. */
function verdictCase(report: Report): string {
  const { summary, baseUrl, exitCode, durationMs } = report;
  const element =
    exitCode === 0
      ? `<system-out>${escape(summary)}</system-out>`
      : `<failure message="${escape(summary)}">${escape(`exit code ${exitCode}`)}</failure>`;
  const open = `<testcase classname="run" name="verdict on ${escape(baseUrl)}" time="${seconds(durationMs)}">`;
  return `  <testsuite name="run"${totals([], report)}>\n    ${open}${element}</testcase>\n  </testsuite>\n`;
}

/** With the report, its verdict counts as one case more. */
function totals(results: readonly CheckResult[], report?: Report): string {
  const count = (kind: Outcome): number => results.filter((result) => outcome(result) === kind).length;
  const more = report === undefined ? 0 : 1;
  const failures = count("failure") + (report !== undefined && report.exitCode !== 0 ? 1 : 0);
  return ` tests="${results.length + more}" failures="${failures}" errors="${count("error")}" skipped="${count("skipped")}"`;
}

type Outcome = "success" | "failure" | "error" | "skipped";

function outcome({ status, level }: CheckResult): Outcome {
  if (status === "broken") return "error";
  if (status === "skipped") return "skipped";
  if (status !== "failed") return "success";
  return level === "required" ? "failure" : "skipped";
}

function testCase(result: CheckResult): string {
  const { id, profile, level, clause, sentence, title, message = "", reason } = result;
  const properties = Object.entries({ clause, sentence, level, title })
    .map(([name, value]) => `        <property name="${name}" value="${escape(value)}"/>\n`)
    .join("");
  const kind = outcome(result);
  const [first = ""] = (reason ?? message).split("\n");
  const note =
    level === "recommended" && result.status === "failed" ? `recommendation not met: ${first}` : first;
  const element =
    kind === "success"
      ? result.status === "observed"
        ? `      <system-out>${escape(message)}</system-out>\n`
        : ""
      : `      <${kind} message="${escape(note)}">${escape(message)}</${kind}>\n`;
  return `    <testcase classname="${escape(profile)}" name="${escape(id)}" time="${seconds(result.durationMs)}">\n      <properties>\n${properties}      </properties>\n${element}    </testcase>\n`;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** XML 1.0 text: no control characters, no lone surrogates. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
