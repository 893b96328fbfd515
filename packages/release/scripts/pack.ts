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
 * Builds and packs each package that is published, and checks the tarballs. Writes them, and the release notes as notes.md, to
 * the output folder.
 * @param clone the repository at the tag, with its dependencies installed
 * @param tag such as "v1.2.0"
 */
export async function packRelease(clone: string, tag: string, output: string): Promise<Release> {
  const early = problemsOfTag(clone, tag);
  if (early.length > 0) return { tarballs: [], problems: early };
  const packages = inOrder(versionedPackages(clone).filter(({ manifest }) => manifest.private !== true));
  const filters = packages.map(({ manifest }) => `--filter=${manifest.name}`);
  mkdirSync(output, { recursive: true });
  pnpm(clone, ...filters, "run", "build");
  pnpm(clone, ...filters, "pack", `--pack-destination=${output}`, "--config.ignore-scripts=true");
  writeFileSync(join(output, "notes.md"), releaseNotes(clone));
  const tarballs = packages.map(({ manifest }) => tarballOf(manifest));
  const project = mkdtempSync(join(tmpdir(), "kalends-release-"));
  try {
    const unpacked = packages.map((one) => unpack(one, join(output, tarballOf(one.manifest)), project));
    const released = packages.map(({ manifest }) => manifest.name);
    const wrong = packages.map(({ folder, manifest }, index) => {
      const expected = {
        name: manifest.name,
        version: manifest.version,
        folder,
        released,
        buildFolders: [clone],
      };
      return problemsOf(unpacked[index]?.packed ?? new Map(), expected);
    });
    const lint = await Promise.all(
      packages.map(({ manifest }) => problemsOfLint(join(output, tarballOf(manifest)))),
    );
    const imports = problemsOfImports(
      project,
      clone,
      unpacked.map(({ folder, manifest }) => ({ folder, manifest })),
    );
    return { tarballs, problems: [...wrong.flat(), ...lint.flat(), ...imports] };
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

function tarballOf({ name, version }: Manifest): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

function unpack(one: Package, tarball: string, project: string): Package & { readonly packed: Packed } {
  const at = join(project, "node_modules", one.manifest.name);
  mkdirSync(at, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "--strip-components=1", "-C", at]);
  const files = readdirSync(at, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const packed = new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(at.length + 1).replaceAll("\\", "/"), readFileSync(path, "utf8")] as const;
    }),
  );
  const manifest: Manifest = JSON.parse(packed.get("package.json") ?? "{}");
  return { folder: one.folder, manifest, packed };
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
