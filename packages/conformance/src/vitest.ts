import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asksForExtensions, extensionsProfile } from "./engine/select.js";
import { listChecks, run } from "./run.js";
import type { CheckInfo, CheckResult, Report, RunOptions } from "./types.js";

/** Options, or what makes them when the tests begin, such as a server that starts first. */
export type Options = RunOptions | (() => RunOptions | Promise<RunOptions>);

/**
 * Makes one vitest test per check. The run begins before the first test; each test waits for its check. A check that is
 * not tested is a skipped test; so is a recommendation that is not met, unless `strict` is set.
 */
export function conformance(options: Options, name = "conformance"): void {
  describe(name, () => {
    const checks = testsOf(options);
    const arrivals = new Map(checks.map((check) => [check.id, arrival()]));
    let strict = false;
    let report: Promise<Report> | undefined;

    beforeAll(async () => {
      const chosen = typeof options === "function" ? await options() : options;
      strict = chosen.strict === true;
      report = run(chosen, { onResult: (result) => arrivals.get(result.id)?.resolve(result) });
      const leaveOut = (reason: string): void => {
        for (const check of checks) arrivals.get(check.id)?.resolve(notChosen(check, reason));
      };
      report.then(
        () => leaveOut("not asked for"),
        (error: unknown) => leaveOut(`the run broke: ${String(error)}`),
      );
    });

    for (const check of checks) {
      test(`${check.id}: ${check.title} (${check.clause})`, { timeout: longestRunMs }, async ({ skip }) => {
        const result = await arrivals.get(check.id)?.promise;
        const { status, message = "", reason } = result ?? notChosen(check, "unknown");
        if (status === "skipped") skip(reason);
        if (status === "failed" && check.level === "recommended" && !strict)
          skip(`recommendation not met: ${message}`);
        const bad = status === "failed" || status === "broken";
        expect(bad ? `${check.clause}: ${check.sentence}\n${message}` : "").toBe("");
      });
    }

    test("the server could be judged and nothing was left behind", { timeout: longestRunMs }, async () => {
      const { verdict, leftovers, summary } = (await report) ?? {
        verdict: "broken",
        leftovers: [],
        summary: "no run",
      };
      expect({ verdict, leftovers }, summary).toEqual({
        verdict: expect.stringMatching(/^(conforms|fails)$/),
        leftovers: [],
      });
    });

    afterAll(async () => {
      await report;
    });
  });
}

/** Without the extensions where the options are known and do not ask for them. */
function testsOf(options: Options): readonly CheckInfo[] {
  if (typeof options === "function" || asksForExtensions(options)) return listChecks();
  return listChecks().filter(({ profile }) => profile !== extensionsProfile);
}

/** A server that limits requests takes minutes. */
const longestRunMs = 900_000;

function notChosen(check: CheckInfo, reason: string): CheckResult {
  return { ...check, status: "skipped", reason, durationMs: 0, exchanges: [] };
}

/** A result that has not come yet. */
function arrival() {
  let resolve: (result: CheckResult) => void = () => undefined;
  const promise = new Promise<CheckResult>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (result: CheckResult) => resolve(result) };
}
