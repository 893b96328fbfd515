import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "./child.mjs";
import { read } from "./files.mjs";
import { install, packages, tool } from "./workspace.mjs";

const reportFile = "node_modules/.cache/vitest.json";

/**
 * Runs the tests of every package and ends with one line of totals. turbo puts the report of a cached run back.
 * @param {string[]} args for turbo, e.g. `--force` or `--filter=@kalends/spec`
 */
export async function test(args) {
  await install();
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

  const written = reports.filter((report) => existsSync(join(root, report)));
  const missing = args.some((arg) => arg.startsWith("--filter"))
    ? []
    : reports.filter((report) => !written.includes(report));
  for (const report of missing) console.error(`No test result: ${report}`);

  return printTotals(written, missing.length, code);
}

/**
 * Prints the totals of reports as the last line. Returns the exit code: no test is a failure too.
 * @param {string[]} reports @param {number} missing how many reports there should be besides @param {number} code of the run
 */
function printTotals(reports, missing, code) {
  const total = { passed: 0, failed: missing, skipped: 0 };
  for (const report of reports) {
    const result = JSON.parse(read(report));
    total.passed += result.numPassedTests;
    total.failed += result.numFailedTests + brokenFiles(result);
    total.skipped += result.numPendingTests + result.numTodoTests;
  }
  if (code !== 0 && total.failed === 0) total.failed = 1; // e.g. a build that broke, or an error outside any test
  if (total.passed + total.failed === 0) console.error("No test ran.");

  if (total.skipped > 0) console.log(`${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? code || 1 : 0;
}

/** What runs side by side: each part has servers and neighbours of its own, and none has work for a whole core all the time. */
const deepParts = ["sqlite", "postgres", "throws*"].map((name) => ["--project", name]);

/**
 * Builds the server and runs the hostile ring against it (apps/server/test/hostile), on both databases.
 * @param {string[]} args for vitest, e.g. `--project sqlite` or a part of a file's name: then nothing runs beside
 */
export async function testDeep(args) {
  await install();
  const built = await tool("turbo", ["run", "build", "--filter=@kalends/server"]);
  if (built !== 0) return printTotals([], 1, built);
  const folder = join(root, "apps/server");
  const parts = args.length === 0 ? deepParts : [args];
  const runs = parts.map(async (options, part) => {
    const report = `apps/server/node_modules/.cache/vitest-deep-${part}.json`;
    rmSync(join(root, report), { force: true });
    const config = ["--root", folder, "--config", join(folder, "vitest.deep.config.ts")];
    const output = `--outputFile.json=${join(root, report)}`;
    const code = await tool("vitest", ["run", ...config, output, ...options]);
    return { report, code };
  });
  const ended = await Promise.all(runs);
  const written = ended.map(({ report }) => report).filter((report) => existsSync(join(root, report)));
  const code = ended.find((part) => part.code !== 0)?.code ?? 0;
  return printTotals(written, ended.length - written.length, code);
}

/** Their tests that need no browser, no PostgreSQL, no process of their own and no packed package: the fast ring. */
const fast = ["apps/server", "packages/spec", "packages/client", "packages/conformance", "packages/ical"];

/**
 * Runs the fast ring.
 * @param {string[]} args for vitest, e.g. `--changed` or a part of a file's name
 */
export async function testFast(args) {
  await install();
  process.env.KALENDS_TESTS = "fast";
  const codes = [];
  for (const folder of fast)
    codes.push(await tool("vitest", ["run", "--root", folder, "--passWithNoTests", ...args]));
  return codes.find((code) => code !== 0) ?? 0;
}

/**
 * Runs the fast ring of a package again after each change.
 * @param {string[]} args a package's folder, else that of the server; then arguments for vitest
 */
export async function testWatch([folder = "", ...args]) {
  await install();
  process.env.KALENDS_TESTS = "fast";
  const isPackage = packages.includes(folder);
  const filters = isPackage || folder === "" ? args : [folder, ...args];
  return tool("vitest", ["watch", "--root", isPackage ? folder : "apps/server", ...filters]);
}

/**
 * Files that failed as a whole, e.g. in an import: no single test of theirs is counted as failed.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} result
 */
function brokenFiles({ testResults }) {
  return testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
}
