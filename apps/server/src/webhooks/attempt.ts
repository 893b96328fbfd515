import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { version } from "../about.js";
import { codeOf } from "../db/error-code.js";
import type { Config } from "../settings/config.js";
import {
  AddressRefused,
  createResolve,
  guardedLookup,
  literalAddress,
  refusalOf,
  type Resolve,
} from "./ssrf-guard.js";

export interface Sending {
  readonly timeoutMs: number;
  readonly allowsPrivate: boolean;
  readonly resolve: Resolve;
}

export function sendingOf({ WEBHOOK_TIMEOUT_MS: timeoutMs, WEBHOOK_ALLOW_PRIVATE }: Config): Sending {
  return { timeoutMs, allowsPrivate: WEBHOOK_ALLOW_PRIVATE === "on", resolve: createResolve() };
}

/** Result of an attempt: a status or a failure. */
export interface Outcome {
  readonly isSuccess: boolean;
  readonly status: number | null;
  /** For the owner of the endpoint; null after a success. */
  readonly error: string | null;
  readonly durationMs: number;
}

/** Limits of the response, in bytes and ms, after which the connection is closed: its content is not used. */
const mostBytes = 16_384;
const drainMs = 500;

/** Returns a connection for successive messages to one URL. Destroy it after the last. */
export function openConnection(url: string): Agent {
  const options = { keepAlive: true, maxSockets: 1 };
  return /^https:/i.test(url) ? new HttpsAgent(options) : new Agent(options);
}

interface Attempt {
  /** Default: a new connection. */
  readonly connection?: Agent;
  readonly signal?: AbortSignal;
}

/**
 * Sends a message once; twice where a reused connection turns out to be closed, since the receiver may have closed it before
 * the message came. Redirects are not followed. Never rejects.
 */
export async function send(
  url: string,
  { payload, headers }: { readonly payload: string; readonly headers: Readonly<Record<string, string>> },
  { timeoutMs, allowsPrivate, resolve }: Sending,
  { connection, signal }: Attempt = {},
): Promise<Outcome> {
  const began = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const refusal = refusalOf(url, allowsPrivate);
  const ended = (status: number | null, error: string | null): Outcome => ({
    isSuccess: status !== null && error === null,
    status,
    error,
    durationMs: Math.round(performance.now() - began),
  });
  if (refusal !== undefined) return ended(null, `The URL ${refusal}.`);
  try {
    const response = await responseTo(new URL(url), payload, {
      method: "POST",
      agent: connection ?? false,
      lookup: guardedLookup(resolve, allowsPrivate),
      signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
      headers: {
        ...headers,
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(payload),
        "User-Agent": `Kalends/${version}`,
      },
    });
    const { statusCode = 0 } = response;
    await drain(response);
    return ended(statusCode, failureOf(statusCode));
  } catch (error) {
    return ended(null, timeout.aborted ? `No response within ${timeoutMs} ms.` : describe(error));
  }
}

/** Resolves with the head of the response. */
function responseTo(url: URL, payload: string, options: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = requestTo(url, options);
    let isAnswered = false;
    request.once("response", (response) => {
      isAnswered = true;
      resolve(response);
    });
    // Kept until the connection is closed: a failure while the response is read must not end the process.
    request.on("error", (error) => {
      if (isAnswered) return;
      if (request.reusedSocket && /^(?:ECONNRESET|EPIPE)$/.test(codeOf(error)))
        resolve(responseTo(url, payload, options));
      else reject(error);
    });
    request.once("upgrade", (_response, socket) => void socket.destroy());
    request.once("close", () => reject(new Error("The connection was closed without a response.")));
    request.end(payload);
  });
}

/** Most 1xx responses before the response. Node reads any number of them, which keeps the process busy. */
const mostInterim = 16;

/** Begins a request, which fails after too many interim responses. */
export function requestTo(url: URL, options: RequestOptions): ClientRequest {
  const request = connectTo(url, options);
  let interim = 0;
  return request.on("information", () => {
    if (++interim > mostInterim)
      request.destroy(new Error(`There were more than ${mostInterim} interim responses.`));
  });
}

/** A URL with an IP address needs no look-up: refusalOf has checked the address. */
function connectTo(url: URL, options: RequestOptions): ClientRequest {
  const host = literalAddress(url) ?? url.hostname;
  const target = { ...options, host, port: url.port, path: `${url.pathname}${url.search}` };
  if (url.protocol === "http:") return httpRequest(target);
  // A host name may end in a dot, which certificates do not have.
  const name = literalAddress(url) === undefined ? { servername: host.replace(/\.$/, "") } : {};
  return httpsRequest({ ...target, ...name });
}

/** Reads the rest of the response, within limits. */
function drain(response: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (): void => {
      clearTimeout(late);
      response.destroy();
      resolve();
    };
    const late = setTimeout(end, drainMs);
    response.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) end();
    });
    response.on("error", () => undefined);
    response.once("close", end);
  });
}

function failureOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `The response was ${status}: redirects are not followed.`;
  return `The response was ${status}.`;
}

/** Returns why a connection failed, without IP addresses. */
export function describe(error: unknown): string {
  if (error instanceof AddressRefused) return error.message;
  const code = codeOf(error);
  if (code !== "") return `The connection failed: ${code}.`;
  return error instanceof Error ? error.message : "The connection failed.";
}
