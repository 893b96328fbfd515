import { headers as contractHeaders } from "../document-info.js";

/** Semantic version of the document, apart from the v1 of the paths. */
export const documentVersion = "1.0.0";

const page = "https://github.com/kalends/kalends/blob/main/docs/extensions.md";

/** A link to a heading of docs/extensions.md, for the end of a description. */
export function extensionsLink(heading: string): string {
  return `Explained in [Extensions](${page}#${heading}).`;
}

export const title = "Kalends extensions";
export const externalDocs = { description: "The extensions, as a page to follow with curl.", url: page };

export const tags = [
  { name: "Calendars", description: "Read and change calendars." },
  { name: "Events", description: "Read, change and follow the events of a calendar." },
  { name: "Webhooks", description: "Have changes sent to a URL of yours." },
];

const { ETag: _onlyOfTimeZones, ...ofBoth } = contractHeaders;

export const headers = {
  ...ofBoth,
  "Idempotency-Replayed": {
    description:
      "`true` when the response is that of an earlier request with the same `Idempotency-Key`. Absent otherwise.",
    schema: { type: "string", enum: ["true"] },
    example: "true",
  },
} as const;

const about =
  "What Kalends offers beyond its contract: changes of single fields, `If-Match`, status, categories, data of your own, what has " +
  "changed since a cursor, events that repeat, calendar files and webhooks.";

const ofContract =
  "Tokens, scopes, errors, limits, paging and CORS are those of the contract. Each path answers with and without its final slash.";

const sections = [
  "# Safe writes\n\nEvery write, also of the contract, takes `Idempotency-Key`: repeated with the same key it is done once, and gets the first response " +
    "again for 24 hours. The writes of an event that exists take `If-Match` with its `updated_times` in quotes.",
  "# Values\n\nIds are strings. Instants are ISO 8601 in UTC; wall clocks are `YYYY-MM-DDTHH:MM` beside the name of a time zone. Counters are " +
    "integers, and what is not set is an empty string.",
  "# Versioning\n\n`/api/kalends/v1` stays compatible. New operations, optional parameters, fields, headers and values of `error_type` are compatible " +
    "changes. `info.version` is the semantic version of this document.",
];

export const description = [
  `${about} The operations of the contract are in [openapi.json](/openapi.json), and stay as they are.`,
  "**To generate a client, use [openapi-kalends-generators.json](/openapi-kalends-generators.json).** It describes the same operations " +
    "with the Bearer token and JSON alone.",
  "# Requests\n\nReads answer GET with the parameters in the query. Writes answer POST alone, with the parameters in a JSON object or in a form; " +
    `an import takes the file itself too, with the other parameters in the query. ${ofContract}`,
  ...sections,
].join("\n\n");

export const descriptionForGenerators = [
  `${about} The operations of the contract are in [openapi-generators.json](/openapi-generators.json).`,
  "This document is for generators of clients: reads are GET, writes are POST with a JSON body, and the token is a Bearer token. " +
    "[openapi-kalends.json](/openapi-kalends.json) has every other way to call the API, and the webhooks; their messages are schemas here too.",
  "# Requests\n\nReads answer GET with the parameters in the query, writes answer POST with the parameters in a JSON object. " +
    ofContract,
  ...sections,
].join("\n\n");
