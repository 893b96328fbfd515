import type { Exchange, RunOptions } from "../types.js";
import { concerning, expect, failure } from "./assert.js";
import { isItem } from "./item.js";
import { looksLikeWrite, type OperationName, pathOf } from "./operations.js";
import { remember } from "./origins.js";
import { openPatience, type Watch } from "./patience.js";
import { type Redactor, redactor } from "./redact.js";
import { openWire, type WireResponse } from "./wire.js";

/** One answer of the server. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
  /** The server's clock when it answered, Unix seconds, from its `Date` header. */
  readonly serverTime: number;
  readonly operation?: OperationName;
  /** As the reports show it. */
  readonly exchange: Exchange;
}

/** The token of a call: none, that of one of the two accounts, or a made-up one. */
export type Credential = "first" | "other" | "none" | { readonly token: string };

export interface CallOptions {
  readonly method?: string;
  readonly as?: Credential;
  /** Where the parameters go: the query, or a body of this kind. */
  readonly send?: "query" | "form" | "json" | "multipart";
  /** Members of the JSON body that are no strings. */
  readonly json?: Readonly<Record<string, unknown>>;
  /** Replaces the body of the parameters. */
  readonly rawBody?: string;
  /** Appended to the query without encoding. */
  readonly rawQuery?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the path of the operation. */
  readonly path?: string;
}

/** Undefined parameters are not sent. */
export type Params = Readonly<Record<string, string | undefined>>;

export interface Recorder {
  readonly exchanges: Exchange[];
}

/** The server under judgement. */
export interface Target {
  call(recorder: Recorder, operation: OperationName, params?: Params, options?: CallOptions): Promise<Answer>;
  /** Sends to a path as written, without a token of its own. */
  raw(recorder: Recorder, path: string, options?: CallOptions): Promise<Answer>;
  readonly hasOther: boolean;
  readonly token: string;
  readonly baseUrl: URL;
  readonly redact: (text: string) => string;
  readonly close: () => void;
}

const defaultTimeoutMs = 10_000;
const longestBodyKept = 4_000;

export function openTarget(options: RunOptions, { signal, onWait }: Watch = {}): Target {
  const baseUrl = new URL(options.baseUrl);
  const prefix = baseUrl.pathname.replace(/\/+$/, "");
  const wire = openWire();
  const patience = openPatience({ signal, onWait });
  const secrets = redactor([options.token, options.otherToken]);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;

  function tokenOf(as: Credential): string | undefined {
    if (as === "first") return options.token;
    if (as === "other") return options.otherToken;
    if (as === "none") return undefined;
    secrets.add(as.token);
    return as.token;
  }

  async function exchange(recorder: Recorder, path: string, call: Sent): Promise<Answer> {
    const method = call.method ?? "GET";
    if (options.readOnly === true && looksLikeWrite(path))
      throw new Error(`a read-only run tried to send ${method} ${path.split("?")[0]}`);
    const keep = startExchange(recorder, secrets, `${baseUrl.origin}${prefix}${path}`, call);
    let response: WireResponse;
    try {
      const headers = { ...call.headers, ...lengthOf(call.body) };
      const request = { method, origin: baseUrl, path: `${prefix}${path}`, headers, timeoutMs, signal };
      response = await wire.send(call.body === undefined ? request : { ...request, body: call.body });
    } catch (error) {
      const reason = secrets.redact(error instanceof Error ? error.message : String(error));
      const silent = keep({ status: 0, headers: {}, body: "", error: reason });
      return concerning(silent, () => {
        throw failure(`${method} ${path.split("?")[0]}: no answer: ${reason}.`, `no answer: ${reason}`);
      });
    }
    const { status, headers, text } = response;
    const kept = keep({
      status,
      headers: redactAll(headers, secrets.redact),
      body: secrets.redactStart(text, longestBodyKept),
    });
    const body = parse(text);
    remember(body, kept);
    return {
      ...response,
      exchange: kept,
      body,
      serverTime: serverTime(headers),
      ...(call.operation === undefined ? {} : { operation: call.operation }),
    };
  }

  return {
    call: async (recorder, operation, params = {}, call = {}) => {
      const as = call.as ?? (operation === "listTimeZones" ? "none" : "first");
      const [path, sent] = encodeCall(operation, params, call, tokenOf(as));
      return patience.send(() => exchange(recorder, path, sent));
    },
    raw: async (recorder, path, call = {}) => patience.send(() => exchange(recorder, path, call)),
    hasOther: options.otherToken !== undefined,
    token: options.token,
    baseUrl,
    redact: secrets.redact,
    close: wire.close,
  };
}

