import { listChecks } from "@kalends/conformance";
import { operationIds, operations } from "@kalends/spec";
import { afterAll, describe, expect, test } from "vitest";
import {
  faults,
  isEnvelopeFault,
  joined,
  judge,
  judgeFault,
  pool,
  sample,
  stopServers,
} from "./faults/gate.js";
import { createCalendar, createEvent, refusal } from "./faults/changes.js";
import { type Planted, shortPath } from "./faults/proxy.js";

// The proof that the suite can fail: a proxy in front of the server, with one fault in it. A fault counts as found only when a check
// that cites the clause it breaks fails: its `foundBy`. KALENDS_MUTANTS=full tries all checks there are, which takes some 20 minutes.

const triesAll = process.env["KALENDS_MUTANTS"] === "full";
const width = 4;
const patienceMs = triesAll ? 2_400_000 : 900_000; // ends what hangs
const mostOfTheChecks = 0.8;

const ignore = (): void => undefined;

afterAll(stopServers);

const called = new Set<string>();
const made = new Set<string>();
/** Writes that reach what the run has not made, on a server that reads ids as numbers. */
const strange: string[] = [];
const noItem = ["0", "9007199254740991", "9007199254740992"];
const watching: Planted = {
  clause: "",
  title: "changes nothing",
  ask: ({ path, params }) => {
    called.add(path);
    if (!/\/(?:create|save|delete)$/.test(path)) return;
    for (const name of ["calendar_id", "event_id"]) {
      const id = String(Math.abs(Number(params.get(name) ?? NaN)));
      if (id !== "NaN" && !noItem.includes(id) && !made.has(`${name} ${id}`))
        strange.push(`${path}: ${name} ${id}`);
    }
  },
  answer: (body, { path }) => {
    if (path.endsWith(createCalendar)) made.add(`calendar_id ${body.calendar.id}`);
    if (path.endsWith(createEvent)) made.add(`event_id ${body.event.id}`);
  },
};

/** All checks without a fault. The faults wait for it: beside them, the server in this process has too little time for its own limits. */
const unharmed = judge([watching], { only: listChecks().map(({ id }) => id) });
const ended = unharmed.then(ignore, ignore);

test("without a fault every check passes behind the proxy", { timeout: patienceMs }, async () => {
  const report = await unharmed;
  const notPassed = report.results.filter(({ status }) => status !== "passed" && status !== "observed");
  expect(notPassed.map(({ id, message, reason }) => `${id}: ${message ?? reason}`)).toEqual([]);
  expect(report).toMatchObject({ verdict: "conforms", exitCode: 0, leftovers: [] });
  const paths = operationIds.map((id) => shortPath(operations[id].path));
  expect(paths.filter((path) => !called.has(path))).toEqual([]);
  expect(strange).toEqual([]);
});

test("every fault has an id, a clause and a title of its own", () => {
  const one = { clause: "", foundBy: "", title: "" };
  expect(() => joined([{ X1: one }, { X1: { ...one } }])).toThrow("Two faults have the id X1.");
  const all = Object.values(faults);
  expect(all.length).toBeGreaterThan(200);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
  for (const { clause } of all)
    expect(clause).toMatch(/^docs\/(contract\.md#\d+(\.\d+)?|rulings\.md#r\d\.\d+|extensions\.md#x\d\.\d)$/);
});

test("the checks of the sample are known", () => {
  const ids = new Set(listChecks().map(({ id }) => id));
  expect([...sample].filter((id) => !ids.has(id))).toEqual([]);
});

test("a server that decides open points in another way conforms", { timeout: patienceMs }, async () => {
  await ended;
  const open = ["M47", "end-impossible", "K44", "M7", "empty-ids", "twelve-colours"].map(
    (id) => faults[id] ?? watching,
  );
  const only = ["time.*", "auth.*", "http.empty-ids", "calendars.delete.*", "events.{create,save,delete}.*"];
  const { verdict, counts } = await judge(open, { only });
  expect([verdict, counts.required.failed]).toEqual(["conforms", 0]);
  expect(counts.recommended.failed).toBeGreaterThanOrEqual(open.length);
});

test.each([
  [400, "skipped"],
  [500, "failed"],
])("where other palettes than the default one are %i, checks of them are %s", async (code, outcome) => {
  await ended;
  const onePalette: Planted = {
    clause: "",
    title: "has one palette",
    instead: async (ask, { pass }) =>
      ["", "1"].includes(ask.params.get("palette_id") ?? "") ? pass(ask) : refusal(code, "palette_unknown"),
  };
  const { results } = await judge([onePalette], { only: ["calendars.{create,save}.palette"] });
  expect(results.map(({ status }) => status)).toEqual([outcome, outcome]);
});

describe("every fault is found, for the right reason", () => {
  const outcomes = pool(Object.entries(faults), width, async ([id, { foundBy }]) => {
    await ended;
    return judgeFault(id, triesAll ? "all" : { only: foundBy });
  });

  for (const [[id, { clause, title, foundBy }], outcome] of outcomes)
    test(`${id} (${clause}): ${title}`, { timeout: patienceMs }, async () => {
      const result = await outcome;
      expect(result.broken).toEqual([]);
      expect(result.untested).toEqual([]);
      if (result.killers.length === 0) expect(foundBy, "foundBy").toBe(await finderOf(id));
      if (!isEnvelopeFault(result.fault)) expect(result.share).toBeLessThan(mostOfTheChecks);
    });
});

/** A check that finds the fault by itself: some fail only because of what others do meanwhile. */
async function finderOf(id: string): Promise<string> {
  const { killers, others } = await judgeFault(id, "citing");
  for (const only of killers) if ((await judgeFault(id, { only })).killers.includes(only)) return only;
  throw new Error(`No check finds ${id}. Failed otherwise: ${others.join(", ")}`);
}
