// Keeps openapi.json as a released version: openapi/released/<version>.json and its line in SHA256SUMS.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { member } from "./compat/json.js";
import { readJson, releasedFolder, sha256, sumsFile } from "./compat/released.js";

const source = fileURLToPath(new URL("../openapi.json", import.meta.url));
const name = `${String(member(readJson(source), "info")["version"])}.json`;
if (existsSync(`${releasedFolder}${name}`)) {
  console.error(`openapi/released/${name} exists: raise documentVersion in src/document.ts first.`);
  process.exitCode = 1;
} else {
  const bytes = readFileSync(source);
  writeFileSync(`${releasedFolder}${name}`, bytes);
  appendFileSync(sumsFile, `${sha256(bytes)}  ${name}\n`);
  console.log(`Released openapi/released/${name}`);
}
