import { equal, expect } from "../engine/assert.js";
import { reads } from "../engine/check.js";
import { isWrite, pathOf } from "../engine/operations.js";
import { member, text } from "../engine/json.js";
import { extension, served } from "../steps/extensions.js";

/** Sentences of docs/extensions.md. */
export const sentences = {
  "X1.1 document": "The document of the extensions is served at /openapi-kalends.json, apart from the contract's.",
};

/** extensions X1.1: the document. */
export const checks = [
  extension(
    "document.operations",
    ["X1.1 document", "X1.2 methods"],
    "The document has the operations, below /api/kalends/v1/ and /console/api/",
    reads,
    async (kit) => {
      const { body } = await served(kit);
      const paths = member(body, "paths");
      for (const name of kit.session.extensionNames) {
        const methods = Object.keys(member(paths, pathOf(name))).filter((key) => /^(get|post|put|patch|delete)$/.test(key));
        equal(methods, [isWrite(name) ? "post" : "get"], `methods of ${name}`);
      }
      const astray = Object.keys(paths).filter((path) => !/^\/(api\/kalends\/v1|console\/api)\//.test(path));
      equal(astray, [], "paths elsewhere");
    },
  ),
  extension("document.version", "X1.1 document", "The document is OpenAPI 3.1, in JSON", reads, async (kit) => {
    const { body, headers } = await served(kit);
    expect(text(member({ body }, "body"), "openapi").startsWith("3.1."), "openapi: expected 3.1.x.");
    expect((headers["content-type"] ?? "").includes("json"), `Content-Type: expected JSON, got ${headers["content-type"]}.`);
  }),
];
