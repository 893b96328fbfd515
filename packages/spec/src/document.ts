import { OpenAPIRegistry, OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";
import {
  errorExamples,
  errorResponses,
  errorResponsesOf,
  headerReferences,
  mixedErrorName,
  rateHeaders,
} from "./document-errors.js";
import {
  contact,
  contractLink,
  externalDocs,
  description,
  documentVersion,
  fullTexts,
  headers,
  license,
  securitySchemes,
  servers,
  tags,
  title,
} from "./document-info.js";
import { type OpenApiDocument, shareParameters } from "./document-parameters.js";
import { apiErrorSchema, integerApiErrorSchema } from "./errors.js";
import {
  body,
  hasIntegerCode,
  isWrite,
  type Method,
  type ObjectSchema,
  type Operation,
} from "./operation.js";
import { type OperationId, operationIds, operations } from "./operations.js";

export type OpenApiVersion = "3.0.3" | "3.1.0";
export type { OpenApiDocument } from "./document-parameters.js";

/**
 * The operation table as an OpenAPI document. Pure: the same table gives the same document. It keeps to what 3.0 and 3.1
 * write the same way, so the two differ in the version alone (test: document.test.ts).
 */
export function openApiDocument(version: OpenApiVersion): OpenApiDocument {
  const info = { title, version: documentVersion, description: description(fullTexts), contact, license };
  const security = [{ bearer: [] }, { token: [] }];
  const config = { openapi: version, info, servers, tags, security, externalDocs };
  return shareParameters(new OpenApiGeneratorV3(definitions()).generateDocument(config));
}

/** What the generator prints: the named schemas, then components and paths. */
export function definitions(): ConstructorParameters<typeof OpenApiGeneratorV3>[0] {
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(securitySchemes))
    registry.registerComponent("securitySchemes", name, scheme);
  for (const [name, response] of Object.entries({ ...errorResponses(), NotModified: notModified }))
    registry.registerComponent("responses", name, response);
  for (const [name, header] of Object.entries(headers)) registry.registerComponent("headers", name, header);
  for (const [name, example] of Object.entries(errorExamples()))
    registry.registerComponent("examples", name, example);
  registry.registerComponent("schemas", mixedErrorName, mixedError);
  for (const id of operationIds) registerOperation(registry, id);
  const named = [apiErrorSchema, integerApiErrorSchema, ...operationIds.map((id) => bodySchema(id))];
  return [...named.map((schema) => ({ type: "schema" as const, schema })), ...registry.definitions];
}

const notModified = {
  description: "The list is still the one you have.",
  headers: headerReferences(["X-Request-Id", "ETag"]),
};

/** A request can be so malformed that its path is not known yet; then the code is a string. */
const mixedError = {
  description:
    "The body of a 400 of the time zone list. `meta.code` is a string when the request is not well-formed HTTP.",
  anyOf: [
    { $ref: "#/components/schemas/ErrorBodyWithIntegerCode" },
    { $ref: "#/components/schemas/ErrorBody" },
  ],
};

function registerOperation(registry: OpenAPIRegistry, id: OperationId): void {
  const op: Operation = operations[id];
  registry.registerComponent("responses", `${pascal(id)}Result`, {
    description: op.returns,
    headers: headerReferences(successHeaders(op)),
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${pascal(id)}Body` },
        example: exampleBody(op),
      },
    },
  });
  if (isWrite(op)) registry.registerComponent("examples", pascal(id), { value: op.example.request });
  for (const method of op.methods.toReversed()) registry.registerPath(path(id, op, method));
}

function successHeaders(op: Operation): readonly string[] {
  const own = op.auth === "token" ? rateHeaders : ["ETag"];
  return ["X-Request-Id", "Kalends-Ignored-Parameters", ...own];
}

function pascal(id: OperationId): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

function path(id: OperationId, op: Operation, method: Method) {
  const isVariant = isWrite(op) && method === "get";
  return {
    method,
    path: op.path,
    operationId: isVariant ? `${id}ByGet` : id, // generated clients have the POST under the plain name
    tags: [op.tag],
    summary: isVariant ? `${op.summary} by GET` : op.summary,
    description: `${isVariant ? variantDescription(id) : op.description}\n\n${contractLink(op.section)}`,
    ...(op.auth === "none" ? { security: [] } : {}),
    ...(isVariant ? { "x-kalends-mutating": true } : {}),
    request: method === "post" ? { body: form(id, op) } : { query: op.params },
    responses: {
      200: { $ref: `#/components/responses/${pascal(id)}Result` },
      ...(op.auth === "none" ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(
        errorResponsesOf(op)
          .filter(({ status }) => method === "post" || !ofBodies.includes(status))
          .map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

/** Statuses that are about a body: a GET has none. */
const ofBodies: readonly number[] = [413, 415];

function variantDescription(id: OperationId): string {
  return (
    `Does what \`${id}\` does, with the parameters in the query: for clients that can send nothing but a URL. It changes data, ` +
    "so keep it out of crawlers, caches and links. Prefer the POST."
  );
}

function form(id: OperationId, op: Operation) {
  const schema = op.params.meta({ id: `${pascal(id)}Form`, description: `Parameters of \`${id}\`.` });
  const examples = { typical: { $ref: `#/components/examples/${pascal(id)}` } };
  return {
    description:
      "The parameters. One may be in the query instead, not in both. JSON values may be integers or booleans too. A form may also be " +
      "`multipart/form-data` without files.",
    required: true,
    content: {
      "application/json": { schema, examples }, // generators take the first
      "application/x-www-form-urlencoded": { schema, examples },
    },
  };
}

function bodySchema(id: OperationId): ObjectSchema {
  const op: Operation = operations[id];
  return body(op).meta({ id: `${pascal(id)}Body`, description: op.returns });
}

/** The example of an answer as it goes over the wire. */
export function exampleBody(op: Operation): object {
  return { meta: { code: hasIntegerCode(op) ? 200 : "200" }, ...op.example.payload };
}
