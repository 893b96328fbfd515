const repository = "https://github.com/kalends/kalends";
const contractUrl = `${repository}/blob/main/docs/contract.md`;
const extensionsUrl = `${repository}/blob/main/docs/extensions.md`;

export interface DocumentInfo {
  readonly title: string;
  /** Semantic version of the document, apart from the v1 of the paths. */
  readonly version: string;
  readonly description: string;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly externalDocs: { readonly description: string; readonly url: string };
}

/** A link to the contract, for the end of a description. `sections` is a number such as "4.2", or a range that begins with one. */
export function contractLink(sections: string): string {
  return `Contract: [section ${sections}](${contractUrl}#${sections.split(" ")[0]}).`;
}

/** A link to a heading of docs/extensions.md, for the end of a description. */
export function extensionsLink(heading: string): string {
  return `Explained in [Extensions](${extensionsUrl}#${heading}).`;
}

const contractTags = [
  {
    name: "Time zones",
    description: `The time zones that calendars and events can use. ${contractLink("4.12")}`,
    externalDocs: { description: "The IANA time zone database.", url: "https://www.iana.org/time-zones" },
  },
  {
    name: "Calendars",
    description: `Create, list, save and delete the calendars of the account. ${contractLink("4.1 to 4.4")}`,
  },
  {
    name: "Events",
    description: `Create, list, save and delete the events of a calendar. ${contractLink("4.5 to 4.8")}`,
    externalDocs: {
      description: "iCalendar, the format of the feeds that subscribers get (RFC 5545).",
      url: "https://www.rfc-editor.org/rfc/rfc5545",
    },
  },
  {
    name: "Subscribers",
    description:
      "Read who follows a calendar. People follow and unfollow on the calendar's public page. " +
      contractLink("4.9 and 4.10"),
  },
];

export const securitySchemes = {
  bearer: {
    type: "http",
    scheme: "bearer",
    description:
      "The account token in the header `Authorization`, which keeps it out of URLs and logs. Prefer it.",
  },
  token: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "The same token as a query parameter. A POST body may have it as the field `token`.",
  },
} as const;

/** Security schemes of the extensions: also the cookie of the console. */
export const extensionSchemes = {
  ...securitySchemes,
  session: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-kalends",
    description:
      "The session of the console, which `sessionOpen` sets. It counts below `/console/api/` alone.",
  },
} as const;

/** RateLimit-* are those of draft-ietf-httpapi-ratelimit-headers before they became one field. */
const contractHeaders = {
  "X-Request-Id": {
    description: "Id of this request. Quote it when you report a problem.",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-f]{32}$" },
    example: "5f0c6a52d1b84f0e9a3c7d21e6b8f490",
  },
  "Kalends-Ignored-Parameters": {
    description:
      "Names of the parameters that the operation does not know and has ignored, separated by commas; `*` stands for names that " +
      "are not shown. Absent when there are none: look here for misspelt names.",
    schema: { type: "string" },
    example: "calender_id",
  },
  "RateLimit-Limit": {
    description: "Requests a minute that the token may send. Absent on a server without a rate limit.",
    schema: { type: "integer", format: "int32", minimum: 1 },
    example: 600,
  },
  "RateLimit-Remaining": {
    description: "Requests that are left in this minute. Absent on a server without a rate limit.",
    schema: { type: "integer", format: "int32", minimum: 0 },
    example: 599,
  },
  "RateLimit-Reset": {
    description: "Seconds until the count starts again. Absent on a server without a rate limit.",
    schema: { type: "integer", format: "int32", minimum: 0 },
    example: 60,
  },
  "Retry-After": {
    description: "Seconds to wait before the next try.",
    required: true,
    schema: { type: "integer", format: "int32", minimum: 1 },
    example: 5,
  },
  "WWW-Authenticate": {
    description: "The way to authenticate: `Bearer`, with `error` when a token was sent that is not valid.",
    required: true,
    schema: { type: "string" },
    example: 'Bearer realm="kalends"',
  },
  ETag: {
    description: "Version of the list. Send it back in `If-None-Match` to get 304 while it stays the same.",
    required: true,
    schema: { type: "string" },
    example: '"Xq3vQ0dD3mC9"',
  },
} as const;

const { ETag: _onlyOfTimeZones, ...ofBoth } = contractHeaders;

