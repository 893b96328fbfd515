import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type ErrorCode,
  errors,
  type Operation,
  type ContractId,
  contractIds,
  operations,
} from "@kalends/spec";
import { afterAll, describe, expect, test } from "vitest";
import { ApiError, errorAnswer } from "../src/http/errors.js";
import { exchange, type Values } from "./calls.js";
import { asPrinted, isJson, type Json, worldOf } from "./document-world.js";
import { type Answer, startOfTests, startTestServer } from "./harness.js";
import { sendBytes } from "./sockets.js";

// Every example that the published documents print is sent to a server, or compared with what it answers.

const server = await startTestServer({ RATE_LIMIT: "100000" });
const limited = await startTestServer({ RATE_LIMIT: "1" });
afterAll(async () => {
  await server.stop();
  await limited.stop();
});
const errorCodes = Object.keys(errors).filter((name): name is ErrorCode => name in errors);
const reader = await server.account({ scope: "read" });

interface Shown {
  readonly title: string;
  readonly id: ContractId;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly operation: Json;
  /** Follows a reference into the document. */
  readonly follow: (value: unknown) => Json;
}

const shown: readonly Shown[] = ["openapi.json", "openapi-generators.json"].flatMap((name) => {
  const file = createRequire(import.meta.url).resolve(`@kalends/spec/${name}`);
  const document: unknown = JSON.parse(readFileSync(file, "utf8"));
  const follow = (value: unknown): Json => {
    const target = record(value)["$ref"];
    return typeof target === "string" ? at(document, ...target.split("/").slice(1)) : record(value);
  };
  return Object.entries(at(document, "paths")).flatMap(([path, item]) =>
    Object.entries(record(item)).map(([method, value]): Shown => {
      const operation = record(value);
      const id = contractIds.find((one) => operations[one].path === path);
      if (id === undefined) throw new Error(`${path} is no path of the table`);
      const title = `${name} ${String(operation["operationId"])}`;
      return { title, id, method: method === "get" ? "GET" : "POST", path, operation, follow };
    }),
  );
});

function record(value: unknown): Json {
  if (!isJson(value)) throw new Error(`no object: ${String(value)}`);
  return value;
}

function at(holder: unknown, ...keys: readonly string[]): Json {
  return keys.reduce((found: Json, key) => record(found[key]), record(holder));
}

/** The printed requests: all parameters' examples together, or each example of each media type. */
function requestsOf({
  operation,
  follow,
}: Shown): readonly { readonly type: string; readonly params: Values }[] {
  const { requestBody, parameters = [] } = operation;
  if (isJson(requestBody))
    return Object.entries(record(requestBody["content"])).flatMap(([type, media]) =>
      Object.values(at(media, "examples")).map((one) => ({ type, params: texts(follow(one)["value"]) })),
    );
  const given = Array.isArray(parameters) ? parameters.map(follow) : [];
  return [{ type: "", params: texts(Object.fromEntries(given.map((one) => [one["name"], one["example"]]))) }];
}

function texts(value: unknown): Values {
  return Object.fromEntries(Object.entries(record(value)).map(([name, text]) => [name, String(text)]));
}

interface Sending {
  readonly type?: string;
  readonly token?: string;
  readonly query?: string;
  readonly headers?: Values;
}

function send({ method, path }: Shown, params: Values, sending: Sending): Promise<Answer> {
  const { type = method === "POST" ? "application/json" : "", token, query = "", headers = {} } = sending;
  const bearer = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const form = new URLSearchParams(params).toString();
  if (method === "GET")
    return exchange(server, `${path}?${form}&${query}`, { headers: { ...bearer, ...headers } });
  return exchange(server, `${path}?${query}`, {
    method,
    headers: { ...bearer, "Content-Type": type, ...headers },
    body: type === "application/json" ? JSON.stringify(params) : form,
  });
}

function printedAnswer({ operation, follow }: Shown, status: string): Json {
  return follow(at(operation, "responses")[status]);
}

