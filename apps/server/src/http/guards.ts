import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import { isHttps } from "./base-url.js";
import { ApiError } from "./errors.js";

type RawHandler = (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void) => void;

/**
 * The headers that a handler sets on a plain GET: for responses that send them all at once, which is faster
 * than setting them one by one.
 */
export function headersSetBy(handler: RawHandler): OutgoingHttpHeaders {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  handler(res.req, res, () => undefined);
  return res.getHeaders();
}

/** Headers for JSON that no page should frame, run or sniff (OWASP REST security). */
export function securityHeaders(publicUrl: string | undefined): RawHandler {
  const nothing = ["'none'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: nothing, frameAncestors: nothing, baseUri: nothing, formAction: nothing },
    },
    strictTransportSecurity: isHttps(publicUrl),
    xFrameOptions: { action: "deny" },
  });
}

/** Any origin may call by default, without credentials (rulings R1.9). Only a real preflight is answered here. */
export function crossOrigin(origins: string): RequestHandler {
  const answer = originHeaders(origins);
  return function allowOrigin(req: Request, res: Response, next: NextFunction): void {
    if (req.method === "OPTIONS" && !isPreflight(req)) next();
    else answer(req, res, next);
  };
}

/** Whether a browser asks what a page may send (Fetch 3.3.5). */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/** The headers that let pages of those origins read the response (CORS). */
export function originHeaders(origins: string): RawHandler {
  return cors({
    origin: origins === "*" ? "*" : origins.split(","),
    methods: ["GET", "HEAD", "POST"],
    // The last two are of W3C Trace Context, which tracers in pages add to every request.
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "Idempotency-Key",
      "If-Match",
      "traceparent",
      "tracestate",
    ],
    exposedHeaders: [
      "ETag",
      "Idempotency-Replayed",
      "Kalends-Ignored-Parameters",
      "Retry-After",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
      "X-Request-Id",
    ],
    maxAge: 86_400,
  });
}

/**
 * Host goes into paging URLs, so it must be one host; so must what a trusted proxy names instead, with a scheme of the web.
 * Node's own check answers without a body and is off (server.ts).
 */
export function checkHost(req: Request, _res: Response, next: NextFunction): void {
  requireHost(req);
  next();
}

/** @throws ApiError when the request names no host, several, or something else */
export function requireHost(req: Request): void {
  const isProxied = req.host !== req.headers.host && req.headers.host !== undefined;
  if (!namesOneHost(req) || (isProxied && !isHost(req.host)) || !/^https?$/.test(req.protocol))
    throw new ApiError("malformed_request");
}

/** Returns whether the request has one valid Host header; HTTP/1.0 allows none (RFC 9112 3.2). */
export function namesOneHost(req: IncomingMessage): boolean {
  const { host } = req.headers;
  if (host === undefined) return req.httpVersion === "1.0";
  return isHost(host) && countOf(req, "host") === 1;
}

/** How often a header was sent, in lower case: of some, such as Host, Node keeps the first and drops the others. */
export function countOf({ rawHeaders }: IncomingMessage, header: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === header.length && name.toLowerCase() === header) count++;
  }
  return count;
}

function isHost(name: string): boolean {
  return hostForm.test(name) && URL.canParse(`http://${name}`);
}

/** A name has at most 253 characters (RFC 1035 2.3.4); more than that with a port is no host. */
const hostForm = /^(?=.{1,255}$)(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** Returns headers as raw headers, the form that Node sends fastest. */
export function rawHeaders(headers: Readonly<OutgoingHttpHeaders>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
}

/** Sets raw headers one by one, for a response that is sent elsewhere. */
export function setAll(res: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index + 1 < headers.length; index += 2)
    res.setHeader(headers[index] ?? "", headers[index + 1] ?? "");
}