/** The headers of answers, by document. */
export const headers = {
  contract: contractHeaders,
  extensions: {
    ...ofBoth,
    "Idempotency-Replayed": {
      description:
        "`true` when the response is that of an earlier request with the same `Idempotency-Key`. Absent otherwise.",
      schema: { type: "string", enum: ["true"] },
      example: "true",
    },
    "Content-Disposition": {
      description: "The name of the file, in ASCII and, where it has other characters, in UTF-8 (RFC 6266).",
      schema: { type: "string" },
      example: 'attachment; filename="Summer concerts.ics"',
    },
  },
} as const;

export const servers = [
  { url: "/", description: "The server that this document was fetched from." },
  {
    url: "https://{host}",
    description: "A server in production.",
    variables: { host: { default: "calendars.example.com", description: "Host name of the server." } },
  },
];

export const contact = { name: "The Kalends authors", url: `${repository}/issues` };
export const license = { name: "MIT", url: "https://opensource.org/license/mit" };

export const contractInfo = {
  title: "Kalends",
  version: "2.0.0",
  tags: contractTags,
  externalDocs: { description: "The contract, by sections with numbers.", url: contractUrl },
} as const satisfies Omit<DocumentInfo, "description">;

/** The description, in Markdown. `requests` and `token` differ in the document for generators. */
export function description({ about, requests, token }: Texts): string {
  return [about, `# Requests\n\n${requests}`, `# Authentication\n\n${token}`, ...sections].join("\n\n");
}

export interface Texts {
  readonly about: string;
  readonly requests: string;
  readonly token: string;
}

const emptyAndUnknown =
  "An empty parameter counts as absent, unless its description says otherwise. A parameter that is given twice is refused. One that " +
  "the operation does not know is ignored and named in the header `Kalends-Ignored-Parameters`.";

/** The whole API. */
export const fullTexts: Texts = {
  about:
    "Calendars that people follow: create calendars and events, list them, and read who follows them.\n\n" +
    "**To generate a client, use [openapi-generators.json](/openapi-generators.json).** It describes the same operations without the " +
    "writes by GET and with the Bearer token only. This document has every way to call the API, for gateways, validators and " +
    "clients of older versions. The contract that it describes has numbered sections, which operations name.",
  requests:
    "Reads answer GET. Writes answer POST, with the parameters in a JSON object, in a form " +
    "(`application/x-www-form-urlencoded`, or `multipart/form-data` without files) or in the query. They answer GET too, with the " +
    "parameters in the query: those operations end in `ByGet` and carry `x-kalends-mutating`. Prefer POST: URLs are logged, " +
    "cached and prefetched. Each path answers with and without its final slash.\n\n" +
    emptyAndUnknown,
  token:
    "Every operation except `listTimeZones` takes a token, which the operator of the server makes with `kalends token create`. " +
    "Send it as `Authorization: Bearer …`, as the query parameter `token`, or as the field `token` of a POST body. The same token in " +
    "two places is accepted; two different ones are a 400. A token that came in the query is repeated in the URLs of `paging`.",
};

export const generatorTexts: Texts = {
  about:
    "Calendars that people follow: create calendars and events, list them, and read who follows them.\n\n" +
    "This document is for generators of clients: reads are GET, writes are POST with a JSON body, and the token is a Bearer token. " +
    "[openapi.json](/openapi.json) has every other way to call the API. The contract that both describe has " +
    "numbered sections, which operations name.",
  requests:
    "Reads answer GET with the parameters in the query, writes answer POST with the parameters in a JSON object.\n\n" +
    emptyAndUnknown,
  token:
    "Every operation except `listTimeZones` takes a token, which the operator of the server makes with `kalends token create`. " +
    "Send it as `Authorization: Bearer …`.",
};

