import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main } from "../../packages/conformance/src/program.js";
import { markdown } from "../../packages/conformance/src/report/github.js";
import { junit } from "../../packages/conformance/src/report/junit.js";
import type { Report } from "@kalends/conformance";
import { startJudgedServer } from "./our-server.js";
import { startProxy } from "./proxy.js";

let judged: Awaited<ReturnType<typeof startJudgedServer>>;
let folder = "";
beforeAll(async () => {
  judged = await startJudgedServer();
  folder = mkdtempSync(join(tmpdir(), "kalends-conformance-"));
});
afterAll(async () => {
  await judged.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the command line; its exit code and everything it printed. */
async function cli(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const lines: string[] = [];
  const print = (text: string): void => void lines.push(text);
  const code = await main(args, { out: print, err: print, env, signal: new AbortController().signal });
  return { code, output: lines.join("\n") };
}

function target(): readonly string[] {
  const { baseUrl, token, otherToken = "", subscribersCalendar = "" } = judged.options;
  return [
    "--base-url",
    baseUrl,
    "--token",
    token,
    "--other-token",
    otherToken,
    "--subscribers-calendar",
    subscribersCalendar,
  ];
}

test("JUnit, JSON and Markdown are written, and the token is in none of them", async () => {
  const files = ["a.xml", "a.json", "a.md"].map((name) => join(folder, "new", name));
  const report = ["junit", "json", "markdown"].map((format, index) => `${format}=${files[index]}`).join();
  // These send tokens in every place and form.
  const chosen = ["--profile", "errors,http", "--seed", "7"];
  const { code, output } = await cli(["run", ...target(), ...chosen, "--report", report]);
  expect(code, output.slice(-2_000)).toBe(0);
  expect(output.split("\n").at(-1)).toMatch(/^[0-9]+ passed, 0 failed, 0 skipped$/);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  for (const text of [...texts, output])
    for (const token of [judged.first.token, judged.other.token])
      expect(text.toLowerCase()).not.toContain(token.toLowerCase().slice(0, 20));
  const [xml = "", json = "", page = ""] = texts;
  const parsed: Report = JSON.parse(json);
  expect(parsed).toMatchObject({ seed: 7, verdict: "conforms", exitCode: 0, leftovers: [] });
  expect([junit(parsed), markdown(parsed)]).toEqual([xml, page]);
  expect(xml.match(/<testcase /g)?.length).toBe(parsed.results.length + 1);
});

test("the reports of a whole run that passes stay below a megabyte, and have no exchanges", async () => {
  const files = ["whole.json", "whole.xml", "whole.md"].map((name) => join(folder, name));
  const report = ["json", "junit", "markdown"].map((format, index) => `${format}=${files[index]}`).join();
  const { code, output } = await cli(["run", ...target(), "--report", report, "--quiet"]);
  expect(code, output.slice(-2_000)).toBe(0);
  const [json = "", ...others] = files.map((file) => readFileSync(file, "utf8"));
  const parsed: Report = JSON.parse(json);
  expect(parsed.results.filter(({ exchanges }) => exchanges.length > 0)).toEqual([]);
  for (const text of [json, ...others]) expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
});

test("--required runs the required checks alone", async () => {
  const { code, output } = await cli(["run", ...target(), "--required", "--only", "time.*"]);
  expect(code).toBe(0);
  expect(output).toContain("✓ time.start.pm: ");
  expect(output).not.toMatch(/\(recommended\)|time\.observed|time\.impossible/);
});

const result = {
  id: "events.save.values",
  level: "required",
  clause: "docs/contract.md#4.7",
  sentence: "Parameters are those of 4.6 & more.",
  profile: "core",
  title: 'A <b> & "c"',
  status: "failed",
  message: "got \u0000 <i>\ncurl -sS 'http://x/?token=***'",
  durationMs: 3,
  exchanges: [],
} as const;
const zero = { passed: 0, failed: 0, known: 0, skipped: 0, broken: 0, observed: 0 };
const failing: Report = {
  verdict: "fails",
  exitCode: 1,
  summary: "Does not conform",
  counts: { required: { ...zero, failed: 1 }, recommended: zero, observed: zero },
  results: [result, { ...result, id: "events.save.clears", level: "recommended" }],
  checks: 2,
  strict: false,
  baseUrl: "http://x",
  runId: "kalconf-00000000",
  seed: 1,
  startedAt: "2026-07-04T12:00:00.000Z",
  durationMs: 10,
  leftovers: [],
};

test("reports of failures keep their texts apart from the markup", () => {
  expect(junit(failing)).toContain("\uFFFD &lt;i&gt;");
  expect(markdown(failing)).toContain("| got \u0000 &lt;i> |");
});

test("JUnit is red whenever the exit code is not 0, also when no check failed", () => {
  expect(junit(failing)).toMatch(/<testsuites [^>]*tests="3" failures="2" errors="0" skipped="1"/);
  const unreachable = { ...failing, verdict: "unreachable", exitCode: 3, results: [] } as const;
  expect(junit(unreachable)).toMatch(/<testsuites [^>]*tests="1" failures="1"/);
  expect(junit(unreachable)).toContain('<failure message="Does not conform">exit code 3</failure>');
  const fine = { ...failing, verdict: "conforms", exitCode: 0, results: [] } as const;
  expect(junit(fine)).toMatch(/<testsuites [^>]*tests="1" failures="0"/);
});

test("address and tokens also come from the environment", async () => {
  const { baseUrl, token } = judged.options;
  const env = { KALENDS_BASE_URL: baseUrl, KALENDS_TOKEN: token };
  const { code, output } = await cli(["run", "--only", "timezones.*", "--quiet"], env);
  expect([code, output.includes(token)]).toEqual([0, false]);
  expect((await cli(["run", "--help"], env)).output).not.toContain(token);
});

test("a report that cannot be written is 5, after the verdict", async () => {
  const report = `json=${join(folder, "a-file", "x.json")}`;
  writeFileSync(join(folder, "a-file"), "");
  const { code, output } = await cli(["run", ...target(), "--only", "timezones.order", "--report", report]);
  expect([code, output]).toEqual([5, expect.stringContaining("Partial run, 1 of ")]);
  expect(output).toContain("A report could not be written: ");
});

test("a recommendation that is not met is skipped in JUnit, and a failure under --strict", () => {
  expect(junit({ ...failing, strict: true })).toMatch(/<testsuites [^>]*failures="3" errors="0" skipped="0"/);
});

test("failures with one cause are printed once, with what to fix first", async () => {
  const proxy = await startProxy(judged.options.baseUrl, (path) =>
    path.startsWith("/api/v1/calendars/create/") ? "refuse" : undefined,
  );
  const { code, output } = await cli(["run", "--base-url", proxy.url, "--token", judged.first.token]);
  await proxy.stop();
  expect(code).toBe(1);
  expect(output).toMatch(
    /[1-9][0-9]{2} failures \([1-9][0-9]{2} required\) have one cause: createCalendar: HTTP 500\n/,
  );
  expect(output).toContain("Fix this first: make /api/v1/calendars/create/ succeed (docs/contract.md#4.2).");
  expect(output.split("\n").length).toBeLessThan(900);
});

test("wrong usage is 2, and so is an absent server, in one line; help is 0", async () => {
  for (const args of [
    [],
    ["judge"],
    ["run"],
    ["run", ...target(), "--profile", "nonsense"],
    ["run", ...target(), "--report", "pdf=x"],
    ["run", ...target(), "--known-failures", join(folder, "absent.json")],
    ["run", ...target(), "--subscribers-calendar", "987654321"],
    ["run", ...target(), "--other-token", judged.first.token],
    ["run", ...target(), "--base-url", `${judged.options.baseUrl}/api/v1`],
    ["run", ...target(), "--seed", "4294967296"],
  ])
    expect((await cli(args)).code, args.join(" ")).toBe(2);
  expect((await cli(["run", "--base-url", "not an address", "--token", "x"])).code).toBe(2);
  expect(await cli(["run", "--base-url", "http://127.0.0.1:9", "--token", "x"])).toEqual({
    code: 2,
    output: "http://127.0.0.1:9 does not answer: connect ECONNREFUSED 127.0.0.1:9",
  });
  expect((await cli(["cleanup", "--base-url", "http://127.0.0.1:9", "--token", "x"])).code).toBe(2);
  expect((await cli(["cleanup", ...target().slice(0, 6), "--run", ""])).code).toBe(2);
  expect((await cli(["--help"])).code).toBe(0);
  expect(await cli(["--version"])).toEqual({
    code: 0,
    output: expect.stringMatching(/^[0-9]+\.[0-9]+\.[0-9]+$/),
  });
  expect((await cli(["run", ...target(), "--only", "timezones.order", "--seed", "2147483648"])).code).toBe(0);
});

test("list, coverage and cleanup print what they know", async () => {
  expect((await cli(["list"])).output).toContain("time.end.default  [required, time, docs/contract.md#4.6]");
  expect((await cli(["coverage"])).output).toMatch(
    /[0-9]+ sentences held by checks, [0-9]+ that cannot be tested, 0 without a check$/,
  );
  expect((await cli(["coverage"])).output).toContain("2.2: next");
  expect(await cli(["cleanup", ...target().slice(0, 6)])).toEqual({
    code: 0,
    output: "0 calendars deleted, 0 left",
  });
});