function successOf(one: Shown): Json {
  return at(printedAnswer(one, "200"), "content", "application/json", "example");
}

/** What the operation needs, with the clock where the examples have it. */
async function prepare(one: Shown) {
  server.now = startOfTests;
  const { subscribers } = successOf(one);
  const subscriber = Array.isArray(subscribers) ? record(subscribers[0]) : undefined;
  const example = (name: string): Values =>
    operations[name === "CreateEvent" ? "createEvent" : "createCalendar"].example.request;
  const world = await worldOf(server, one.id, example, subscriber);
  server.now = one.id.startsWith("save") ? startOfTests + 3600 : startOfTests;
  return world;
}

describe.each(shown)("$title", (one) => {
  const requests = requestsOf(one);

  test("prints an example of each request", () => {
    expect(requests.length).toBeGreaterThan(0);
  });

  test.each(requests)(
    "answers its printed request $type with the printed body and headers",
    async (given) => {
      const { account, ids } = await prepare(one);
      const sent = await send(
        one,
        { ...given.params, ...kept(ids, given.params) },
        {
          ...(given.type === "" ? {} : { type: given.type }),
          ...(one.id === "listTimeZones" ? {} : { token: account.token }),
          query: "calender_id=1",
        },
      );
      expect(sent.status, sent.text).toBe(200);
      const printed = successOf(one);
      if (one.id === "listTimeZones") {
        expect(sent.body).toMatchObject({ meta: printed["meta"] });
        expect(sent.body.data).toEqual(expect.arrayContaining([...list(printed["data"])]));
      } else expect(asPrinted(sent.body, printed, { ...ids, ...newIds(sent) })).toStrictEqual(printed);
      for (const name of Object.keys(record(printedAnswer(one, "200")["headers"])))
        expect([name, sent.headers.get(name)]).toEqual([name, expect.any(String)]);
    },
  );

  for (const [status, response] of Object.entries(at(one.operation, "responses"))) {
    if (status < "400") continue;
    const declared = one.follow(response);
    const examples = at(declared, "content", "application/json", "examples");
    // A GET shares its 400 with the POST, which alone has a body.
    const printed = Object.values(examples).map((example) => at(one.follow(example), "value"));

    test.each(
      printed
        .map((body) => ({ body, code: codeOf(body) }))
        .filter(({ code }) => code !== "body_invalid" || one.method === "POST"),
    )(`answers ${status} $code as printed`, async ({ body, code }) => {
      const answered = await provoke(one, code, body);
      expect(answered.status).toBe(Number(status));
      expect(asPrinted(answered.body, body, {})).toStrictEqual(body);
      for (const name of Object.keys(record(declared["headers"])))
        if (answered.headers !== undefined)
          expect([name, answered.headers.get(name.toLowerCase())]).toEqual([name, expect.any(String)]);
    });
  }
});

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The ids that the documents show; what else stands in their place is sent as it is. */
const printedIds: Values = { calendar_id: "1", event_id: "7", subscriber_id: "3" };

/** The ids of the world, for the parameters that have the printed ones. */
function kept(ids: Values, params: Values): Values {
  return Object.fromEntries(Object.entries(ids).filter(([name]) => params[name] === printedIds[name]));
}

/** Ids of what the request made. */
function newIds({ body }: Answer): Values {
  return { made_event: String(body.event?.id), made_calendar: String(body.calendar?.id) };
}

function codeOf(body: Json): ErrorCode {
  const { error_type } = record(body["meta"]);
  const code = errorCodes.find((one) => one === error_type);
  if (code === undefined) throw new Error(`${String(error_type)} is no error of the table`);
  return code;
}

interface Failed {
  readonly status: number;
  /** Names in lower case; undefined where the answer is made without a request. */
  readonly headers: ReadonlyMap<string, string> | undefined;
  readonly body: unknown;
}

