import cors from "cors";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import { isHttps } from "./base-url.js";
import { ApiError } from "./errors.js";

/** Headers for JSON that no page should frame, run or sniff (OWASP REST security). */
export function securityHeaders(publicUrl: string | undefined): RequestHandler {
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
  const answer = cors({
    origin: origins === "*" ? "*" : origins.split(","),
    methods: ["GET", "HEAD", "POST"],
    allowedHeaders: ["Authorization", "Content-Type"],
    exposedHeaders: [
      "ETag",
      "Retry-After",
      "RateLimit-Limit",
      "RateLimit-Remaining",
      "RateLimit-Reset",
      "X-Request-Id",
    ],
    maxAge: 86_400,
  });
  return function allowOrigin(req: Request, res: Response, next: NextFunction): void {
    const isPreflight = req.headers["access-control-request-method"] !== undefined;
    if (req.method === "OPTIONS" && !isPreflight) next();
    else answer(req, res, next);
  };
}

/**
 * Host goes into paging URLs, so it must be one host; so must what a trusted proxy names instead, with a scheme of the web.
 * Node's own check answers without a body and is off (server.ts).
 */
export function checkHost(req: Request, _res: Response, next: NextFunction): void {
  const [host, ...others] = req.headersDistinct.host ?? [];
  const mayLack = req.httpVersion === "1.0";
  const isOne = host === undefined ? mayLack : [host, req.host].every((name) => hostForm.test(name));
  if (others.length > 0 || !isOne || !/^https?$/.test(req.protocol)) {
    throw new ApiError("malformed_request");
  }
  next();
}

/** A name has at most 253 characters (RFC 1035 2.3.4); more than that with a port is no host. */
const hostForm = /^(?=.{1,255}$)(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;
