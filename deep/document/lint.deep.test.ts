import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// The YAML documents hold the same data, which packages/spec/test/document.test.ts compares.
const documents = [
  "openapi.json",
  "openapi-3.1.json",
  "openapi-generators.json",
  "openapi-kalends.json",
  "openapi-kalends-generators.json",
];

test.each([
  ["spectral", ["lint", "--fail-severity", "hint", ...documents]],
  // It exits 0 on warnings; its summary names them.
  ["redocly", ["lint", "--max-problems", "20", "--format", "stylish", ...documents]],
])("%s has no error and no warning for any document", async (program, args) => {
  const cwd = fileURLToPath(new URL("../../packages/spec", import.meta.url));
  const file = fileURLToPath(new URL(`../node_modules/.bin/${program}`, import.meta.url));
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const found = await promisify(execFile)(file, args, { cwd, env }).catch((error: unknown) => error);
  expect(found).not.toBeInstanceOf(Error);
  expect(found).not.toMatchObject({ stdout: expect.stringMatching(/\d+ (?:error|warning)s?\b/) });
  expect(found).not.toMatchObject({ stderr: expect.stringMatching(/\d+ (?:error|warning)s?\b/) });
});
