import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { contentLines, faults } from "./reading.js";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const project = mkdtempSync(join(tmpdir(), "kalends-ical-"));
const installed = join(project, "node_modules/@kalends/ical");
const readJson = (file: string): Record<string, unknown> => JSON.parse(readFileSync(file, "utf8"));

/** Runs a program and gives what it prints; rejects, with all it said, unless it exits 0. */
async function run(program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd: project });
  return stdout;
}

// As a user has it: the tarball, unpacked in an empty project.
beforeAll(async () => {
  // turbo builds before it tests and has the repository's pnpm on its PATH.
  const isBuilt = process.env["KALENDS_BUILT"] !== undefined;
  if (!isBuilt)
    await run(process.execPath, at("node_modules/typescript/bin/tsc"), "-p", at("tsconfig.build.json"));
  const { packageManager } = readJson(at("../../package.json"));
  const pack = ["pack", "--pack-destination", project];
  const [program, args] = isBuilt ? ["pnpm", pack] : ["npx", ["--yes", String(packageManager), ...pack]];
  await promisify(execFile)(program, args, { cwd: at(".") });
  mkdirSync(installed, { recursive: true });
  await run("tar", "-xzf", tarball(), "--strip-components=1", "-C", installed);
  mkdirSync(join(project, "node_modules/@types"), { recursive: true });
  symlinkSync(at("node_modules/@types/node"), join(project, "node_modules/@types/node"));
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

function tarball(): string {
  return join(project, readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "");
}

describe("the package @kalends/ical", () => {
  test("holds the code with its types, the README and the license, and nothing else", () => {
    const modules = readdirSync(at("src")).filter((name) => !name.endsWith(".test.ts"));
    const dist = modules.flatMap((name) => [
      `dist/${name.replace(/ts$/, "d.ts")}`,
      `dist/${name.replace(/ts$/, "js")}`,
    ]);
    const held = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    expect(held.sort()).toEqual([...dist, "LICENSE", "README.md", "package.json"].sort());
  });

  test("depends on nothing, and has nothing of Node or of this repository in its exports", () => {
    const { dependencies, exports } = readJson(join(installed, "package.json"));
    expect(dependencies).toBeUndefined();
    expect(JSON.stringify(exports)).not.toContain("src");
    for (const name of readdirSync(join(installed, "dist")))
      expect(readFileSync(join(installed, "dist", name), "utf8"), name).not.toMatch(
        /node:|\bBuffer\b|\bprocess\b/,
      );
  });

  test("does what the sample of its README says, compiled strictly and run by plain Node", async () => {
    const [, sample = ""] = /^```ts\n(.*?)^```/ms.exec(readFileSync(at("README.md"), "utf8")) ?? [];
    writeFileSync(join(project, "sample.ts"), sample);
    const options = ["--strict", "--target", "es2023", "--module", "nodenext", "--types", "node"];
    const tsc = at("node_modules/typescript/bin/tsc");
    await run(process.execPath, tsc, "--exactOptionalPropertyTypes", ...options, "sample.ts");
    const printed = await run(process.execPath, "sample.js");
    expect(faults(printed)).toEqual([]);
    expect(contentLines(printed).find(({ name }) => name === "SUMMARY")?.value).toBe("Opening night 🎉");
  });
});
