import { OpenApiGeneratorV3 } from "@asteasolutions/zod-to-openapi";
import { exampleOf } from "../example.js";
import { contact, license, securitySchemes, servers } from "../document-info.js";
import { definitionsOf } from "../document-operations.js";
import { type OpenApiDocument, shareParameters } from "../document-parameters.js";
import type { Webhook } from "../document-generators.js";
import { extensionErrorSchema } from "../errors.js";
import {
  description,
  documentVersion,
  extensionsLink,
  externalDocs,
  headers,
  tags,
  title,
} from "./document-info.js";
import { event } from "./fields.js";
import { webhookMessages } from "./webhook-messages.js";
import { extensionOperations } from "./operations.js";

/** The operations of the extensions as an OpenAPI document. Of version 3.1, since 3.0 has no webhooks. */
export function extensionsDocument(): OpenApiDocument & {
  readonly webhooks: Readonly<Record<string, Webhook>>;
} {
  const definitions = definitionsOf(extensionOperations, {
    securitySchemes,
    headers,
    schemas: {},
    errors: [extensionErrorSchema, event, ...webhookMessages.map(({ schema }) => schema)],
    linkOf: extensionsLink,
  });
  const info = { title, version: documentVersion, description, contact, license };
  const security = [{ bearer: [] }, { token: [] }];
  const config = { openapi: "3.1.0", info, servers, tags, security, externalDocs };
  const generated = shareParameters(new OpenApiGeneratorV3(definitions).generateDocument(config));
  const document: OpenApiDocument = JSON.parse(JSON.stringify(generated), withoutQuote);
  return { ...document, webhooks: Object.fromEntries(webhookMessages.map(webhookOf)) };
}

/** A quote in a pattern ends the string in which some generators put it. */
function withoutQuote(key: string, value: unknown): unknown {
  return key === "pattern" && typeof value === "string" ? value.replaceAll('"', String.raw`\x22`) : value;
}

/** The request that a receiver gets of a type of message. */
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
