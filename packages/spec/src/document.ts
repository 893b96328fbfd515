import { OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";
import { mixedErrorName } from "./document-errors.js";
import type { Webhook } from "./document-generators.js";
import {
  contact,
  contractInfo,
  contractLink,
  description,
  type DocumentInfo,
  extensionSchemes,
  extensionsInfo,
  extensionsLink,
  fullTexts,
  headers,
  license,
  securitySchemes,
  servers,
} from "./document-info.js";
import { type Definitions, definitionsOf } from "./document-operations.js";
import { type OpenApiDocument, shareParameters } from "./document-parameters.js";
import { apiErrorSchema, extensionErrorSchema, integerApiErrorSchema } from "./errors.js";
import { event } from "./event-fields.js";
import { exampleOf } from "./example.js";
import { operationsOf } from "./operations.js";
import { webhookMessages } from "./webhook-messages.js";

export type OpenApiVersion = "3.0.3" | "3.1.0";
export { exampleBody } from "./document-operations.js";
export type { OpenApiDocument } from "./document-parameters.js";

/**
 * Returns the OpenAPI document of the contract. It uses only what 3.0 and 3.1 write the same way, so the two differ in the
 * version alone (test: document.test.ts).
 */
export function openApiDocument(version: OpenApiVersion): OpenApiDocument {
  return generate(version, { ...contractInfo, description: description(fullTexts) }, definitions());
}

export function definitions(): Definitions {
  return definitionsOf(operationsOf("contract"), {
    securitySchemes,
    headers: headers.contract,
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

/** The operations of the extensions as an OpenAPI document. Of version 3.1, since 3.0 has no webhooks. */
export function extensionsDocument(): OpenApiDocument & {
  readonly webhooks: Readonly<Record<string, Webhook>>;
} {
  const definitions = definitionsOf(operationsOf("extensions"), {
    securitySchemes: extensionSchemes,
    headers: headers.extensions,
    schemas: {},
    errors: [extensionErrorSchema, event, ...webhookMessages.map(({ schema }) => schema)],
    linkOf: extensionsLink,
  });
  const generated = generate("3.1.0", extensionsInfo, definitions);
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated), withoutQuote);
  return { ...document, webhooks: Object.fromEntries(webhookMessages.map(webhookOf)) };
}

/** A quote in a pattern ends the string in which some generators put it. */
function withoutQuote(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string" ? value.replaceAll('"', String.raw`\x22`) : value;
}

/** Returns the request of a type of message. */
function webhookOf({ type, schema }: (typeof webhookMessages)[number]): readonly [string, Webhook] {
  const name = schema.meta()?.id ?? "";
  const post = {
    operationId: `receive${name}`,
    tags: ["Webhooks"],
    summary: `Receive ${type}`,
    description: `A signed request to a webhook, as Standard Webhooks describes. ${extensionsLink("webhooks")}`,
    security: [],
    parameters: signedHeaders.map((header) => ({ ...header, in: "header", required: true })),
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${name}` }, example: exampleOf(schema) },
      },
    },
    responses: {
      200: { description: "Any 2xx within 10 seconds: received." },
      410: { description: "Send no more: the webhook is disabled." },
    },
  };
  return [type, { post }];
}

const signedHeaders = [
  {
    name: "webhook-id",
    description: "Id of the message: the same when it is sent again.",
    schema: { type: "string" },
    example: "msg_2f9c1e6f7b3c4d1bb639f0e2d8a5a1f0",
  },
  {
    name: "webhook-timestamp",
    description: "Time of this attempt: Unix time in seconds.",
    schema: { type: "string" },
    example: "1782993600",
  },
  {
    name: "webhook-signature",
    description: "One or more signatures with blanks between them, each `v1,` and an HMAC-SHA256 in base64.",
    schema: { type: "string" },
    example: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
] as const;

function generate(openapi: OpenApiVersion, info: DocumentInfo, definitions: Definitions): OpenApiDocument {
  const { title, version, description, tags, externalDocs } = info;
  const config = {
    openapi,
    info: { title, version, description, contact, license },
    servers,
    tags: [...tags],
    security: [{ bearer: [] }, { token: [] }],
    externalDocs,
  };
  return shareParameters(new OpenApiGeneratorV3(definitions).generateDocument(config));
}
