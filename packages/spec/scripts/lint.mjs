// Lints the printed documents with spectral and redocly: any error or warning fails. The YAML documents hold the same data, which
// test/document.test.ts compares.
import { spawnSync } from "node:child_process";

const documents = [
  "openapi.json",
  "openapi-3.1.json",
  "openapi-generators.json",
  "openapi-kalends.json",
  "openapi-kalends-generators.json",
];
const commands = [
  ["spectral", "lint", "--fail-severity", "hint", ...documents],
  ["redocly", "lint", "--max-problems", "20", "--format", "stylish", ...documents],
];
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
let failed = false;
for (const [command, ...args] of commands) {
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: "utf8" });
  // redocly exits 0 on warnings; its summary names them.
  if (status === 0 && !/\d+ (?:error|warning)s?\b/.test(stdout + stderr)) continue;
  failed = true;
  process.stderr.write(
    `${stdout}${stderr}\n${command} has findings: fix packages/spec/src, then run npm run emit.\n`,
  );
}
process.exitCode = failed ? 1 : 0;
