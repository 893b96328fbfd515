// Writes the printed files: `npm run emit` all of them, the build those that are not committed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { printedFiles } from "./printed.js";

const isBuild = process.argv.includes("--build");
for (const { path, text, isCommitted } of printedFiles()) {
  if (isBuild && isCommitted) continue;
  // A file that stays the same is not written: a server or a test may read it at this moment.
  if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
}
