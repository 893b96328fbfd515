import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packRelease, type Release } from "./pack.js";
import { git, packagesOf, pendingChangesets, pnpm, root, versionedPackages } from "./repository.js";

export interface DryRun extends Release {
  /** Temporary folder of all that follows; the caller removes it. */
  readonly folder: string;
  /** The repository at the tag. */
  readonly clone: string;
  /** Where the tarballs are. */
  readonly output: string;
  readonly tag: string;
}

/**
 * Makes a release in a copy of the repository, as it stands in the working tree: versions and changelogs, the commit, the tag, and
 * the tarballs. Nothing is published.
 * @param tag such as "v1.2.0"; without it, the tag of the version that the pending changesets lead to
 */
export async function dryRun(tag?: string): Promise<DryRun> {
  const folder = mkdtempSync(join(tmpdir(), "kalends-dry-run-"));
  const clone = join(folder, "kalends");
  copyRepository(clone);
  const current = versionOf(clone);
  if (pendingChangesets(clone).length > 0 || tag !== `v${current}`) {
    if (pendingChangesets(clone).length === 0) writeChangeset(clone, bumpTo(tag, current));
    execFileSync(process.execPath, [changesetCommand, "version"], { cwd: clone, stdio: "pipe" });
    commit(clone, "release: version the packages");
  }
  const tagged = tag ?? `v${versionOf(clone)}`;
  git(clone, "tag", tagged);
  const output = join(folder, "tarballs");
  const filters = packagesOf(clone)
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ manifest }) => `--filter=${manifest.name}...`);
  pnpm(
    clone,
    "install",
    "--frozen-lockfile",
    "--offline", // what the copy needs is installed in the repository, from the same lock file
    ...storeOf(root),
    "--ignore-scripts",
    "--filter=kalends",
    ...filters,
  );
  return { ...(await packRelease(clone, tagged, output)), folder, clone, output, tag: tagged };
}

/** The store that the repository was installed from: below another file system pnpm would begin a new one. */
function storeOf(repository: string): readonly string[] {
  const text = readFileSync(join(repository, "node_modules/.modules.yaml"), "utf8");
  const [, folder] = /"?\bstoreDir"?: "?([^",\n]+)/.exec(text) ?? [];
  return folder === undefined ? [] : [`--store-dir=${folder}`];
}

const changesetCommand = createRequire(import.meta.url).resolve("@changesets/cli/bin.js");

/** Copies what git would commit now, and commits it there. */
function copyRepository(clone: string): void {
  const files = git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0");
  for (const file of files.filter((name) => name !== "")) {
    try {
      cpSync(join(root, file), join(clone, file));
    } catch (error) {
      if (existsSync(join(root, file))) throw error; // else it is removed, perhaps just now by a test
    }
  }
  git(clone, "init", "--quiet", "--initial-branch=main");
  commit(clone, "release: copy the working tree");
}

function commit(clone: string, subject: string): void {
  const author = ["-c", "user.name=Dry run", "-c", "user.email=dry-run@example.com"];
  git(clone, "add", "--all");
  git(clone, ...author, "commit", "--quiet", "--no-verify", "-m", subject);
}

function versionOf(clone: string): string {
  const [first] = versionedPackages(clone);
  if (first === undefined) throw new Error("No package has a version.");
  return first.manifest.version;
}

/** A made-up change of every package. */
function writeChangeset(clone: string, bump: string): void {
  const lines = versionedPackages(clone).map(({ manifest }) => `"${manifest.name}": ${bump}`);
  writeFileSync(
    join(clone, ".changeset/dry-run.md"),
    `---\n${lines.join("\n")}\n---\n\nA change of the dry run.\n`,
  );
}

/** The bump that leads from one version to the tag of another. */
function bumpTo(tag: string | undefined, current: string): string {
  const parts = (version: string): readonly string[] => version.replace("v", "").split(".");
  const [[major, minor], [oldMajor, oldMinor]] = [parts(tag ?? ""), parts(current)];
  if (tag === undefined) return "minor";
  if (major !== oldMajor) return "major";
  return minor === oldMinor ? "patch" : "minor";
}
