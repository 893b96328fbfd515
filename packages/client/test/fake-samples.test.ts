import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compiler, packageFolder, run } from "./program.js";

const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)]
  .map(([, code = ""]) => code)
  .filter((code) => code.includes("@kalends/client/testing"));

const files = {
  "tsconfig.json": JSON.stringify({
    extends: "../../../tsconfig.json",
    compilerOptions: {
      paths: {
        "@kalends/client": ["../../../src/index.ts"],
        "@kalends/client/testing": ["../../../src/testing/index.ts"],
      },
    },
    include: ["*.ts"],
  }),
  "vitest.config.ts": `
    import { defineConfig } from "vitest/config";
    const source = ${JSON.stringify(join(packageFolder, "src"))};
    export default defineConfig({
      test: { include: ["*.test.ts"], testTimeout: 50_000 },
      resolve: {
        alias: [
          { find: /^@kalends\\/client$/, replacement: source + "/index.ts" },
          { find: /^@kalends\\/client\\/testing$/, replacement: source + "/testing/index.ts" },
        ],
      },
    });`,
  ...Object.fromEntries(samples.map((code, index) => [`sample-${index}.test.ts`, code])),
};

let folder: string;
beforeAll(() => {
  mkdirSync(join(packageFolder, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(packageFolder, "node_modules/.cache/fake-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("the samples of README.md with the fake, one of them with MSW", () => {
  test("compile strictly", async () => {
    expect(samples.map((code) => code.includes("msw"))).toEqual([false, true]);
    expect(await run(compiler, ["--singleThreaded", "-p", join(folder, "tsconfig.json")])).toBe("");
  }, 60_000);

  test("pass as tests of a consumer", async () => {
    const vitest = join(packageFolder, "node_modules/vitest/vitest.mjs");
    const args = [vitest, "run", "--root", folder, "--reporter=json"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
    const { numPassedTests, numTotalTests } = JSON.parse(stdout);
    expect([numPassedTests, numTotalTests]).toEqual([2, 2]);
  }, 60_000);
});
