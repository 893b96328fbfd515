import { OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";
import { mixedErrorName } from "./document-errors.js";
import {
  contact,
  contractLink,
  description,
  documentVersion,
  externalDocs,
  fullTexts,
  headers,
  license,
  securitySchemes,
  servers,
  tags,
  title,
} from "./document-info.js";
import { type Definitions, definitionsOf } from "./document-operations.js";
import { type OpenApiDocument, shareParameters } from "./document-parameters.js";
import { apiErrorSchema, integerApiErrorSchema } from "./errors.js";
import { operations } from "./operations.js";

export type OpenApiVersion = "3.0.3" | "3.1.0";
export { exampleBody } from "./document-operations.js";
export type { OpenApiDocument } from "./document-parameters.js";

/**
 * The operations of the contract as an OpenAPI document. Pure: the same table gives the same document. It keeps to what 3.0 and
 * 3.1 write the same way, so the two differ in the version alone (test: document.test.ts).
 */
export function openApiDocument(version: OpenApiVersion): OpenApiDocument {
  const info = { title, version: documentVersion, description: description(fullTexts), contact, license };
  const security = [{ bearer: [] }, { token: [] }];
  const config = { openapi: version, info, servers, tags, security, externalDocs };
  return shareParameters(new OpenApiGeneratorV3(definitions()).generateDocument(config));
}

/** What the generator prints: the named schemas, then components and paths. */
export function definitions(): Definitions {
  return definitionsOf(operations, {
    securitySchemes,
    headers,
    schemas: { [mixedErrorName]: mixedError },
    errors: [apiErrorSchema, integerApiErrorSchema],
    linkOf: contractLink,
  });
}

/** A request can be so malformed that its path is not known yet; then the code is a string. */
const mixedError = {
  description:
    "The body of a 400 of the time zone list. `meta.code` is a string when the request is not well-formed HTTP.",
  anyOf: [
    { $ref: "#/components/schemas/ErrorBodyWithIntegerCode" },
    { $ref: "#/components/schemas/ErrorBody" },
  ],
};
