import { type OpenApiGeneratorV3, OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import * as z from "zod";
import {
  errorExamples,
  errorResponses,
  errorResponsesOf,
  headerReferences,
  rateHeaders,
} from "./document-errors.js";
import {
  body,
  hasIntegerCode,
  isExtension,
  isWrite,
  type Method,
  type ObjectSchema,
  type Operation,
  type OperationTable,
} from "./operation.js";

export type Definitions = ConstructorParameters<typeof OpenApiGeneratorV3>[0];

export interface DocumentParts {
  readonly securitySchemes: Readonly<Record<string, object>>;
  readonly headers: Readonly<Record<string, object>>;
  /** Schemas that are written by hand. */
  readonly schemas: Readonly<Record<string, object>>;
  /** The bodies of errors, and other named schemas. */
  readonly errors: readonly z.ZodType[];
  /** A link to the explanation of a section, for the end of a description. */
  readonly linkOf: (section: string) => string;
}

/** Returns the named schemas, then components and paths. */
export function definitionsOf(table: OperationTable, parts: DocumentParts): Definitions {
  const registry = new OpenAPIRegistry();
  const register = (
    kind: Parameters<typeof registry.registerComponent>[0],
    all: Readonly<Record<string, object>>,
  ): void => {
    for (const [name, component] of Object.entries(all)) registry.registerComponent(kind, name, component);
  };
  register("securitySchemes", parts.securitySchemes);
  const hasVersions = Object.values(table).some(({ auth }) => auth === "none");
  register("responses", { ...errorResponses(table), ...(hasVersions ? { NotModified: notModified } : {}) });
  register("headers", parts.headers);
  register("examples", errorExamples(table));
  register("schemas", parts.schemas);
  const entries = Object.entries(table);
  for (const [id, op] of entries) registerOperation(registry, id, op, parts);
  const inJson = entries.filter(([, op]) => op.fileAnswer === undefined);
  const named = [...parts.errors, ...inJson.map(([id, op]) => bodySchema(id, op))];
  return [...named.map((schema) => ({ type: "schema" as const, schema })), ...registry.definitions];
}

const notModified = {
  description: "The list is still the one you have.",
  headers: headerReferences(["X-Request-Id", "ETag"]),
};

function registerOperation(
  registry: OpenAPIRegistry,
  id: string,
  op: Operation,
  { linkOf }: DocumentParts,
): void {
  registry.registerComponent("responses", `${pascal(id)}Result`, {
    description: op.returns,
    headers: headerReferences(successHeaders(op)),
    content: successContent(id, op),
  });
  if (isWrite(op)) registry.registerComponent("examples", pascal(id), { value: exampleRequest(op) });
  for (const method of op.methods.toReversed()) registry.registerPath(path(id, op, method, linkOf));
}

function successContent(id: string, op: Operation) {
  if (op.fileAnswer === undefined) {
    const schema = { $ref: `#/components/schemas/${pascal(id)}ResponseBody` };
    return { "application/json": { schema, example: exampleBody(op) } };
  }
  const files = Object.entries(op.fileAnswer);
  return Object.fromEntries(
    files.map(([type, example]) => [type, { schema: { type: "string" as const }, example }]),
  );
}

function successHeaders(op: Operation): readonly string[] {
  const own = op.auth === "none" ? ["ETag"] : rateHeaders;
  const replayed = isWrite(op) && isExtension(op) ? ["Idempotency-Replayed"] : [];
  const named = op.fileAnswer === undefined ? [] : ["Content-Disposition"];
  return ["X-Request-Id", "Kalends-Ignored-Parameters", ...own, ...replayed, ...named];
}

function pascal(id: string): string {
  return `${id.charAt(0).toUpperCase()}${id.slice(1)}`;
}

function path(id: string, op: Operation, method: Method, linkOf: DocumentParts["linkOf"]) {
  const isVariant = isWrite(op) && method === "get";
  return {
    method,
    path: op.path,
    operationId: isVariant ? `${id}ByGet` : id, // generated clients have the POST under the plain name
    tags: [op.tag],
    summary: isVariant ? `${op.summary} by GET` : op.summary,
    description: `${isVariant ? variantDescription(id) : op.description}\n\n${linkOf(op.section)}`,
    ...(op.auth === "token" ? {} : { security: op.auth === "session" ? [{ session: [] }] : [] }),
    ...(isVariant ? { "x-kalends-mutating": true } : {}),
    request:
      method === "post"
        ? { body: form(id, op), ...requestHeaders(op), ...besideFile(op) }
        : { query: op.params },
    responses: {
      200: { $ref: `#/components/responses/${pascal(id)}Result` },
      ...(op.auth === "none" ? { 304: { $ref: "#/components/responses/NotModified" } } : {}),
      ...Object.fromEntries(
        errorResponsesOf(id, op)
          .filter(({ status }) => method === "post" || !ofBodies.includes(status))
          .map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]),
      ),
    },
  };
}

