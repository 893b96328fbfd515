import { OpenAPIRegistry, OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";
import { type OpenApiDocument, shareParameters } from "./document-parameters.js";
import { apiErrorSchema, integerApiErrorSchema } from "./errors.js";
import { errorResponseName, errorResponses } from "./document-errors.js";
import {
  errorsOf,
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

/** Semantic version of the document, apart from the /api/v1 of the paths. */
export const documentVersion = "1.1.0";

const tags = [
  { name: "Time zones", description: "The time zones that can be used (service.md 4.12)." },
  { name: "Calendars", description: "Create, list, save and delete calendars (service.md 4.1 to 4.4)." },
  {
    name: "Events",
    description: "Create, list, save and delete the events of a calendar (service.md 4.5 to 4.8).",
  },
  { name: "Subscribers", description: "Read the followers of a calendar (service.md 4.9 and 4.10)." },
];

const securitySchemes = {
  token: {
    type: "apiKey",
    in: "query",
    name: "token",
    description:
      "The account token as the contract has it (service.md 5). It may also be a field of a POST form.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The same token in the header Authorization, which keeps it out of URLs and logs (rulings R1.7).",
  },
} as const;

/**
 * The operation table as an OpenAPI document. Pure: the same table gives the same document. It keeps to what 3.0 and 3.1
 * write the same way, so the two differ in the version alone (test: document.test.ts).
 */
export function openApiDocument(version: OpenApiVersion): OpenApiDocument {
  const config = { openapi: version, info, servers, tags, security: [{ token: [] }, { bearer: [] }] };
  return shareParameters(new OpenApiGeneratorV3(definitions()).generateDocument(config));
}

/** What the generator prints: the named schemas, then components and paths. */
export function definitions(): ConstructorParameters<typeof OpenApiGeneratorV3>[0] {
  const registry = new OpenAPIRegistry();
  for (const [name, scheme] of Object.entries(securitySchemes)) {
    registry.registerComponent("securitySchemes", name, scheme);
  }
  for (const [name, response] of Object.entries(errorResponses())) {
    registry.registerComponent("responses", name, response);
  }
  for (const [name, header] of Object.entries(headers)) registry.registerComponent("headers", name, header);
  for (const id of operationIds) registerOperation(registry, id);
  const named = [apiErrorSchema, integerApiErrorSchema, ...operationIds.map((id) => bodySchema(id))];
  return [...named.map((schema) => ({ type: "schema" as const, schema })), ...registry.definitions];
}

const headers = {
  RetryAfter: {
    description: "Seconds to wait before the next try.",
    schema: { type: "integer", minimum: 1 },
  },
  ETag: { description: "Version of the list; send it back in If-None-Match.", schema: { type: "string" } },
} as const;

const info = {
  title: "Kalends",
  version: documentVersion,
  description:
    "Calendars that people follow: create calendars and events, list them and their subscribers. Parameters go in the " +
    "query; the six writes take them as JSON or as a form by POST too, which is preferred. Every answer is JSON with `meta.code`. " +
    "An unknown parameter is ignored, an empty one counts as absent, a repeated one is refused. Sections and rulings " +
    "named here are those of the contract and of docs/rulings.md.",
  contact: { name: "The Kalends authors" },
  license: { name: "MIT", url: "https://opensource.org/license/mit" },
};

const servers = [
  { url: "/", description: "The server that this document was fetched from." },
  {
    url: "https://{host}",
    description: "A server in production.",
    variables: { host: { default: "calendars.example.com", description: "Host of the service." } },
  },
];

function registerOperation(registry: OpenAPIRegistry, id: OperationId): void {
  const op: Operation = operations[id];
  if (firstWithPayload(id) === id)
    registry.registerComponent("responses", `${pascal(id)}Result`, {
      description: `${op.summary}: the answer.`,
      ...(hasIntegerCode(op) ? { headers: { ETag: { $ref: "#/components/headers/ETag" } } } : {}),
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${bodyName(id)}` },
          example: exampleBody(op),
        },
      },
    });
  if (hasIntegerCode(op)) {
    registry.registerComponent("responses", "NotModified", {
      description: "The list is still the one you have.",
    });
  }
  if (isWrite(op)) registry.registerComponent("examples", pascal(id), { value: op.example.request });
  for (const method of op.methods) registry.registerPath(path(id, op, method));
}

function pascal(id: OperationId): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

function path(id: OperationId, op: Operation, method: Method) {
  const isPost = method === "post";
  return {
    method,
    path: op.path,
    // GET keeps the plain name; generated clients get both.
    operationId: isPost ? `${id}ByPost` : id,
    tags: [op.tag],
    summary: isPost ? `${op.summary} (form)` : op.summary,
    description: isPost
      ? `As ${id}, with the parameters in a form (service.md ${op.section}, rulings R1.1).`
      : `${op.description} (service.md ${op.section})`,
    ...(op.auth === "none" ? { security: [] } : {}),
    ...(isWrite(op) && !isPost ? { "x-kalends-mutating": true } : {}),
    request: isPost ? { body: form(id, op) } : { query: op.params },
    responses: {
      200: { $ref: `#/components/responses/${pascal(firstWithPayload(id))}Result` },
      ...(hasIntegerCode(op) ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(
        errorsOf(op, method).map((code) => {
          const [status, name] = errorResponseName(code, op);
          return [status, { $ref: `#/components/responses/${name}` }];
        }),
      ),
    },
  };
}

function form(id: OperationId, op: Operation) {
  const schema = op.params.meta({
    id: `${pascal(id)}Form`,
    description: `Parameters of ${id} as a form.`,
  });
  const examples = { typical: { $ref: `#/components/examples/${pascal(id)}` } };
  return {
    description:
      "A parameter may be here or in the query, not in both. JSON values may be integers or booleans too; " +
      "`multipart/form-data` without files is accepted.",
    required: true,
    content: {
      "application/json": { schema, examples }, // generators take the first
      "application/x-www-form-urlencoded": { schema, examples },
    },
  };
}

function bodySchema(id: OperationId): ObjectSchema {
  const op: Operation = operations[id];
  return body(op).meta({ id: bodyName(id), description: `Answer of ${id} (service.md ${op.section}).` });
}

function bodyName(id: OperationId): string {
  return `${pascal(firstWithPayload(id))}Body`;
}

/** Operations with the same payload share its schema and response, named after the first of them. */
function firstWithPayload(id: OperationId): OperationId {
  return operationIds.find((other) => operations[other].payload === operations[id].payload) ?? id;
}

/** The example of an answer as it goes over the wire. */
export function exampleBody(op: Operation): object {
  return { meta: { code: hasIntegerCode(op) ? 200 : "200" }, ...op.example.payload };
}
