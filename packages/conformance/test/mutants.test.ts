import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { faultIds } from "./support/faults.js";
import { listChecks } from "../src/index.js";
import {
  faultOf,
  isEnvelopeFault,
  judgeFault,
  judgeModel,
  type Outcome,
  pool,
  sample,
} from "./support/gate.js";
import { planted } from "./support/planted.js";

// The proof that the suite can fail: a second server of the contract, and one switch for each fault in it. A fault counts
// as found only when a check that cites the clause it breaks fails. Which check that is stands in support/found-by.json.
// KALENDS_MUTANTS=record tries all checks that may find a fault, and rewrites that file; =full tries all there are, which
// takes some 20 minutes.

const mode = process.env["KALENDS_MUTANTS"];
const width = 8;
const patienceMs = mode === "full" ? 2_400_000 : 300_000;
const mostOfTheChecks = 0.8;
const recordFile = new URL("support/found-by.json", import.meta.url);
const foundBy: Readonly<Record<string, string>> = JSON.parse(readFileSync(recordFile, "utf8"));

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

test("the checks of the sample are known", () => {
  const ids = new Set(listChecks().map(({ id }) => id));
  expect([...sample].filter((id) => !ids.has(id))).toEqual([]);
});

describe("every fault is found, for the right reason", () => {
  const outcomes = pool([...faultIds, ...Object.keys(planted)], width, (id) =>
    judgeFault(id, mode === "full" ? "all" : mode === "record" ? "citing" : { only: foundBy[id] ?? "none" }),
  );
  const seen: Outcome[] = [];

  for (const [id, outcome] of outcomes) {
    const { clause, title } = faultOf(id);
    test(`${id} (${clause}): ${title}`, { timeout: patienceMs }, async () => {
      const result = await outcome;
      seen.push(result);
      expect(result.broken).toEqual([]);
      expect(result.untested).toEqual([]);
      const advice = mode === undefined ? "Run the tests with KALENDS_MUTANTS=record." : "No check finds it.";
      expect(result.killers, `${advice} Failed otherwise: ${result.others.join(", ")}`).not.toEqual([]);
      if (!isEnvelopeFault(result.fault)) expect(result.share).toBeLessThan(mostOfTheChecks);
    });
  }

  afterAll(async () => {
    if (mode === undefined) return;
    const found = await Promise.all([
      ...pool(seen, width, async (outcome) => [outcome.fault.id, await finderOf(outcome)]).values(),
    ]);
    writeFileSync(recordFile, `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`);
  }, patienceMs);
});

/** A check that finds the fault by itself: some fail only because of what others do meanwhile. */
async function finderOf({ fault, killers }: Outcome): Promise<string> {
  for (const only of killers) if ((await judgeFault(fault.id, { only })).killers.includes(only)) return only;
  throw new Error(`No check finds ${fault.id} by itself.`);
}
