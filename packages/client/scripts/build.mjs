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

const { resolve } = createRequire(import.meta.url);
// What TypeScript 7 has checked, TypeScript 5 only prints: moduleResolution node10 is unknown to 7.
const compilers = {
  7: [resolve("../../../node_modules/typescript/bin/tsc"), "--singleThreaded"],
  5: [resolve("typescript/bin/tsc"), "--noCheck"],
};
process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const built = mkdtempSync("node_modules/.build-");
try {
  for (const { compiler, project, folder } of [
    { compiler: compilers[7], project: "tsconfig.build.json", folder: built },
    { compiler: compilers[5], project: "tsconfig.cjs.json", folder: join(built, "cjs") },
  ]) {
    execFileSync(process.execPath, [...compiler, "-p", project, "--outDir", folder], { stdio: "inherit" });
    // tsc does not copy them
    for (const name of ["schema.d.ts", "extensions/schema.d.ts"])
      copyFileSync(join("src", name), join(folder, name));
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
