import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { packageFolder, run } from "../../packages/client/test/program.js";

const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
/** Those with the fake are tests: packages/client/test/fake-samples.test.ts runs them. */
const samples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)]
  .map(([, code = ""]) => code)
  .filter((code) => !code.includes("@kalends/client/testing"));
let server: TestServer;
let folder: string;

beforeAll(async () => {
  server = await startTestServer();
  folder = mkdtempSync(join(packageFolder, "node_modules/samples-"));
  for (const [index, code] of samples.entries()) writeFileSync(join(folder, `${index}.mts`), code);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

/** What each sample prints. */
const printed = [
  "Opening night 07/04/2026 19:30:00\n",
  "Trips 0\n1 0 0\n",
  "2026-07-04T10:30:00.000Z false\n",
  /^http 400 parameter_\w+ \w+\n(title: .+\n)?timezone: .+\n/,
  "GET /api/v1/calendars/list/ 200 true\n",
];

describe("README.md", () => {
  test("starts with a sample of at most ten lines", () => {
    expect(samples.length).toBe(printed.length);
    expect(samples[0]?.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10);
  });

  test("has samples that compile strictly", async () => {
    const config = {
      extends: "../../tsconfig.json",
      compilerOptions: { paths: { "@kalends/client": ["../../src/index.ts"] } },
      include: ["*.mts"],
    };
    const file = join(folder, "tsconfig.json");
    writeFileSync(file, JSON.stringify(config));
    expect(await run("typescript/bin/tsc", ["-p", file])).toBe("");
  }, 60_000);

  test.each([...samples.keys()])("has a sample %i that does what it says", async (index) => {
    const file = join(folder, `${index}.mjs`);
    await build({
      entryPoints: [join(folder, `${index}.mts`)],
      alias: { "@kalends/client": join(packageFolder, "src/index.ts") },
      bundle: true,
      format: "esm",
      target: "es2022",
      outfile: file,
    });
    const { token } = await server.account();
    const env = { ...process.env, KALENDS_BASE_URL: server.url, KALENDS_TOKEN: token };
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env });
    const expected = printed[index];
    if (expected instanceof RegExp) expect(stdout).toMatch(expected);
    else expect(stdout).toBe(expected);
  });
});
