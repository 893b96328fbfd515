import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../apps/server/test/harness.js";
import { compiler, packageFolder, run } from "../../packages/client/test/program.js";

const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
const webhooks = readFileSync(join(packageFolder, "../../docs/webhooks.md"), "utf8");
/** Those of webhooks that receive call no server; docs/testing.md has those that are tests. */
const samples = [
  ...samplesOf(readme),
  ...samplesOf(webhooks).filter((code) => code.includes("createExtensionsClient")),
];
function samplesOf(page: string): readonly string[] {
  return [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""]) => code);
}

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
  "Gate 7 2026-07-04T23:00 1\nsaved true true\n",
  "GET /api/v1/calendars/list/ 200 true\n",
  /^enabled true\nwebhook.test msg_\S+\n$/,
];

describe("README.md and docs/webhooks.md", () => {
  test("start with a sample of at most ten lines", () => {
    expect(samples.length).toBe(printed.length);
    expect(samples[0]?.split("\n").filter((line) => line.trim() !== "").length).toBeLessThanOrEqual(10);
  });

  test("have samples that compile strictly", async () => {
    const config = {
      extends: "../../tsconfig.json",
      compilerOptions: {
        paths: {
          "@kalends/client": ["../../src/index.ts"],
          "@kalends/client/extensions": ["../../src/extensions/index.ts"],
        },
      },
      include: ["*.mts"],
    };
    const file = join(folder, "tsconfig.json");
    writeFileSync(file, JSON.stringify(config));
    expect(await run(compiler, ["--singleThreaded", "-p", file])).toBe("");
  });

  test.each([...samples.keys()])("have a sample %i that does what it says", async (index) => {
    const file = join(folder, `${index}.mjs`);
    await build({
      entryPoints: [join(folder, `${index}.mts`)],
      alias: {
        "@kalends/client": join(packageFolder, "src/index.ts"),
        "@kalends/client/extensions": join(packageFolder, "src/extensions/index.ts"),
      },
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
