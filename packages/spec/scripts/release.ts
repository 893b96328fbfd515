// Keeps each printed document as a released version, unless that version is released already.
import { gatedDocuments } from "./compat/documents.js";
import { release } from "./compat/released.js";

for (const document of gatedDocuments) {
  const { file, versionIn } = document;
  const path = release(document);
  if (path === undefined)
    console.log(`${file}: this version is released. If it has changed, raise the version of ${versionIn}.`);
  else console.log(`Released ${path}`);
}
