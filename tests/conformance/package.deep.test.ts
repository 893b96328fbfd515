import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { faults } from "./faults/event-writes.js";
import { startJudged, stopServers } from "./faults/gate.js";
import type { Planted } from "./faults/proxy.js";

const at = (path: string): string =>
  fileURLToPath(new URL(`../../packages/conformance/${path}`, import.meta.url));
const project = mkdtempSync(join(tmpdir(), "kalends-conformance-"));
const installed = join(project, "node_modules/@kalends/conformance");
const execute = promisify(execFile);

/** Exit code and output of the command line as it was installed. */
async function cli(args: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const file = join(installed, "dist/cli.js");
  return execute(process.execPath, [file, ...args], { cwd: project }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { readonly code: unknown; readonly stdout: string }) => error,
  );
}

// As a user has it: the tarball, unpacked in an empty project, beside what it depends on.
beforeAll(async () => {
  const { packageManager } = JSON.parse(readFileSync(at("../../package.json"), "utf8"));
  const pack = ["pack", "--pack-destination", project];
  // turbo builds before it tests and has this pnpm on its PATH; else "prepack" builds.
  const isBuilt = process.env["KALENDS_BUILT"] !== undefined;
  if (isBuilt) await execute("pnpm", [...pack, "--config.ignore-scripts=true"], { cwd: at(".") });
  else await execute("npx", ["--yes", String(packageManager), ...pack], { cwd: at(".") });
  const [tarball = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  mkdirSync(installed, { recursive: true });
  await execute("tar", ["-xzf", join(project, tarball), "--strip-components=1", "-C", installed]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies))
    symlinkSync(realpathSync(at(`node_modules/${name}`)), join(project, "node_modules", name));
});

afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await stopServers();
});

describe("the package @kalends/conformance", () => {
  test("holds the code, its types, the action, the README and the license", () => {
    const held = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    const others = held.filter((name) => !/^dist\/[\w./-]+(\.js|\.d\.ts)$/.test(name)).toSorted();
    const beside = ["LICENSE", "README.md", "action.yml", "package.json"];
    expect(others).toEqual(beside);
    expect(held.length - others.length).toBe(
      2 * readdirSync(at("src"), { recursive: true }).filter((name) => String(name).endsWith(".ts")).length,
    );
  });

  test("exports only files it holds, depends on exact versions, and its command can be run", () => {
    const { exports, dependencies, bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const files = JSON.stringify(exports).match(/\.\/[^"]+\.(js|d\.ts|json)(?=")/g) ?? [];
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(() => readFileSync(join(installed, file)), file).not.toThrow();
    expect(JSON.stringify(exports)).not.toContain("src");
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(readFileSync(join(installed, bin["kalends-conformance"]), "utf8")).toMatch(/^#!.*node\n/);
  });

  test("judges a good server green and a broken one red, in an empty project", async () => {
    const judge = async (faults: readonly Planted[]) => {
      const judged = await startJudged(faults);
      const target = ["--base-url", judged.url, "--token", judged.token];
      const result = await cli(["run", ...target, "--only", "time.end.*", "--quiet"]);
      await judged.stop();
      return result;
    };
    expect(await judge([])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Partial run, [0-9]+ of [0-9]+ checks, no failure\./m),
    });
    const broken = await judge([faults.M33]);
    expect(broken.code).toBe(1);
    expect(broken.stdout).toContain(
      "docs/contract.md#4.6: end_date | no | Written in the same way. Without it: one hour after start_date",
    );
  });
});
