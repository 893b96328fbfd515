import type { NextFunction, Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import { cacheable, send } from "../../http/answer.js";
import { overTls } from "../../http/base-url.js";
import { setAll } from "../../http/guards.js";
import { type Html, printHtml } from "./html.js";

const none = ["'none'"];
const self = ["'self'"];

const directives = {
  defaultSrc: none,
  styleSrc: self,
  scriptSrc: self,
  imgSrc: self,
  formAction: self,
  baseUri: none,
  objectSrc: none,
  frameAncestors: none,
};

const protect = helmet({
  contentSecurityPolicy: { useDefaults: false, directives },
  crossOriginEmbedderPolicy: { policy: "require-corp" },
  // With no-referrer browsers would send "Origin: null" with our own forms (form.ts).
  referrerPolicy: { policy: "same-origin" },
  strictTransportSecurity: false, // pageHeaders sets it, because it depends on PUBLIC_URL
  xFrameOptions: { action: "deny" },
});

/** Sets the policy of the console, which talks to its own server and writes no text as HTML (extensions X10). */
export const consoleHeaders: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: { ...directives, connectSrc: self, requireTrustedTypesFor: ["'script'"], trustedTypes: none },
});

const roots = new WeakMap<Response, string>();

/** Returns the path prefix of the service: the path of PUBLIC_URL without a trailing slash. */
export function rootOf(res: Response): string {
  return roots.get(res) ?? "";
}

/** Sets the headers of all responses for people, including errors and redirects. */
export function pageHeaders(publicUrl: string | undefined): RequestHandler {
  const secure = overTls(publicUrl);
  const root = publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/+$/, "");
  return function setPageHeaders(req: Request, res: Response, next: NextFunction): void {
    roots.set(res, root);
    setAll(res, secure);
    protectPage(req, res);
    next();
  };
}

/** Sets the headers that do not depend on settings. Pages are not indexed unless they remove X-Robots-Tag. */
export function protectPage(req: Request, res: Response): void {
  protect(req, res, () => undefined);
  res.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  res.setHeader("X-Robots-Tag", "noindex");
}

/** Sends a page. A cacheable page gets an ETag, and a 304 when the visitor has it. */
export function sendPage(req: Request, res: Response, status: number, page: Html): void {
  res.vary("Accept-Language");
  sendHtml(req, res, status, page);
}

/** Sends a page that is the same in every language. Without Cache-Control it is not kept. */
export function sendHtml(req: Request, res: Response, status: number, page: Html): void {
  const bytes = Buffer.from(printHtml(page));
  const type = "text/html; charset=utf-8";
  res.status(status);
  const isKept = res.hasHeader("Cache-Control") && res.getHeader("Cache-Control") !== "no-store";
  send(req, res, isKept ? cacheable(type, bytes) : { parts: [bytes], type });
}
