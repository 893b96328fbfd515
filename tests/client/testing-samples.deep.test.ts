import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const execute = promisify(execFile);
const tests = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(tests, "../docs/testing.md"), "utf8");
const samples = [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);

const files = {
  "tsconfig.json": JSON.stringify({
    extends: "../../../tsconfig.json",
    include: ["*.ts", "../../../../apps/server/src/**/*.d.ts"],
  }),
  "vitest.config.ts": `
    import { defineConfig } from "vitest/config";
    const conditions = ["@kalends/source"];
    export default defineConfig({
      resolve: { conditions },
      ssr: { resolve: { conditions: [...conditions, "module", "node", "development|production"] } },
      test: { include: ["*.test.ts"], testTimeout: 50_000, hookTimeout: 50_000 },
    });`,
  ...Object.fromEntries(samples.map((code, index) => [`sample-${index}.test.ts`, code])),
};

let folder: string;
beforeAll(() => {
  mkdirSync(join(tests, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(tests, "node_modules/.cache/samples-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the samples of docs/testing.md compile strictly", async () => {
  const compiler = join(tests, "../node_modules/typescript/bin/tsc");
  await execute(process.execPath, [compiler, "--singleThreaded", "-p", join(folder, "tsconfig.json")]);
});

test("the samples of docs/testing.md pass as tests of a consumer", async () => {
  const vitest = join(tests, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", "--root", folder, "--reporter=json"];
  const { stdout } = await execute(process.execPath, args, { cwd: folder });
  const { numPassedTests, numTotalTests } = JSON.parse(stdout);
  expect([numPassedTests, numTotalTests]).toEqual([samples.length, samples.length]);
});
