import { execFileSync } from "node:child_process";
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Manifest, Package } from "./repository.js";

/**
 * Imports the main export of each package that has one with plain Node, and resolves the others, in a project that has only the packages and
 * what they depend on. Returns what went wrong.
 * @param project a folder whose node_modules has the unpacked packages
 * @param clone where their dependencies are installed
 */
export function problemsOfImports(
  project: string,
  clone: string,
  packages: readonly Package[],
): readonly string[] {
  const ours = packages.map(({ manifest }) => manifest.name);
  for (const { manifest, folder } of packages) {
    const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    for (const name of names.filter((other) => !ours.includes(other))) {
      const installed = realpathSync(join(clone, folder, "node_modules", name));
      link(installed, join(project, "node_modules", manifest.name, "node_modules", name));
    }
  }
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(project, "imports.mjs"), program(packages.map(({ manifest }) => manifest)));
  const output = execFileSync(process.execPath, ["imports.mjs"], { cwd: project, encoding: "utf8" });
  return output.split("\n").filter((line) => line !== "");
}

function program(manifests: readonly Manifest[]): string {
  const exported = manifests.map(({ name, exports }) =>
    Object.keys(typeof exports === "object" && exports !== null ? exports : {}).map(
      (key) => name + key.slice(1),
    ),
  );
  const names = manifests.map(({ name }) => name).filter((name) => exported.flat().includes(name));
  return `
for (const name of ${JSON.stringify(exported.flat())}) {
  try { import.meta.resolve(name); } catch (error) { console.log(name + " does not resolve: " + error.message); }
}
for (const name of ${JSON.stringify(names)}) {
  try {
    if (Object.keys(await import(name)).length === 0) console.log(name + " exports nothing");
  } catch (error) { console.log(name + " cannot be imported: " + error.message); }
}
`;
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}
