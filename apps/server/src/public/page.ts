import { gzipSync } from "node:zlib";
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import Negotiator from "negotiator";
import type { Database } from "../db/database.js";
import { recordOf } from "../http/access-log.js";
import { cacheable, type Content, send } from "../http/answer.js";
import { baseUrlOf, overTls } from "../http/base-url.js";
import { answerFailure } from "../http/failures.js";
import { checkHost, setAll } from "../http/guards.js";
import type { CalendarRow } from "../db/rows.js";
import type { Services } from "../services.js";
import type { FieldName } from "./form-fields.js";
import type { Texts } from "./texts/en.js";
import { paths } from "./public-paths.js";
import { readTheme } from "./theme.js";
import { eraseSection } from "./views/follower-page.js";
import { html, type Html, printHtml } from "./views/html.js";
import { mapLink } from "./views/map-link.js";
import { type Language, languageOf, layout, type PageContext } from "./views/layout.js";

export interface PageServices extends Services {
  readonly publicUrl: string | undefined;
  /** What a place is put behind to link to its map; false for no link. */
  readonly mapUrl: string | false;
  /** Undefined where the service sends no e-mail: then no page mentions it. */
  readonly mail?: MailPages | undefined;
}

export interface MailPages {
  /** Of the installation: links in messages are made with it. */
  readonly secret: string;
}

/** A request for a page or of a form. */
export interface Visit extends PageContext {
  readonly req: Request;
  readonly res: Response;
  readonly db: Database;
  /** Returns the link to the map of a place (extensions X11.4); undefined where it has none. */
  readonly mapOf: (location: string) => string | undefined;
}

export function visitOf(req: Request, res: Response, { db, publicUrl, mapUrl }: PageServices): Visit {
  const language = languageOf(req.headers["accept-language"]);
  const root = publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/+$/, "");
  const mapOf = (location: string): string | undefined => mapLink(mapUrl, location);
  const isAndroid = req.headers["user-agent"]?.includes("Android") === true;
  const baseUrl = baseUrlOf(req, publicUrl);
  return { req, res, db, language, baseUrl, root, isAndroid, mapOf, theme: undefined };
}

export interface Form extends Visit {
  readonly body: Uint8Array;
  readonly now: number;
  /** Undefined where the service sends no e-mail. */
  readonly mail: MailPages | undefined;
}

/** Returns the visit with the look of a calendar's account, for its pages and their errors. */
export async function themed<V extends Visit>(
  visit: V,
  calendar: Pick<CalendarRow, "account_id" | "accent" | "picture_id" | "picture_alt">,
): Promise<V> {
  return { ...visit, theme: await readTheme(visit.db, visit.root, calendar) };
}

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

const common = {
  crossOriginEmbedderPolicy: { policy: "require-corp" },
  // With no-referrer browsers would send "Origin: null" with our own forms (form.ts).
  referrerPolicy: { policy: "same-origin" },
  strictTransportSecurity: false, // it depends on PUBLIC_URL
} as const;

const protect = helmet({
  ...common,
  contentSecurityPolicy: { useDefaults: false, directives },
  xFrameOptions: { action: "deny" },
});

/** Of the page that other sites have in a frame, and of its errors: nothing on it does anything but open a page. */
const protectFramed = helmet({
  ...common,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { ...directives, formAction: none, frameAncestors: ["*"] },
  },
  crossOriginResourcePolicy: { policy: "cross-origin" },
  xFrameOptions: false,
});

const framed = new RegExp(`^${paths.frame("[^/?]+")}/?(?:\\?|$)`);

/** Sets the policy of the console, which talks to its own server and writes no text as HTML. */
export const consoleHeaders: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: { ...directives, connectSrc: self, requireTrustedTypesFor: ["'script'"], trustedTypes: none },
});

/** Sets the policy of the reference: it runs a library and sends requests, but only to this service. */
export const referenceHeaders: RequestHandler = helmet.contentSecurityPolicy({
  useDefaults: false,
  directives: {
    defaultSrc: none,
    scriptSrc: self,
    styleSrc: self,
    imgSrc: ["'self'", "data:"], // the icons in the library's stylesheet
    connectSrc: self, // the document, and the requests that a visitor tries
    formAction: none,
    baseUri: none,
    frameAncestors: none,
  },
});

/** Returns what comes before every page: its headers, also of errors and redirects, and the check of the host. */
export function pageGuards(publicUrl: string | undefined): readonly RequestHandler[] {
  const secure = overTls(publicUrl);
  const setPageHeaders: RequestHandler = (req, res, next) => {
    setAll(res, secure);
    protectPage(req, res);
    next();
  };
  return [setPageHeaders, checkHost];
}

/** Pages are not indexed unless they remove X-Robots-Tag. */
function protectPage(req: Request, res: Response): void {
  const protection = framed.test(req.originalUrl) ? protectFramed : protect;
  protection(req, res, () => undefined);
  res.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  res.setHeader("X-Robots-Tag", "noindex");
}

/** Sends a page. A cacheable page gets an ETag, and a 304 when the visitor has it. */
export function sendPage(visit: Pick<Visit, "req" | "res">, status: number, page: Html): void {
  visit.res.vary("Accept-Language");
  sendHtml(visit, status, page);
}

/** Sends a page that is the same in every language. Without Cache-Control it is not kept. */
export function sendHtml({ req, res }: Pick<Visit, "req" | "res">, status: number, page: Html): void {
  const bytes = Buffer.from(printHtml(page));
  const type = "text/html; charset=utf-8";
  res.status(status);
  const isKept = res.hasHeader("Cache-Control") && res.getHeader("Cache-Control") !== "no-store";
  sendText(req, res, isKept ? cacheable(type, bytes) : { parts: [bytes], type });
}

