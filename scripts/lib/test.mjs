import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { check } from "./check.mjs";
import { fail, root, run } from "./child.mjs";
import { read } from "./files.mjs";
import { install, installDeep, packages, tool } from "./workspace.mjs";

const reportFile = "node_modules/.cache/vitest.json";

/**
 * Runs the gate: the checks, then the tests of every package that each commit passes. Ends with one line of totals.
 * @param {string[]} args for turbo: with e.g. `--filter=@kalends/spec` the checks are left out
 */
export async function test(args) {
  if (args.every((arg) => arg === "--force")) await check();
  else await install();
  process.env.KALENDS_RING = "gate";
  process.env.KALENDS_BUILT = "yes"; // turbo builds before it tests
  return printTotals(await testPackages(args));
}

/** The parts of the deep ring. @type {Record<string, (args: string[]) => Promise<Run>>} */
const deepParts = { packages: testPackages, tools: testTools };

/**
 * Runs the other tests: those of every package, and those that need tools of others (deep/).
 * @param {string[]} args a part, and arguments for its turbo or vitest: then nothing else runs
 */
export async function testDeep([name, ...args]) {
  await installDeep();
  process.env.KALENDS_RING = "deep";
  const built = await tool("turbo", ["run", "build", "--output-logs=errors-only"]);
  if (built !== 0) return printTotals({ reports: [], missing: 1, code: built });
  process.env.KALENDS_BUILT = "yes";
  const part = deepParts[name ?? ""];
  if (name !== undefined && part === undefined)
    fail(`There is no part ${name}: ${Object.keys(deepParts).join(", ")}.`);
  if (part !== undefined) return printTotals(await part(args));
  // The packages' tests mostly wait for processes and timers, those of tools use a core.
  const others = await Promise.all([testPackages([]), testTools([])]);
  return printTotals(...others);
}

/**
 * Runs the rounds of deep/cluster, which belong to neither ring.
 * @param {string[]} args
 */
export async function testCluster(args) {
  await installDeep();
  const build = ["run", "build", "--filter=@kalends/server...", "--output-logs=errors-only"];
  const built = await tool("turbo", build, { quiet: true });
  return built === 0
    ? run(process.execPath, [
        "--import",
        import.meta.resolve("../../deep/node_modules/tsx/dist/loader.mjs"),
        "deep/cluster/main.ts",
        ...args,
      ])
    : built;
}

/**
 * What a run of tests left.
 * @typedef {{ reports: string[], missing: number, code: number }} Run reports that were written, how many were not, the exit code
 */

/**
 * Runs the tests of the packages that are of the ring. turbo puts the report of a cached run back.
 * @param {string[]} args for turbo
 * @returns {Promise<Run>}
 */
async function testPackages(args) {
  const reports = packages
    .filter((folder) => JSON.parse(read(`${folder}/package.json`)).scripts?.test)
    .map((folder) => `${folder}/${reportFile}`);
  for (const report of reports) rmSync(join(root, report), { force: true }); // what is there afterwards is of this run

  // Each package's tests already use the cores; many packages at once only get in each other's way.
  const concurrency = `--concurrency=${Math.max(2, availableParallelism())}`;
  const code = await tool("turbo", [
    "run",
    "test",
    "--continue=dependencies-successful",
    concurrency,
    ...args,
  ]);
  return written(args.some((arg) => arg.startsWith("--filter")) ? reports.filter(exists) : reports, code);
}

/** @param {string} report */
const exists = (report) => existsSync(join(root, report));

/** @param {string[]} reports all that there should be @param {number} code @returns {Run} */
function written(reports, code) {
  const missing = reports.filter((report) => !exists(report));
  for (const report of missing) console.error(`No test result: ${report}`);
  return { reports: reports.filter(exists), missing: missing.length, code };
}

/**
 * Prints the totals of runs as the last line. Returns the exit code: no test is a failure too.
 * @param {Run[]} runs
 */
function printTotals(...runs) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { missing } of runs) total.failed += missing;
  for (const report of runs.flatMap(({ reports }) => reports)) {
    const result = JSON.parse(read(report));
    total.passed += result.numPassedTests;
    const failures = failuresOf(result);
    total.failed += failures.length;
    total.skipped += result.numPendingTests + result.numTodoTests;
    for (const failure of failures) console.log(`Failed: ${failure}`);
  }
  const code = runs.find((run) => run.code !== 0)?.code ?? 0;
  if (code !== 0 && total.failed === 0) total.failed = 1; // e.g. a build that broke, or an error outside any test
  if (total.passed + total.failed === 0) console.error("No test ran.");

  if (total.skipped > 0) console.log(`${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? code || 1 : 0;
}

/** Looks at the types and the style of deep/, which only here have what they import, and runs its tests. @param {string[]} args for vitest @returns {Promise<Run>} */
async function testTools(args) {
  const checked =
    (await tool("tsc", ["-p", "deep", "--singleThreaded"])) ||
    (await tool("oxlint", ["--deny-warnings", "deep"]));
  const report = `deep/${reportFile}`;
  rmSync(join(root, report), { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${join(root, report)}`];
  const code = await tool("vitest", ["run", "--root", join(root, "deep"), ...reporters, ...args]);
  return written([report], checked || code);
}

/**
 * The tests that failed, and the files that failed as a whole, e.g. in an import, each with the first line of why. They are printed at
 * the end, since the report of a failure is thousands of lines above, and CI may keep only the end.
 * @param {{ testResults: FileResult[] }} result
 */
function failuresOf({ testResults }) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === "failed");
    if (tests.length > 0)
      return tests.map((test) => `${file} > ${test.fullName}${reason(test.failureMessages?.[0])}`);
    return status === "failed" ? [`${file}${reason(message)}`] : [];
  });
}

/** @param {string} [message] */
const reason = (message = "") => (message === "" ? "" : `: ${message.split("\n", 1)[0]?.slice(0, 300)}`);

/**
 * A file in vitest's JSON report.
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} TestResult
 * @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult
 */
