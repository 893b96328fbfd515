import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { contractIds } from "../src/operations.js";
import { type Json, record } from "./reading.js";

const readJson = (file: string): Json => JSON.parse(readFileSync(file, "utf8"));
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const project = mkdtempSync(join(tmpdir(), "kalends-spec-"));
const installed = join(project, "node_modules/@kalends/spec");
const documents = [
  "openapi-3.1.json",
  "openapi-generators.json",
  "openapi-kalends-generators.json",
  "openapi-kalends.json",
  "openapi-kalends.yaml",
  "openapi.json",
  "openapi.yaml",
];

/** Runs a program and gives what it prints; rejects, with all it said, unless it exits 0. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd });
  return stdout;
}

// As a user has it: the tarball, unpacked in an empty project, beside its two dependencies.
beforeAll(async () => {
  const { packageManager } = readJson(at("../../package.json"));
  const pack = ["pack", "--pack-destination", project];
  // turbo builds before it tests and has this pnpm on its PATH; else "prepack" builds.
  const isBuilt = process.env["KALENDS_BUILT"] !== undefined;
  if (isBuilt) await run("pnpm", [...pack, "--config.ignore-scripts=true"], at("."));
  else await run("npx", ["--yes", String(packageManager), ...pack], at("."));
  const [tarball = ""] = readdirSync(project).filter((name) => name.endsWith(".tgz"));
  mkdirSync(installed, { recursive: true });
  await run("tar", ["-xzf", join(project, tarball), "--strip-components=1", "-C", installed], project);
  const { dependencies } = readJson(join(installed, "package.json"));
  for (const name of Object.keys(record(dependencies))) {
    mkdirSync(join(project, "node_modules", name, ".."), { recursive: true });
    symlinkSync(realpathSync(at(`node_modules/${name}`)), join(project, "node_modules", name));
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe("the package @kalends/spec", () => {
  test("holds the documents, the schemas with their types, the README and the license, and nothing else", () => {
    const modules = readdirSync(at("src"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(at("src/").length).replace(/\.ts$/, ""));
    const dist = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
    const held = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    const want = [...dist, ...documents, "LICENSE", "README.md", "package.json"];
    expect(held.toSorted()).toEqual(want.toSorted());
  });

  test.each(documents)("holds %s as it is in the repository", (name) => {
    expect(readFileSync(join(installed, name)).equals(readFileSync(at(name)))).toBe(true);
  });

  test("is imported by plain Node in an empty project, and each document is found by its name", async () => {
    const script = `
      import { readFileSync } from "node:fs";
      import { createRequire } from "node:module";
      import { operations, contractIds, errors } from "@kalends/spec";
      import { openApiDocument } from "@kalends/spec/document";
      const params = operations.listEvents.params.parse({ calendar_id: "1", page: "2" });
      const { event_id } = operations.eventsDetails.params.parse({ event_id: "3" });
      const { resolve } = createRequire(process.cwd() + "/");
      const { info } = JSON.parse(readFileSync(resolve("@kalends/spec/openapi.json"), "utf8"));
      const same = info.version === openApiDocument("3.0.3").info.version;
      const found = ${JSON.stringify(documents)}.every((name) => readFileSync(resolve("@kalends/spec/" + name)).length > 0);
      console.log(JSON.stringify([params, contractIds.length, errors.token_missing.status, same, found, event_id]));
    `;
    const printed = await run(process.execPath, ["--input-type=module", "--eval", script], project);
    expect(JSON.parse(printed)).toEqual([
      { calendar_id: "1", page: "2" },
      contractIds.length,
      ...[401, true, true, "3"],
    ]);
  });

  test("type checks there, strictly and with its own declarations looked at", async () => {
    const use = `
      import { operations, type Params, type Payload } from "@kalends/spec";
      const params: Params<"listEvents"> = operations.listEvents.params.parse({ calendar_id: "1" });
      export const month: string | undefined = params.month;
      export function zones(payload: Payload<"listTimeZones">): string[] {
        return payload.data.map(({ label }) => label);
      }
      // @ts-expect-error -- the answer of save has no time zone (contract 2.3)
      export type Absent = Payload<"saveCalendar">["calendar"]["timezone"];
    `;
    const compilerOptions = { strict: true, noEmit: true, target: "es2023", module: "nodenext", types: [] };
    writeFileSync(join(project, "use.ts"), use);
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["use.ts"] }));
    expect(await run(at("node_modules/.bin/tsc"), ["-p", project], project)).toBe("");
  });
});