/** Texts of more bytes are sent as they are: compressing them would take longer than a page may. */
const mostCompressed = 200_000;

/** Files as they were compressed before; a page is forgotten once it is sent. */
const zipped = new WeakMap<Content, Content>();

/** Sends a text, compressed to who prefers that: a follow page and its stylesheet are then a quarter as long. */
export function sendText(req: Request, res: Response, content: Content): void {
  const length = content.parts.reduce((sum, part) => sum + part.length, 0);
  if (length > mostCompressed) return send(req, res, content);
  res.vary("Accept-Encoding");
  // Who names no encoding may not decode any (RFC 9110 12.5.3).
  if (new Negotiator(req).encoding(["gzip", "identity"]) !== "gzip") return send(req, res, content);
  const { parts, type, etag } = content;
  const shorter = zipped.get(content) ?? {
    parts: [gzipSync(Buffer.concat(parts))],
    type,
    etag: etag && `W/${etag}`, // the same text in other bytes (RFC 9110 8.8.3)
  };
  zipped.set(content, shorter);
  res.setHeader("Content-Encoding", "gzip");
  send(req, res, shorter);
}

/** Without PUBLIC_URL a page contains the host of the request, so shared caches must not store it. */
export function keep(res: Response, publicUrl: string | undefined): void {
  res.setHeader("Cache-Control", `${publicUrl === undefined ? "private" : "public"}, max-age=60`);
}

type ErrorStatus = keyof Texts["errors"];

const errorStatuses: readonly ErrorStatus[] = [400, 403, 404, 405, 410, 429, 500, 503, 507];

/**
 * Sends a page that says what is wrong and what to do. A status without a text of its own becomes that of its class.
 * @param headers such as Allow and Retry-After
 */
export function sendErrorPage(
  visit: Visit,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void {
  const shown = errorStatuses.find((known) => known === status) ?? (status < 500 ? 400 : 500);
  const texts = visit.language.texts.errors[shown];
  sendProblem(visit, { ...texts, status: shown, headers, back: wayBack(visit.req, shown) });
}

/** Sends the page of an event that was deleted, which leads to that of its calendar. */
export function sendDeletedEvent(visit: Visit, calendarPage: string): void {
  sendProblem(visit, { ...visit.language.texts.event.deleted, status: 410, back: calendarPage });
}

/** Sends the page of a calendar that was deleted to one of its followers, who can delete their data there, or has. */
export function sendDeletedCalendar(visit: Visit, follower: { readonly key: string } | "erased"): void {
  const { texts } = visit.language;
  const more =
    follower === "erased"
      ? html`<p class="notice" role="status">${texts.follower.erased}</p>`
      : eraseSection({ ...visit, key: follower.key });
  sendProblem(visit, { ...texts.errors[410], status: 410, back: "/", more });
}

interface Problem {
  readonly status: ErrorStatus;
  readonly title: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of the page to go on with. */
  readonly back: string;
  readonly more?: Html;
}

function sendProblem(visit: Visit, { status, title, text, headers = {}, back, more }: Problem): void {
  const { req, res, language, root } = visit;
  protectPage(req, res);
  res.setHeader("Cache-Control", "no-store");
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  const requestId =
    status < 500
      ? undefined
      : html`<p class="note">${language.texts.requestId}: <code>${recordOf(res).requestId}</code></p>`;
  const body = html`<main>
    <p class="status" aria-hidden="true">${status}</p>
    <h1>${title}</h1>
    <p class="lead">${text}</p>
    <p><a class="button" href="${root}${back}">${backText(back, language)}</a></p>
    ${more} ${requestId}
  </main>`;
  sendPage(visit, status, layout(visit, { title, kind: "error", body }));
}

/**
 * Returns the path of the calendar's or follower's page that the address belongs to; the start page when there is none, or when
 * that page would answer the same.
 */
function wayBack({ originalUrl, method }: Request, status: ErrorStatus): string {
  const found = /^(\/c\/[a-z0-9]{1,40}|\/f\/[A-Za-z0-9_-]{22})(\/[^?]*)?(?:\?|$)/.exec(originalUrl);
  const [, page, rest] = found ?? [];
  const isMissing = status === 410 || (status === 404 && (rest === undefined || method === "POST"));
  return page === undefined || isMissing ? "/" : page;
}

function backText(path: string, { texts }: Language): string {
  if (path === "/") return texts.home.back;
  return path.startsWith("/f/") ? texts.follower.backToPage : texts.form.back;
}

/** Sends a page that names the invalid fields of a form and their rules. Does not repeat the values. */
export function sendFormError(visit: Visit, invalid: readonly FieldName[], calendarPage: string): void {
  const { language, root } = visit;
  const { title, back, ...rules } = language.texts.form;
  const body = html`<main>
    <p class="status" aria-hidden="true">400</p>
    <h1>${title}</h1>
    <ul>
      ${invalid.map((field) => html`<li>${rules[field]}</li>`)}
    </ul>
    <p><a class="button" href="${root}${calendarPage}">${back}</a></p>
  </main>`;
  sendPage(visit, 400, layout(visit, { title, kind: "error", body }));
}

export function respondError(services: PageServices): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return function respondPageError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    answerFailure(services.log, thrown, req, res, ({ status, headers }) =>
      sendErrorPage(visitOf(req, res, services), status, headers),
    );
  };
}