/** The headers of safe writes, which the document of the contract does not have. */
function requestHeaders(op: Operation) {
  if (!isExtension(op)) return {};
  const { "Idempotency-Key": key, "If-Match": match } = writeHeaders;
  return {
    headers: z.object({ "Idempotency-Key": key, ...(op.ifMatch === true ? { "If-Match": match } : {}) }),
  };
}

const writeHeaders = {
  "Idempotency-Key": z
    .string()
    .regex(/^[!-~]{1,255}$/)
    .optional()
    .meta({
      description:
        "A name of this request that you choose, such as a UUID. The same request with the same key is done once: repeated within " +
        "24 hours, it gets the first response again, with `Idempotency-Replayed: true`.",
      example: "6f7b9c1e-3c1d-4b63-9f0e-2d8a5a1f0c77",
    }),
  "If-Match": z
    .string()
    .optional()
    .meta({
      description:
        "The `updated_times` of the event that you have read, in quotes. When the event has been saved since, the response is 412 and " +
        "nothing is changed.",
      example: '"0"',
    }),
} as const;

/** Statuses that are about a body: a GET has none. */
const ofBodies: readonly number[] = [413, 415];

function variantDescription(id: string): string {
  return (
    `Does what \`${id}\` does, with the parameters in the query: for clients that can send nothing but a URL. It changes data, ` +
    "so keep it out of crawlers, caches and links. Prefer the POST."
  );
}

function form(id: string, op: Operation) {
  const schema = op.params.meta({ id: `${pascal(id)}RequestBody`, description: `Parameters of \`${id}\`.` });
  const examples = { typical: { $ref: `#/components/examples/${pascal(id)}` } };
  return {
    description:
      "The parameters. One may be in the query instead, not in both. JSON values may be integers or booleans too. A form may also be " +
      "`multipart/form-data` without files.",
    required: true,
    content: {
      "application/json": { schema, examples }, // generators take the first
      "application/x-www-form-urlencoded": { schema, examples },
      ...fileContent(op),
    },
  };
}

/** The body that is a file. */
function fileContent({ file, example }: Operation) {
  if (file === undefined) return {};
  if (file.isBinary === true) {
    const types = [file.mediaType, ...(file.otherTypes ?? [])];
    return Object.fromEntries(
      types.map((type) => [type, { schema: { type: "string" as const, format: "binary" }, examples: {} }]),
    );
  }
  const examples = { typical: { value: example.request[file.parameter] } };
  return { [file.mediaType]: { schema: { type: "string" as const }, examples } };
}

/** The query of a body that is a file, which has no room for parameters. Optional: a form has them itself. */
function besideFile({ file, params }: Operation) {
  if (file === undefined) return {};
  const others = Object.entries(params.shape).filter(([name]) => name !== file.parameter);
  return { query: z.object(Object.fromEntries(others)).partial() };
}

function bodySchema(id: string, op: Operation): ObjectSchema {
  return body(op).meta({ id: `${pascal(id)}ResponseBody`, description: op.returns });
}

/** The example of a request as a JSON body has it. */
function exampleRequest({ example, structured = {} }: Operation): object {
  const entries = Object.entries(example.request).map(([name, text]): readonly [string, unknown] => {
    const kind = structured[name];
    if (kind === undefined) return [name, text];
    return [name, kind === "object" ? JSON.parse(text) : text.split(",")];
  });
  return Object.fromEntries(entries);
}

/** The example of an answer as it goes over the wire. */
export function exampleBody(op: Operation): object {
  return { meta: { code: hasIntegerCode(op) ? 200 : "200" }, ...op.example.payload };
}
