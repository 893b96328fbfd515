// The breaking-change gate: compares openapi.json with the released documents. Part of `npm run check`.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { problems, readApprovals } from "./compat/gate.js";
import { member } from "./compat/json.js";
import { alteredReleases, readJson, releasedDocuments } from "./compat/released.js";

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));
const document = readJson(at("openapi.json"));
const version = String(member(document, "info")["version"]);
const approvals = readApprovals(readFileSync(at("openapi/approved-changes.md"), "utf8"));
const found = [...alteredReleases(), ...problems(releasedDocuments(), { version, document }, approvals)];

for (const problem of found) console.error(problem);
if (found.length > 0) {
  console.error(`compat: ${found.length} to settle before packages/spec/openapi.json can be published.`);
  process.exitCode = 1;
}
