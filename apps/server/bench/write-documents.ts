import { writeDocuments } from "./documents.js";
import { readResults } from "./run.js";

// Writes the figures of results.json into README.md and docs/capacity.md, as each whole run does.

writeDocuments(readResults());
