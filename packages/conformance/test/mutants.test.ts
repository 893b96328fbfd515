import { afterAll, describe, expect, test } from "vitest";
import { faultIds } from "@kalends/client/testing/model";
import { faultOf, isEnvelopeFault, judgeFault, judgeModel, type Outcome, pool } from "./support/gate.js";
import { planted } from "./support/planted.js";

// The proof that the suite can fail: a second server of the contract, and one switch for each fault in it. A fault counts
// as found only when a check that cites the clause it breaks fails. KALENDS_MUTANTS=table prints who found what, =full
// does so after running every check on every fault, which takes some minutes.

const mode = process.env["KALENDS_MUTANTS"];
const width = 8;
const patienceMs = mode === "full" ? 600_000 : 120_000;
const mostOfTheChecks = 0.8;

/** Pages of one item and of a hundred take a minute each; fake.test.ts has pages of three. */
for (const pageSize of mode === "full" ? [100, 25, 1] : [25])
  test(
    `the faithful model passes every check, ${pageSize} items a page`,
    { timeout: patienceMs },
    async () => {
      const report = await judgeModel([], { pageSize });
      const notPassed = report.results.filter(({ status }) => status !== "passed" && status !== "observed");
      expect(notPassed.map(({ id, message, reason }) => `${id}: ${message ?? reason}`)).toEqual([]);
      expect(report).toMatchObject({ verdict: "conforms", exitCode: 0, leftovers: [] });
    },
  );

describe("every fault is found, for the right reason", () => {
  const outcomes = pool([...faultIds, ...Object.keys(planted)], width, (id) =>
    judgeFault(id, mode === "full" ? "all" : "a sample"),
  );
  const seen: Outcome[] = [];

  for (const [id, outcome] of outcomes) {
    const { clause, title } = faultOf(id);
    test(`${id} (${clause}): ${title}`, { timeout: patienceMs }, async () => {
      const result = await outcome;
      seen.push(result);
      expect(result.broken).toEqual([]);
      expect(result.untested).toEqual([]);
      expect(result.killers, `failed otherwise: ${result.others.join(", ")}`).not.toEqual([]);
      if (!isEnvelopeFault(result.fault)) expect(result.share).toBeLessThan(mostOfTheChecks);
    });
  }

  afterAll(() => {
    if (mode !== "table" && mode !== "full") return;
    for (const { fault, killers } of seen)
      process.stdout.write(`${fault.id.padEnd(4)} ${fault.clause.padEnd(15)} ${killers.join(" ")}\n`);
  });
});