const sections = [
  "# Scopes\n\nA token has the scope `read` or `write`. With `read`, writes are refused with 403 `scope_insufficient`. A token may expire, " +
    "and can be revoked; it is then refused with 401 `token_unknown` within seconds.",
  "# Paging\n\nLists of calendars, events and subscribers come in pages of 100 items, unless the operator of the server sets another " +
    "number. `paging.next` and `paging.previous` are whole URLs, empty at the ends. `page` counts from 1; a page after the last one is " +
    "empty. `events_count` and `subscribers_count` count all pages. Items that are created while you read may shift pages.",
  "# Errors\n\nThe HTTP status and `meta.code` say the same. An error has `meta.error_type`, a stable name; `meta.error_message`, a sentence " +
    "for a person; `meta.request_id`; and, when parameters are to blame, `meta.errors` with each of them. What belongs to another account " +
    "answers 404, like what does not exist. Try 429 and 503 again after `Retry-After`; after a timeout, a 500 or a 503 " +
    "`storage_unavailable` read before you repeat a create, which may have been done.",
  "# Limits\n\nRequest line and headers: 64 KiB. Body: 1 MiB. Parameters: 1,000. Lengths of texts are in `maxLength`, in characters. The " +
    "operator may set a number of requests a minute for each token; the headers `RateLimit-Limit`, `RateLimit-Remaining` and " +
    "`RateLimit-Reset` then come with each answer to a valid token, and 429 when it is used up.",
  "# Values\n\nIds are strings of digits, except `event.id` of create and save, which is an integer below 2^53. Times of creation and change " +
    "are Unix times in seconds. Start and end are wall clock times in the event's time zone. What is not set is an empty string, and an " +
    "unknown place is the text `null`.",
  "# Versioning\n\n`/api/v1` stays compatible. These changes are compatible: new operations, optional parameters, fields, headers, values of " +
    "`error_type` and of fields with `x-extensible-enum`. Ignore what you do not know. `info.version` is the semantic version of this " +
    "document: a major version means that a validator or a generated client may have to change, not that the server does.\n\n" +
    "What is to be removed is marked `deprecated` in this document at least 12 months before, and its responses get the header " +
    `\`Deprecation\`: see [Releases](${repository}/blob/main/docs/releases.md#versioning-and-deprecation). Nothing is deprecated now.`,
];

const aboutExtensions =
  "What Kalends offers beyond its contract: changes of single fields, `If-Match`, status, categories, data of your own, what has " +
  "changed since a cursor, events that repeat, calendar files and webhooks.";

const ofContract =
  "Tokens, scopes, errors, limits, paging and CORS are those of the contract. Each path answers with and without its final slash.";

const extensionSections = [
  "# Names\n\nAn operation is named by its path: `eventsSeriesCreate` is `events/series/create/` below `/api/kalends/v1/`, or below " +
    "`/console/api/` where only a session can call it. Its bodies are `EventsSeriesCreateRequestBody` and `EventsSeriesCreateResponseBody`.",
  "# Safe writes\n\nEvery write, also of the contract, takes `Idempotency-Key`: repeated with the same key it is done once, and gets the first response " +
    "again for 24 hours. The writes of an event that exists take `If-Match` with its `updated_times` in quotes.",
  "# Values\n\nIds are strings. Instants are ISO 8601 in UTC; wall clocks are `YYYY-MM-DDTHH:MM` beside the name of a time zone. Counters are " +
    "integers, and what is not set is an empty string.",
  "# Versioning\n\n`/api/kalends/v1` stays compatible. New operations, optional parameters, fields, headers and values of `error_type` are compatible " +
    "changes. `info.version` is the semantic version of this document.",
];

const extensionsDescription = [
  `${aboutExtensions} The operations of the contract are in [openapi.json](/openapi.json), and stay as they are.`,
  "**To generate a client, use [openapi-kalends-generators.json](/openapi-kalends-generators.json).** It describes the same operations " +
    "with the Bearer token and JSON alone.",
  "# Requests\n\nReads answer GET with the parameters in the query. Writes answer POST alone, with the parameters in a JSON object or in a form; " +
    `an import takes the file itself too, with the other parameters in the query. ${ofContract}`,
  ...extensionSections,
].join("\n\n");

export const extensionsForGenerators = [
  `${aboutExtensions} The operations of the contract are in [openapi-generators.json](/openapi-generators.json).`,
  "This document is for generators of clients: reads are GET, writes are POST with a JSON body, and the token is a Bearer token. " +
    "[openapi-kalends.json](/openapi-kalends.json) has every other way to call the API, and the webhooks; their messages are schemas here too.",
  "# Requests\n\nReads answer GET with the parameters in the query, writes answer POST with the parameters in a JSON object. " +
    ofContract,
  ...extensionSections,
].join("\n\n");

export const extensionsInfo: DocumentInfo = {
  title: "Kalends extensions",
  version: "1.1.0",
  description: extensionsDescription,
  tags: [
    { name: "Time zones", description: "The time zones that can be used." },
    { name: "Calendars", description: "Read and change calendars." },
    { name: "Events", description: "Read, change and follow the events of a calendar." },
    { name: "Trash", description: "See what was deleted and can be restored, and remove it for good." },
    { name: "Subscribers", description: "The people who follow a calendar." },
    { name: "Webhooks", description: "Have changes sent to a URL of yours." },
    { name: "Account", description: "What the pages of the account look like, and who is behind them." },
    { name: "Tokens", description: "The tokens of the account." },
    { name: "Sessions", description: "Sign in to the console, and out." },
    { name: "People", description: "The people of the account, and what they may do." },
  ],
  externalDocs: { description: "The extensions, as a page to follow with curl.", url: extensionsUrl },
};
