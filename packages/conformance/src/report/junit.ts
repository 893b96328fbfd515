import XMLBuilder from "fast-xml-builder";
import type { CheckResult, Report } from "../types.js";

const builder = new XMLBuilder({ attributeNamePrefix: "@", ignoreAttributes: false, format: true });

/**
 * The report for CI. A recommendation that is not met is `skipped` unless it fails the run, and so is a known failure. The
 * verdict is a test case of its own: red whenever the exit code is not 0.
 */
export function junit(report: Report): string {
  const profiles = [...new Set(report.results.map(({ profile }) => profile))];
  const suites = profiles.map((profile): Suite => {
    const results = report.results.filter((result) => result.profile === profile);
    const cases = results.map((result) => testCase(result, report));
    return { "@name": profile, ...totals(cases), testcase: cases };
  });
  const verdict = { "@name": "run", ...totals([verdictCase(report)]), testcase: [verdictCase(report)] };
  const all = [verdictCase(report), ...suites.flatMap(({ testcase }) => testcase)];
  const document: string = builder.build({
    "?xml": { "@version": "1.0", "@encoding": "UTF-8" },
    testsuites: {
      "@name": "kalends-conformance",
      ...totals(all),
      "@time": seconds(report.durationMs),
      testsuite: [verdict, ...suites],
    },
  });
  return document;
}

type TestCase = Readonly<Record<string, unknown>>;
type Suite = TestCase & { readonly testcase: readonly TestCase[] };

function verdictCase({ summary, baseUrl, exitCode, durationMs }: Report): TestCase {
  const outcome =
    exitCode === 0
      ? { "system-out": legible(summary) }
      : { failure: { "@message": legible(summary), "#text": `exit code ${exitCode}` } };
  return {
    "@classname": "run",
    "@name": legible(`verdict on ${baseUrl}`),
    "@time": seconds(durationMs),
    ...outcome,
  };
}

function testCase(result: CheckResult, report: Report): TestCase {
  const { id, profile, level, clause, sentence, title, durationMs } = result;
  const properties = Object.entries({ clause, sentence, level, title });
  return {
    "@classname": profile,
    "@name": id,
    "@time": seconds(durationMs),
    properties: {
      property: properties.map(([name, value]) => ({ "@name": name, "@value": legible(value) })),
    },
    ...outcome(result, report),
  };
}

/** The child element with the outcome of the case; none for a success. */
function outcome(result: CheckResult, report: Report): TestCase {
  const { status, level, message = "", reason, known, unexpected } = result;
  const [first = ""] = (reason ?? message).split("\n");
  const element = (note: string) => ({ "@message": legible(note), "#text": legible(message) });
  if (status === "passed") return {};
  if (status === "observed") return { "system-out": legible(message) };
  if (status === "broken") return { error: element(first) };
  if (status === "skipped") return { skipped: element(first) };
  if (known !== undefined) return { skipped: element(`known failure (${known}): ${first}`) };
  const fails = level === "required" || report.strict || unexpected === true;
  return fails ? { failure: element(first) } : { skipped: element(`recommendation not met: ${first}`) };
}

function totals(cases: readonly TestCase[]): TestCase {
  const having = (child: string): number => cases.filter((one) => child in one).length;
  return {
    "@tests": cases.length,
    "@failures": having("failure"),
    "@errors": having("error"),
    "@skipped": having("skipped"),
  };
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

/** XML 1.0 text: no control characters, no lone surrogates. */
function legible(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD");
}
