// Makes the next release in a copy of the repository, as far as its tarballs: npm run pnpm -- --filter @kalends/release dry-run
import { statSync } from "node:fs";
import { join } from "node:path";
import { dryRun } from "./copy.js";

const [tag] = process.argv.slice(2);
const { output, tarballs, problems, tag: tagged } = await dryRun(tag);
for (const tarball of tarballs)
  console.log(`${join(output, tarball)}, ${statSync(join(output, tarball)).size} bytes`);
for (const problem of problems) console.error(problem);
console.log(`Release ${tagged}: ${tarballs.length} tarballs, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
