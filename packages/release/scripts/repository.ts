import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository that this file belongs to. */
export const root = fileURLToPath(new URL("../../..", import.meta.url)).replace(/[\\/]$/, "");

/** What a release reads of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string;
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly url: string; readonly directory?: string };
  readonly exports?: unknown;
  readonly bin?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package of the repository and its folder, relative to the root. */
export interface Package {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Returns every package of a clone. */
export function packagesOf(clone: string): readonly Package[] {
  return ["apps", "examples", "packages"].flatMap((group) =>
    readdirSync(join(clone, group)).flatMap((name) => {
      const folder = `${group}/${name}`;
      try {
        const manifest: Manifest = JSON.parse(readFileSync(join(clone, folder, "package.json"), "utf8"));
        return [{ folder, manifest }];
      } catch {
        return []; // a folder of examples without a package
      }
    }),
  );
}

/** Returns the packages that have the version of a release: the fixed group of .changeset/config.json. */
export function versionedPackages(clone: string): readonly Package[] {
  const config: { readonly fixed: readonly (readonly string[])[] } = JSON.parse(
    readFileSync(join(clone, ".changeset/config.json"), "utf8"),
  );
  const names = config.fixed.flat();
  return packagesOf(clone).filter(({ manifest }) => names.includes(manifest.name));
}

/** Returns the files of changesets that no release has taken up yet. */
export function pendingChangesets(clone: string): readonly string[] {
  return readdirSync(join(clone, ".changeset")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
}

/** Runs git in a clone and returns its output. */
export function git(clone: string, ...args: readonly string[]): string {
  return execFileSync("git", [...args], { cwd: clone, encoding: "utf8", maxBuffer: 1e8 });
}

/** Runs the repository's pnpm in a clone; what it prints is shown only when it fails. */
export function pnpm(clone: string, ...args: readonly string[]): void {
  try {
    execFileSync(process.execPath, ["scripts/run.mjs", "pnpm", ...args], { cwd: clone, stdio: "pipe" });
  } catch (error) {
    const output =
      error instanceof Error && "stdout" in error && "stderr" in error
        ? `${String(error.stdout)}${String(error.stderr)}`
        : "";
    throw new Error(`pnpm ${args.join(" ")} failed:\n${output}`, { cause: error });
  }
}
