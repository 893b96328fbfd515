// The breaking-change gate: compares each printed document with its releases. Part of `npm run check`.
import { gatedDocuments } from "./compat/documents.js";
import { documentProblems } from "./compat/gate.js";

for (const document of gatedDocuments) {
  const found = documentProblems(document);
  for (const problem of found) console.error(problem);
  if (found.length === 0) continue;
  console.error(`compat: ${found.length} to settle before packages/spec/${document.file} can be published.`);
  process.exitCode = 1;
}
