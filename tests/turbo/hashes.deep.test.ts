import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// turbo replays the result of a test whose hash it knows. So whatever a package's tests use must be declared in its
// package.json: a change of it then changes the hash. Here a copy of the repository is changed, one package after another.

const root = fileURLToPath(new URL("../..", import.meta.url));
const left = new Set(["node_modules", "dist", ".git", ".turbo", ".cache"]);
let copy = "";

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "kalends-turbo-"));
  copyFolder(root, copy);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Copies what stays: other tests may remove a file of theirs meanwhile, on which cpSync fails. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (left.has(entry.name)) continue;
    try {
      if (entry.isDirectory()) copyFolder(source, target);
      else copyFileSync(source, target);
    } catch (error) {
      if (existsSync(source)) throw error;
    }
  }
}

interface Package {
  readonly name: string;
  readonly folder: string;
}

interface Plan {
  readonly tasks: readonly { readonly package: string; readonly task: string; readonly hash: string }[];
}

/** The packages of a folder; `tests` is one itself. */
function packagesIn(group: string): readonly Package[] {
  return readdirSync(join(root, group), { withFileTypes: true })
    .map((entry) => join(group, entry.name))
    .flatMap((folder) => {
      const text = readText(join(root, folder, "package.json"));
      return text === undefined ? [] : [{ folder, name: String(JSON.parse(text).name) }];
    });
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const packages = [
  ...["apps", "packages", "examples"].flatMap(packagesIn),
  { name: "@kalends/tests", folder: "tests" },
];

/** Name of a package → hash of its tests, as turbo sees the copy now. */
function hashes(): ReadonlyMap<string, string> {
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: "1" };
  const args = ["run", "test", "--dry=json"];
  const turbo = join(root, "node_modules/.bin/turbo");
  const stdout = execFileSync(turbo, args, {
    cwd: copy,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: "pipe",
  });
  const { tasks }: Plan = JSON.parse(stdout);
  return new Map(tasks.filter(({ task }) => task === "test").map((task) => [task.package, task.hash]));
}

/** Of the copy as it stands: turbo takes its time. */
let known: ReadonlyMap<string, string> | undefined;

/** Packages whose tests run again after a change of this file. */
function changedBy(file: string): readonly string[] {
  const before = (known ??= hashes());
  expect(before.size).toBe(packages.length);
  appendFileSync(join(copy, file), "// changed\n");
  known = hashes();
  return [...known].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
}

/** Packages of which a file imports this one: by its name, or by the path to its folder. */
function usersOf({ name, folder }: Package): readonly string[] {
  const target = `"(${name}|(\\.\\./)+${folder})[/"]`;
  const named = new RegExp(`^[^"'\`\n]*(from |import |import\\(|resolve\\(|new URL\\()${target}`, "m");
  const uses = (one: Package) =>
    sourcesOf(one.folder).some((file) => named.test(readFileSync(join(root, file), "utf8")));
  return packages.filter((one) => one.name !== name && uses(one)).map((one) => one.name);
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !left.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sourcesOf(path);
      return path.endsWith(".ts") ? [path] : [];
    });
}

test("a change of the server runs its tests, those in tests/ and the example's again, and no others", () => {
  expect(changedBy("apps/server/src/process/app.ts").toSorted()).toEqual([
    "@kalends/example-holidays",
    "@kalends/server",
    "@kalends/tests",
  ]);
});

describe("a change runs the tests of every package that uses", () => {
  const changed = packages.filter(({ folder }) => !/^(tests|examples)/.test(folder));
  test.each(changed)("$name", (one) => {
    const users = usersOf(one);
    expect(users.length).toBeGreaterThan(0);
    const [source = ""] = sourcesOf(join(one.folder, "src"));
    const again = changedBy(source);
    expect(again).toEqual(expect.arrayContaining([one.name, ...users]));
  });
});

test("`npm test` counts the results of every package, and so does CI", () => {
  const code = 'import("./scripts/lib/workspace.mjs").then((m) => console.log(JSON.stringify(m.packages)))';
  const counted: readonly string[] = JSON.parse(
    execFileSync(process.execPath, ["-e", code], { cwd: root, encoding: "utf8" }),
  );
  expect(counted.toSorted()).toEqual(packages.map(({ folder }) => folder).toSorted());
  expect(readFileSync(join(root, ".ci/run"), "utf8")).toMatch(/^run_ring npm test .*--force/m);
});
