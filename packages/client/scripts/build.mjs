// Builds the package twice: ES modules in dist, CommonJS in dist/cjs, each with its types.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const built = mkdtempSync("node_modules/.build-");
try {
  for (const [project, folder] of [
    ["tsconfig.build.json", built],
    ["tsconfig.cjs.json", join(built, "cjs")],
  ]) {
    execFileSync(process.execPath, [tsc, "-p", project, "--outDir", folder], { stdio: "inherit" });
    copyFileSync("src/schema.d.ts", join(folder, "schema.d.ts")); // tsc does not copy it
  }
  // The package.json above says "module".
  writeFileSync(join(built, "cjs/package.json"), JSON.stringify({ type: "commonjs", sideEffects: false }));
  replaceDist(files(built));
} finally {
  rmSync(built, { recursive: true });
}

/**
 * File by file, so that whoever packs or imports the package meanwhile finds whole files.
 *
 * @param {string[]} names
 */
function replaceDist(names) {
  for (const name of names) {
    mkdirSync(dirname(join("dist", name)), { recursive: true });
    renameSync(join(built, name), join("dist", name));
  }
  for (const old of files("dist")) if (!names.includes(old)) rmSync(join("dist", old), { force: true });
}

/**
 * @param {string} folder
 * @returns {string[]} the paths of its files, relative to it
 */
function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
