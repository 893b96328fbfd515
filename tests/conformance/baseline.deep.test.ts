import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../packages/conformance/src/program.js";
import { faults } from "./faults/event-writes.js";
import { startJudged, stopServers } from "./faults/gate.js";

// A server with one fault, of which a team knows.

let judged: Awaited<ReturnType<typeof startJudged>>;
const folder = mkdtempSync(join(tmpdir(), "kalends-conformance-"));
const file = (name: string): string => join(folder, name);
beforeAll(async () => {
  judged = await startJudged([faults.M33]);
});
afterAll(async () => {
  await judged.stop();
  await stopServers();
  rmSync(folder, { recursive: true, force: true });
});

async function judge(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  // A recommendation that is not met is never written down, since it fails no run.
  const chosen = ["--only", "time.end.*", "--skip", "time.end.empty"];
  const target = ["run", "--base-url", judged.url, "--token", judged.token, ...chosen];
  const terminal = { out: print, err: print, env, signal: new AbortController().signal };
  return { code: await main([...target, ...args], terminal), output: lines.join("\n") };
}

test("failures that are written down as known no longer fail the run, and the verdict counts them", async () => {
  expect((await judge(["--write-known-failures", file("known.json")])).code).toBe(1);
  const known: Record<string, string> = JSON.parse(readFileSync(file("known.json"), "utf8"));
  expect(Object.keys(known)).toContain("time.end.default");
  expect(known["time.end.default"]).toMatch(/^end: expected /);

  const { code, output } = await judge(["--known-failures", file("known.json")]);
  expect(code, output).toBe(0);
  expect(output).toContain(`except for ${Object.keys(known).length} known failures. required: `);
  expect(output).toContain(`0 failed, ${Object.keys(known).length} known to fail`);
  expect(output.split("\n").at(-1)).toMatch(/^[0-9]+ passed, 0 failed, 0 skipped$/);
});

test("a reason written by hand is kept when the list is written again", async () => {
  writeFileSync(file("old.json"), JSON.stringify({ "time.end.default": "issue 7" }));
  await judge(["--known-failures", file("old.json"), "--write-known-failures", file("new.json")]);
  const { "time.end.default": reason, ...rest } = JSON.parse(readFileSync(file("new.json"), "utf8"));
  expect([reason, Object.keys(rest).length]).toEqual(["issue 7", expect.toSatisfy((count) => count > 0)]);
});

test("entries of checks that did not run are kept", async () => {
  writeFileSync(file("part.json"), JSON.stringify({ "time.end.default": "issue 7" }));
  const lists = ["--known-failures", file("part.json"), "--write-known-failures", file("part.json")];
  await judge(["--only", "time.end.given", ...lists]);
  expect(JSON.parse(readFileSync(file("part.json"), "utf8"))).toEqual({ "time.end.default": "issue 7" });
});

test("a known failure that passes fails the run, so that the list stays true", async () => {
  await judge(["--write-known-failures", file("known.json")]);
  const known = JSON.parse(readFileSync(file("known.json"), "utf8"));
  writeFileSync(file("stale.json"), JSON.stringify({ ...known, "time.end.given": "issue 8" }));
  const { code, output } = await judge(["--known-failures", file("stale.json")]);
  expect([code, output]).toEqual([1, expect.stringContaining("it is a known failure (issue 8): remove it")]);
});

test("a list of another form, without a reason, or with an unknown check is wrong usage", async () => {
  for (const text of ["[]", "{", '{"time.end.default":""}', '{"no.such.check":"x"}']) {
    writeFileSync(file("bad.json"), text);
    expect((await judge(["--known-failures", file("bad.json")])).code, text).toBe(2);
  }
});

test("a part of the suite says that it is partial; --require-complete is about the checks of the part", async () => {
  const partial = /Partial run, 1 of [0-9]+ checks, no failure\. required: 1 passed/;
  const only = ["--only", "time.end.given"];
  expect((await judge(only)).output).toMatch(partial);
  const complete = await judge([...only, "--require-complete"]);
  expect([complete.code, complete.output]).toEqual([0, expect.stringMatching(partial)]);
  // Checks of `isolation` need a second account.
  const { code, output } = await judge(["--only", "time.end.given,isolation.*", "--require-complete"]);
  expect([code, output]).toEqual([1, expect.stringContaining("Not every check ran (--require-complete)")]);
});

test("a GitHub workflow gets a summary in Markdown and an annotation for each failure", async () => {
  const summary = file("summary.md");
  const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_ACTIONS: "true" };
  const { output } = await judge([], env);
  const text = readFileSync(summary, "utf8");
  expect(text).toContain("| Level | Passed | Failed | Known | Not tested | Observed |\n| --- |");
  expect(text).toMatch(/\| `time\.end\.default` \| required \| docs\/contract\.md#4\.6 \| end: expected /);
  expect(output).toMatch(/^::error title=time\.end\.default::docs\/contract\.md#4\.6: end: expected /m);
  expect(text + output).not.toContain(judged.token);
});