async function provoke(one: Shown, code: ErrorCode, printed: Json): Promise<Failed> {
  if (unprovoked.includes(code)) return asMade(code, printed);
  const [given] = requestsOf(one);
  const { account, ids } = await prepare(one);
  const params = { ...given?.params, ...kept(ids, given?.params ?? {}) };
  const cause = provocations[code];
  if (cause === undefined) throw new Error(`say in provocations how to get ${code}`);
  const { status, headers, body } = await cause({ one, params, token: account.token });
  return { status, headers: new Map(headers), body };
}

/** They need a slow caller or a broken disk: their bodies are compared with what the server's own printer makes. */
const unprovoked: readonly ErrorCode[] = [
  "request_timeout",
  "internal_error",
  "overloaded",
  "storage_unavailable",
  "storage_full",
];

function asMade(code: ErrorCode, printed: Json): Failed {
  const meta = record(printed["meta"]);
  const op = typeof meta["code"] === "number" ? operations.listTimeZones : undefined;
  const { status, body } = errorAnswer(new ApiError(code), String(meta["request_id"]), op);
  return { status, body, headers: undefined };
}

interface Provocation {
  readonly one: Shown;
  readonly params: Values;
  readonly token: string;
}

type Cause = (given: Provocation) => Promise<{
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: unknown;
}>;

const withMistake: Cause = ({ one, params, token }) => {
  const wrong = { ...params, ...mistakeOf(one.id) };
  return send(one, Object.fromEntries(Object.entries(wrong).filter(([, value]) => value !== "")), { token });
};

function mistakeOf(id: ContractId): Values {
  const op: Operation = operations[id];
  if (op.example.mistake === undefined)
    throw new Error(`${id} prints an answer to a mistake that it does not have`);
  return op.example.mistake;
}

const withoutItem =
  (name: string): Cause =>
  ({ one, params, token }) =>
    send(one, { ...params, [name]: "9007199254740991" }, { token });

const head = ({ method, path }: Shown, query: string, ...headers: readonly string[]): string =>
  [`${method} ${path}?${query} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");

const manyParameters = Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join("&");

const provocations: { readonly [Code in ErrorCode]?: Cause } = {
  malformed_request: ({ one }) => sendBytes(server, head(one, "", "no colon")),
  encoding_invalid: ({ one, params, token }) => send(one, params, { token, query: "note=%ff" }),
  body_invalid: ({ one: { path }, token }) =>
    exchange(server, path, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: "[]",
    }),
  too_many_parameters: ({ one, params, token }) => send(one, params, { token, query: manyParameters }),
  parameter_repeated: ({ one, params, token }) =>
    send(one, params, { query: `token=${token}&token=${token}` }),
  parameter_missing: withMistake,
  parameter_invalid: withMistake,
  credentials_ambiguous: ({ one, params, token }) =>
    send(one, params, { token, query: `token=${reader.token}` }),
  token_missing: ({ one, params }) => send(one, params, {}),
  token_unknown: ({ one, params }) => send(one, params, { token: "kal_wrong" }),
  scope_insufficient: ({ one, params }) => send(one, params, { token: reader.token }),
  prefetch_refused: ({ one, params, token }) =>
    send(one, params, { token, headers: { "Sec-Purpose": "prefetch" } }),
  calendar_not_found: withoutItem("calendar_id"),
  event_not_found: withoutItem("event_id"),
  subscriber_not_found: withoutItem("subscriber_id"),
  body_too_large: ({ one, token }) =>
    sendBytes(
      server,
      head(
        one,
        "",
        `Authorization: Bearer ${token}`,
        "Content-Type: application/json",
        "Content-Length: 2000000",
      ),
    ),
  media_type_unsupported: ({ one, params, token }) => send(one, params, { token, type: "text/plain" }),
  rate_limited: async ({ one }) => {
    const account = await limited.account();
    const call = () => (one.method === "GET" ? account.get(one.id) : account.call(one.id));
    await call();
    return call();
  },
  head_too_large: ({ one }) => sendBytes(server, head(one, `note=${"a".repeat(70_000)}`)),
};