/** A call as it is sent. */
type Sent = CallOptions & { readonly body?: string; readonly operation?: OperationName };

/** Characters of a body from which on its token is in the query. */
const longBody = 32_768;

/** Returns the path with its query, and the call with its body. */
function encodeCall(
  operation: OperationName,
  params: Params,
  call: CallOptions,
  token: string | undefined,
): readonly [path: string, sent: Sent] {
  const { send } = call;
  const inBody = send !== undefined && send !== "query";
  // Servers read a long body only when the token comes before it (rulings R1.6).
  const isLong = inBody && encoded(params).length > longBody;
  const inQuery = inBody ? { token: isLong ? token : undefined } : { token, ...params };
  const query = [encoded(inQuery), call.rawQuery ?? ""].filter((part) => part !== "").join("&");
  const path = call.path ?? pathOf(operation);
  const body = inBody
    ? { method: call.method ?? "POST", ...bodyOf(send, isLong ? undefined : token, params, call) }
    : {};
  return [query === "" ? path : `${path}?${query}`, { ...call, operation, ...body }];
}

/** Returns a function that adds the outcome to the request and records both, without their secrets. */
function startExchange(recorder: Recorder, secrets: Redactor, url: string, call: Sent) {
  const started = performance.now();
  const note = {
    method: call.method ?? "GET",
    url: secrets.redact(url),
    requestHeaders: redactAll({ ...call.headers }, secrets.redact),
    ...(call.body === undefined ? {} : { requestBody: secrets.redact(call.body) }),
  };
  return (outcome: Pick<Exchange, "status" | "headers" | "body" | "error">): Exchange => {
    const durationMs = Math.round(performance.now() - started);
    const kept = { ...note, ...outcome, durationMs, curl: curlLine(note) };
    recorder.exchanges.push(kept);
    return kept;
  };
}

function lengthOf(body: string | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
}

/** Parameters as a query; every value is percent-encoded (contract 1.4), a blank as %20. */
export function encoded(params: Params): string {
  return pairsOf(params)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
}

function pairsOf(params: Params): readonly (readonly [name: string, value: string])[] {
  return Object.entries(params).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}

/** The answer's own status number in `meta.code`, whether sent as a string or an integer. */
export function metaCode(answer: Answer): number {
  const { body } = answer;
  expect(isItem(body), `The body is not a JSON object (HTTP ${answer.status}).`);
  const { meta } = body;
  if (!isItem(meta)) throw failure(`The body has no object meta (HTTP ${answer.status}).`, "no meta");
  return Number(meta["code"]);
}

/** No text of the suite contains it. */
export const boundary = "kalconf-boundary";

const mediaTypes = {
  form: "application/x-www-form-urlencoded",
  json: "application/json",
  multipart: `multipart/form-data; boundary=${boundary}`,
} as const;

function bodyOf(
  send: "form" | "json" | "multipart",
  token: string | undefined,
  params: Params,
  call: CallOptions,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const all = token === undefined ? params : { token, ...params };
  const bodies = {
    form: () => encoded(all),
    json: () => JSON.stringify({ ...all, ...call.json }),
    multipart: () => `${pairsOf(all).map(partOf).join("")}--${boundary}--\r\n`,
  };
  return {
    body: call.rawBody ?? bodies[send](),
    headers: { "Content-Type": mediaTypes[send], ...call.headers },
  };
}

function partOf([name, value]: readonly [name: string, value: string]): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function serverTime(headers: Readonly<Record<string, string>>): number {
  const time = Date.parse(headers["date"] ?? "");
  return Math.floor((Number.isNaN(time) ? Date.now() : time) / 1_000);
}

function redactAll(headers: Readonly<Record<string, string>>, redact: (text: string) => string) {
  // Nearly all headers have no secret, which one search over all of them shows.
  const all = Object.values(headers).join("\n");
  if (redact(all) === all) return headers;
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
}

/** Returns a request as a command line. */
function curlLine(note: {
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: string;
}): string {
  const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const method = note.method === "GET" ? "" : note.method === "HEAD" ? " -I" : ` -X ${note.method}`;
  const headers = Object.entries(note.requestHeaders).map(
    ([name, value]) => ` -H ${quote(`${name}: ${value}`)}`,
  );
  const body = note.requestBody === undefined ? "" : ` --data-raw ${quote(note.requestBody.slice(0, 2_000))}`;
  return `curl -sS${method}${headers.join("")}${body} ${quote(note.url.slice(0, 8_000))}`;
}
