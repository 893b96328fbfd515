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

  const total = { passed: 0, failed: missing.length, skipped: 0 };
  for (const report of written) {
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

/**
 * Files that failed as a whole, e.g. in an import: no single test of theirs is counted as failed.
 * @param {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} result
 */
function brokenFiles({ testResults }) {
  return testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
}
