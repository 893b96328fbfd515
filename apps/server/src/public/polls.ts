import type { IncomingMessage, ServerResponse } from "node:http";
import Negotiator from "negotiator";
import { recordOf } from "../http/access-log.js";
import { sendText } from "../http/answer.js";
import type { FetchRecorder } from "../followers/fetch-recorder.js";
import type { PollCounter } from "../followers/poll-counter.js";
import { overTls } from "../http/base-url.js";
import type { CacheCounts } from "../http/cache.js";
import { answerFailure } from "../http/failures.js";
import { namesOneHost } from "../http/guards.js";
import type { RouteName } from "../http/request-names.js";
import type { Services } from "../services.js";
import { CalendarGone } from "./feed-body.js";
import type { FeedSettings } from "./feed-entries.js";

// Feeds and lists of next events come before Express, because most requests to them are polls.

export interface PollServices extends Services {
  readonly settings: FeedSettings;
  readonly compresses: boolean;
  /** Of the cached answers, for the metrics. */
  readonly cacheCounts?: CacheCounts | undefined;
}

export interface FeedServices extends PollServices {
  /** Of the database (feed-validators.ts). */
  readonly secret: string;
  readonly fetches: Pick<FetchRecorder, "record">;
  readonly polls: Pick<PollCounter, "count">;
  /** Bytes of the cached feeds, plain and compressed, and of those of picked categories. */
  readonly memory?: { readonly all: number; readonly picked: number };
}

/** A request to one of the addresses of a route. */
export interface Poll<Address> {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly address: Address;
  readonly now: number;
}

/** Handles a request. Returns false when the path is not one of its own. */
export type PollRoute = (req: IncomingMessage, res: ServerResponse) => boolean;

interface PollRouteOptions<Address, State> {
  /** In the access log. */
  readonly name: RouteName;
  /** What its addresses are called, in the plural. */
  readonly what: string;
  /** Returns undefined when the target is not one of its addresses. */
  readonly parse: (target: string) => Address | undefined;
  /** Returns the state synchronously when it is cached. */
  readonly find: (address: Address) => State | Promise<State>;
  readonly answer: (state: State, poll: Poll<Address>) => void | Promise<void>;
}

export function pollRoute<Address, State>(
  { name, what, parse, find, answer }: PollRouteOptions<Address, State>,
  { clock, log }: Services,
): PollRoute {
  return (req, res) => {
    const address = parse(req.url ?? "");
    if (address === undefined) return false;
    const record = recordOf(res);
    record.operation = name;
    if (isAnsweredAtOnce(req, res, what)) return true;
    const fail = (error: unknown): void => {
      if (error instanceof CalendarGone) sendFeedError(res, 410, "This calendar was deleted.");
      else
        answerFailure(log, error, req, res, ({ status, message, headers }) =>
          sendFeedError(res, status, message, headers),
        );
    };
    const poll = { req, res, address, now: clock() };
    try {
      const found = find(address);
      const answered =
        found instanceof Promise ? found.then((state) => answer(state, poll)) : answer(found, poll);
      answered?.catch(fail);
    } catch (error) {
      fail(error); // thrown synchronously
    }
    return true;
  };
}

/** Answers what asks for nothing here: without one valid host, or by another method than GET and HEAD. */
function isAnsweredAtOnce(req: IncomingMessage, res: ServerResponse, what: string): boolean {
  if (!namesOneHost(req)) sendFeedError(res, 400, "The request must name one host.");
  else if (req.method === "OPTIONS")
    res.writeHead(204, { ...allow, ...preflight, "X-Request-Id": recordOf(res).requestId }).end();
  else if (req.method !== "GET" && req.method !== "HEAD")
    // Thunderbird sends PUT and PROPFIND to find out whether it may write; only a 405 says that it may not.
    sendFeedError(res, 405, `${what} are read-only.`, allow);
  else return false;
  return true;
}

