import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DryRun, dryRun } from "../scripts/copy.js";
import { packRelease } from "../scripts/pack.js";
import { git, root, versionedPackages } from "../scripts/repository.js";

let run: DryRun;
let version: string;

beforeAll(async () => {
  run = await dryRun();
  version = run.tag.replace("v", "");
});
afterAll(() => rmSync(run.folder, { recursive: true, force: true }));

const published = ["client", "conformance", "ical", "server", "spec"];

describe("a release, from its changesets to the tarballs", () => {
  test("packs each published package without a problem", () => {
    expect(run.problems).toEqual([]);
    expect(run.tarballs.toSorted()).toEqual(published.map((name) => `kalends-${name}-${version}.tgz`));
  });

  test("packs a package after those it depends on, so that they can be published in this order", () => {
    const place = (name: string): number => run.tarballs.indexOf(`kalends-${name}-${version}.tgz`);
    for (const name of ["conformance", "server"]) expect(place(name)).toBeGreaterThan(place("spec"));
  });

  test("gives the published packages one new version, and tags the commit", () => {
    const versions = versionedPackages(run.clone).map(({ manifest }) => [manifest.name, manifest.version]);
    const names = published.map((name) => `@kalends/${name}`);
    expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(names.map((name) => [name, version])));
    expect(versionedPackages(root).map(({ manifest }) => manifest.version)).not.toContain(version);
    expect(git(run.clone, "tag", "--points-at", "HEAD").trim()).toBe(run.tag);
  });

  test("changes nothing but versions, changelogs and changesets", () => {
    const changed = git(run.clone, "diff", "--name-only", "HEAD~1").trim().split("\n");
    const folders = versionedPackages(run.clone).map(({ folder }) => folder);
    const own = folders.flatMap((folder) => [`${folder}/CHANGELOG.md`, `${folder}/package.json`]);
    expect(changed.filter((name) => !name.startsWith(".changeset/")).toSorted()).toEqual(own.toSorted());
  });

  test("has notes with the sentences of the changesets and nothing of earlier versions", () => {
    const notes = readFileSync(join(run.output, "notes.md"), "utf8");
    expect(notes).toMatch(/^## @kalends\/\w+\n\n### (?:Major|Minor|Patch) Changes\n\n- /);
    expect(notes).not.toContain("The first release.");
  });
});

describe("a release is refused before it is built", () => {
  const problems = async (tag: string): Promise<readonly string[]> => {
    const { tarballs, problems: found } = await packRelease(run.clone, tag, run.output);
    expect(tarballs).toEqual([]);
    return found;
  };

  test("for a tag that is none, or that names another version", async () => {
    expect(await problems("release-2")).toEqual(["release-2 is no tag of a release, such as v1.2.0"]);
    expect(await problems("v99.0.0")).toHaveLength(5);
    expect((await problems("v99.0.0")).join()).toContain(
      `packages/spec has the version ${version}, the tag is v99.0.0`,
    );
  });

  test("while a changeset waits, or a change is not committed", async () => {
    writeFileSync(join(run.clone, ".changeset/late.md"), '---\n"@kalends/spec": patch\n---\n\nLate.\n');
    appendFileSync(join(run.clone, "README.md"), "\nMore.\n");
    const [first = "", ...others] = await problems(run.tag);
    expect(first).toContain("README.md");
    expect(others).toEqual([".changeset/late.md is not in a changelog yet: run changeset version"]);
  });
});
