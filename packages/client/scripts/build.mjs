// Builds the package twice: ES modules in dist, CommonJS in dist/cjs, each with its types.
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
process.chdir(fileURLToPath(new URL("..", import.meta.url)));

rmSync("dist", { recursive: true, force: true });
for (const [project, folder] of [
  ["tsconfig.build.json", "dist"],
  ["tsconfig.cjs.json", "dist/cjs"],
]) {
  execFileSync(process.execPath, [tsc, "-p", project], { stdio: "inherit" });
  copyFileSync("src/schema.d.ts", `${folder}/schema.d.ts`); // tsc does not copy it
}
// The package.json above says "module".
writeFileSync("dist/cjs/package.json", `${JSON.stringify({ type: "commonjs", sideEffects: false })}\n`);