const allow = { Allow: "GET, HEAD, OPTIONS" };

/** Lets the scripts of any site poll with what they know. */
const preflight = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Methods": "GET, HEAD",
  "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since, Cache-Control",
  "Access-Control-Max-Age": "86400",
};

/** Any app may read a feed; no page should run, frame or index it. */
const fixedHeaders = {
  "Content-Security-Policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

/** Returns the raw headers of a 200 besides those of a 304. */
export function contentHeaders(type: string, { publicUrl }: FeedSettings): readonly string[] {
  return ["Content-Type", type, ...overTls(publicUrl), ...Object.entries(fixedHeaders).flat()];
}

interface Validators {
  readonly etag: string;
  readonly lastModified?: number | undefined;
}

/** Returns the headers of a 304, the validators and what caches need (RFC 9110 15.4.5), as raw headers. */
export function notModifiedHeaders(
  { etag, lastModified }: Validators,
  cacheControl: string,
  res: ServerResponse,
): string[] {
  const headers = ["ETag", etag, "Cache-Control", cacheControl, "Vary", "Accept-Encoding"];
  headers.push("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", "ETag");
  headers.push("X-Request-Id", recordOf(res).requestId);
  if (lastModified !== undefined) headers.push("Last-Modified", new Date(lastModified * 1000).toUTCString());
  return headers;
}

/** Returns the Content-Disposition of a feed. @param name the last segment of its path, without `.ics` */
export function dispositionOf({
  name,
  isDownload,
}: {
  readonly name: string;
  readonly isDownload: boolean;
}): string {
  return `${isDownload ? "attachment" : "inline"}; ${filename(name)}`;
}

/** Returns the parameters of Content-Disposition for a name in an address: that of the file, in other scripts as RFC 8187 writes it. */
export function filename(name: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(name)) return `filename="${name}.ics"`;
  const isShort = /^(?:[A-Za-z0-9-]|%[0-9A-F]{2}){1,64}$/i.test(name);
  const isText = isShort && /^[\p{L}\p{M}\p{N}-]+$/u.test(decoded(name));
  return isText ? `filename="calendar.ics"; filename*=UTF-8''${name}.ics` : `filename="calendar.ics"`;
}

/** Returns "" when the text is not percent-encoded UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Sends a body, compressed when the client prefers that and `gzip` is given. Appends to `headers`. */
export function sendFeed(
  { req, res }: Pick<Poll<unknown>, "req" | "res">,
  headers: string[],
  { bytes, gzip }: { readonly bytes: Buffer; readonly gzip?: Buffer | undefined },
): void {
  // A request without the header accepts everything, but a program that does not name gzip may not decode it (RFC 9110 12.5.3).
  const isCompressed = gzip !== undefined && new Negotiator(req).encoding(["gzip", "identity"]) === "gzip";
  const sent = isCompressed ? gzip : bytes;
  if (isCompressed) headers.push("Content-Encoding", "gzip");
  headers.push("Content-Length", String(sent.length));
  recordOf(res).bytes = sent.length;
  res.writeHead(200, headers);
  res.end(req.method === "HEAD" ? undefined : sent);
}

/** Sends an error as plain text. Calendar apps do not show it; on a 5xx they keep the events they have. */
export function sendFeedError(
  res: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const own = { "X-Request-Id": recordOf(res).requestId, "Access-Control-Allow-Origin": "*" };
  const text = { type: "text/plain; charset=utf-8", text: `${message}\n` };
  sendText(res, status, text, { ...own, ...fixedHeaders, ...headers });
}

/**
 * Returns a request target (RFC 9112 3.2.2) in origin-form, whose host is ignored, with plain letters: the characters that never need
 * to be percent-encoded (RFC 3986 6.2.2.2).
 */
export function plainTarget(target: string): string {
  const whole = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (!whole.includes("%")) return whole;
  return whole.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : encoded;
  });
}
