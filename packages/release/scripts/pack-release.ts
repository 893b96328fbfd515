// Packs the release of a tag, for the workflow that publishes it. Run it in a clean clone at the tag:
// npm run pnpm -- --filter @kalends/release pack-release v1.2.0 FOLDER
import { resolve } from "node:path";
import { packRelease } from "./pack.js";
import { root } from "./repository.js";

const [tag, output] = process.argv.slice(2);
if (tag === undefined || output === undefined) throw new Error("Usage: pack-release TAG FOLDER");
const { tarballs, problems } = await packRelease(root, tag, resolve(output));
for (const tarball of tarballs) console.log(tarball);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
