import { execFileSync } from "node:child_process";
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
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "kalends-release-"));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly url: string; readonly directory?: string };
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return manifest;
}

/** The packages that release.yml publishes, in its order. */
const folders = ["packages/spec", "packages/ical", "packages/client", "packages/conformance", "apps/server"];
const packages = folders.map((folder) => {
  const { name, version } = readManifest(join(root, folder));
  const tarball = join(project, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  return { folder, name, version, tarball, installed: join(project, "node_modules", name) };
});

// As a user has them: the tarballs, unpacked in an empty project, beside what they depend on. The build is that of the repository.
beforeAll(() => {
  const filters = packages.map(({ name }) => `--filter=${name}`);
  const pack = ["pack", `--pack-destination=${project}`, "--config.ignore-scripts=true"];
  execFileSync(process.execPath, ["scripts/run.mjs", "pnpm", ...filters, ...pack], {
    cwd: root,
    stdio: "pipe",
  });
  for (const { folder, tarball, installed } of packages) {
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", installed]);
    for (const name of Object.keys(readManifest(installed).dependencies ?? {})) {
      if (name.startsWith("@kalends/")) continue;
      const link = join(installed, "node_modules", name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(realpathSync(join(root, folder, "node_modules", name)), link, "junction");
    }
  }
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd: project, encoding: "utf8" });

describe.each(packages)("the packed $name", ({ folder, name, version, tarball, installed }) => {
  test("is right for publint", async () => {
    const pack = { tarball: new Uint8Array(readFileSync(tarball)).buffer };
    expect((await publint({ pack, strict: true })).messages).toEqual([]);
  });

  test("has its README and license, and neither tests nor a path of the machine that built it", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file));
    const names = files.map((file) => file.slice(installed.length + 1));
    expect(names).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(
      names.filter((file) => /(?:^|\/)(?:tests?|src|scripts|bench)\/|\.test\.|tsconfig/.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => readFileSync(file, "utf8").includes(root))).toEqual([]);
  });

  test("names its folder, and depends on exact versions, of our packages on its own", () => {
    const { repository, bugs, dependencies = {}, ...manifest } = readManifest(installed);
    const address = "https://github.com/kalends/kalends";
    expect(manifest).toMatchObject({ version, homepage: `${address}/tree/main/${folder}#readme` });
    expect({ bugs, repository }).toEqual({
      bugs: `${address}/issues`,
      repository: { type: "git", url: `git+${address}.git`, directory: folder },
    });
    for (const [dependency, wanted] of Object.entries(dependencies)) {
      expect(wanted, dependency).toMatch(/^\d+\.\d+\.\d+$/);
      if (dependency.startsWith("@kalends/")) expect([dependency, wanted]).toEqual([dependency, version]);
    }
  });

  test("is imported by plain Node, which finds each export, and its command runs", () => {
    const { exports = {}, bin = {} } = readManifest(installed);
    const names = Object.keys(exports).map((key) => name + key.slice(1));
    const program = `
      for (const name of ${JSON.stringify(names)}) import.meta.resolve(name);
      ${"." in exports ? `if (Object.keys(await import("${name}")).length === 0) throw new Error("exports nothing");` : ""}`;
    run("--input-type=module", "--eval", program);
    for (const file of Object.values(bin)) expect(run(join(installed, file), "--help")).toContain("Usage:");
  });
});

test("every package that is not private is published, in one version that CHANGELOG.md begins with", () => {
  const all = ["apps", "packages"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  const published = all.filter((folder) => readManifest(join(root, folder)).private !== true);
  expect(published.toSorted()).toEqual(folders.toSorted());
  const [version, ...others] = new Set(packages.map((one) => one.version));
  expect(others).toEqual([]);
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toMatch(
    new RegExp(`^# Changelog\n\n(?:## Unreleased\n[^]*?)?## ${String(version)}\n`),
  );
});
