import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { problemsOfImports } from "./imports.js";
import { problemsOf, type Packed } from "./problems.js";
import {
  git,
  type Manifest,
  type Package,
  pendingChangesets,
  pnpm,
  versionedPackages,
} from "./repository.js";

export interface Release {
  /** Names of the tarballs in the output folder, in an order in which they can be published. */
  readonly tarballs: readonly string[];
  /** What must be fixed before the release; the tarballs are complete only when it is empty. */
  readonly problems: readonly string[];
}

/**
 * Builds and packs each package that is published, and checks the tarballs. Writes them to the output folder, with their names as
 * tarballs.txt and the release notes as notes.md.
 * @param clone the repository at the tag, with its dependencies installed
 * @param tag such as "v1.2.0"
 */
export async function packRelease(clone: string, tag: string, output: string): Promise<Release> {
  const early = problemsOfTag(clone, tag);
  if (early.length > 0) return { tarballs: [], problems: early };
  const packages = inOrder(versionedPackages(clone).filter(({ manifest }) => manifest.private !== true));
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  mkdirSync(output, { recursive: true });
  // With what they are built of, such as the console, which is published in the server.
  pnpm(clone, ...filters.map((filter) => `${filter}...`), "run", "build");
  pnpm(clone, ...filters, "pack", `--pack-destination=${output}`, "--config.ignore-scripts=true");
  const tarballs = packages.map(({ manifest }) => tarballOf(manifest));
  writeFileSync(join(output, "tarballs.txt"), `${tarballs.join("\n")}\n`);
  writeFileSync(join(output, "notes.md"), releaseNotes(clone));
  return { tarballs, problems: await problemsOfTarballs(clone, packages, output) };
}

/** What shows in the tarballs: their files, publint's opinion, and whether Node can import them. */
async function problemsOfTarballs(
  clone: string,
  packages: readonly Package[],
  output: string,
): Promise<readonly string[]> {
  const project = mkdtempSync(join(tmpdir(), "kalends-release-"));
  const released = packages.map(({ manifest }) => manifest.name);
  try {
    const unpacked = packages.map(({ folder, manifest: { name, version } }) => {
      const tarball = join(output, tarballOf({ name, version }));
      const packed = unpack(tarball, join(project, "node_modules", name));
      const expected = { name, version, folder, released, buildFolders: [clone] };
      const manifest: Manifest = JSON.parse(packed.get("package.json") ?? "{}");
      return { folder, manifest, tarball, problems: problemsOf(packed, expected) };
    });
    return [
      ...unpacked.flatMap(({ problems }) => problems),
      ...(await Promise.all(unpacked.map(({ tarball }) => problemsOfLint(tarball)))).flat(),
      ...problemsOfImports(project, clone, unpacked),
    ];
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** What shows before anything is built. */
function problemsOfTag(clone: string, tag: string): readonly string[] {
  if (!/^v\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(tag)) return [`${tag} is no tag of a release, such as v1.2.0`];
  const changed = git(clone, "status", "--porcelain").trim();
  return [
    ...(changed === "" ? [] : [`There are changes that are not committed:\n${changed}`]),
    ...pendingChangesets(clone).map(
      (name) => `.changeset/${name} is not in a changelog yet: run changeset version`,
    ),
    ...versionedPackages(clone)
      .filter(({ manifest }) => `v${manifest.version}` !== tag)
      .map(({ folder, manifest }) => `${folder} has the version ${manifest.version}, the tag is ${tag}`),
  ];
}

/** Dependencies first: no published package may name a version that is not published yet. */
function inOrder(packages: readonly Package[]): readonly Package[] {
  const depth = ({ manifest }: Package): number =>
    1 +
    Math.max(0, ...packages.filter((one) => one.manifest.name in (manifest.dependencies ?? {})).map(depth));
  return packages.toSorted((one, other) => depth(one) - depth(other));
}

function tarballOf({ name, version }: Pick<Manifest, "name" | "version">): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Unpacks a tarball into a folder. Returns its files. */
function unpack(tarball: string, at: string): Packed {
  mkdirSync(at, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", at]);
  const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(at.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")] as const;
    }),
  );
}

async function problemsOfLint(tarball: string): Promise<readonly string[]> {
  const { messages, pkg } = await publint({
    pack: { tarball: new Uint8Array(readFileSync(tarball)).buffer },
    strict: true,
  });
  return messages.map(
    (message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`,
  );
}

/** What the changelogs say about this version, the server first. */
function releaseNotes(clone: string): string {
  const sections = versionedPackages(clone).flatMap(({ folder, manifest }) => {
    const changelog = readFileSync(join(clone, folder, "CHANGELOG.md"), "utf8");
    const [, after = ""] = changelog.split(`\n## ${manifest.version}\n`);
    const [text = ""] = after.split("\n## ");
    return text.trim() === "" ? [] : [`## ${manifest.name}\n\n${text.trim()}`];
  });
  return `${sections.join("\n\n")}\n`;
}
