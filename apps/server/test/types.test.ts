import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

test("a missing handler, a wrong payload and an undeclared error do not compile (types.test-d.ts)", async () => {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [tsc, "-p", "."], { cwd }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  expect(output).toBe("");
}, 60_000);
