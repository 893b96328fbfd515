import { createHash } from "node:crypto";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import { endAnswer } from "../../http/answer.js";
import { isHttps } from "../../http/base-url.js";
import { type Html, printHtml } from "./html.js";

const none = ["'none'"];
const self = ["'self'"];

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: none,
      styleSrc: self,
      scriptSrc: self,
      imgSrc: self,
      formAction: self,
      baseUri: none,
      objectSrc: none,
      frameAncestors: none,
    },
  },
  crossOriginEmbedderPolicy: { policy: "require-corp" },
  // With no-referrer, browsers send "Origin: null" with the page's own forms, as with those of a stranger (same-origin.ts).
  referrerPolicy: { policy: "same-origin" },
  strictTransportSecurity: false, // pageHeaders sets it: it depends on the address of the service
  xFrameOptions: { action: "deny" },
});

const roots = new WeakMap<Response, string>();

/** Path under which visitors find the service, in front of all its own: that of PUBLIC_URL, without a slash at the end. */
export function rootOf(res: Response): string {
  return roots.get(res) ?? "";
}

/** Headers of everything that people see, also of errors and of answers without a page. */
export function pageHeaders(publicUrl: string | undefined): RequestHandler {
  const isSecure = isHttps(publicUrl);
  const root = publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/+$/, "");
  return function setPageHeaders(req: Request, res: Response, next: NextFunction): void {
    roots.set(res, root);
    if (isSecure) res.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
    protectPage(req, res);
    next();
  };
}

/** The headers that do not depend on settings. A page is not for search engines until it says so. */
export function protectPage(req: Request, res: Response): void {
  protect(req, res, () => undefined);
  res.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  res.setHeader("X-Robots-Tag", "noindex");
}

/** Sends a page. One that may be kept gets an ETag, and 304 when the visitor has it. */
export function sendPage(req: Request, res: Response, status: number, page: Html): void {
  const bytes = Buffer.from(printHtml(page));
  res.status(status).vary("Accept-Language");
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "no-store");
  if (res.getHeader("Cache-Control") !== "no-store") {
    res.setHeader("ETag", `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`);
    if (req.fresh) {
      res.status(304).end();
      return;
    }
  }
  res.setHeader("Content-Type", "text/html; charset=utf-8");
  res.setHeader("Content-Length", bytes.length);
  endAnswer(res, bytes);
}
