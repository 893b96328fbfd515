import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Writes testing.d.ts, the types of @kalends/server/testing, from its file alone: they name no others.
 * @param {string} folder
 */
export function writeTestingTypes(folder) {
  const compiler = ["node_modules/typescript/bin/tsc", "--ignoreConfig", "--singleThreaded", "--noCheck"];
  const source = ["--noResolve", "--target", "es2023", "--module", "nodenext", "--types", ""];
  const output = ["--declaration", "--emitDeclarationOnly", "--outDir", folder];
  execFileSync(process.execPath, [...compiler, ...source, ...output, "src/process/testing.ts"], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
}
