import type { Request, Response } from "express";
import { recordOf } from "../../http/access-log.js";
import type { FieldName } from "../form-fields.js";
import type { Texts } from "../texts/en.js";
import { eraseSection } from "./follower-page.js";
import { html, type Html } from "./html.js";
import { type Language, languageOf } from "./language.js";
import { layout } from "./layout.js";
import { protectPage, rootOf, sendPage } from "./page-response.js";

type ErrorPageStatus = keyof Texts["errors"];

const errorPageStatuses: readonly ErrorPageStatus[] = [400, 403, 404, 405, 410, 429, 500, 503, 507];

/** Returns the status of the page for an HTTP status: one that has no text of its own gets that of its class. */
export function errorPageStatus(status: number): ErrorPageStatus {
  return errorPageStatuses.find((known) => known === status) ?? (status < 500 ? 400 : 500);
}

/**
 * Sends a page in the visitor's language that says what is wrong and what to do.
 * @param headers such as Allow and Retry-After.
 */
export function sendErrorPage(
  req: Request,
  res: Response,
  status: ErrorPageStatus,
  headers: Readonly<Record<string, string>> = {},
): void {
  const language = languageOf(req.headers["accept-language"]);
  const back = wayBack(req, status);
  send(req, res, { ...language.texts.errors[status], language, status, headers, back });
}

/** Sends the page of an event that was deleted, which leads to that of its calendar. */
export function sendDeletedEvent(req: Request, res: Response, calendarPage: string): void {
  const language = languageOf(req.headers["accept-language"]);
  const { deleted } = language.texts.event;
  send(req, res, { ...deleted, language, status: 410, headers: {}, back: calendarPage });
}

/** Sends the page of a calendar that was deleted to one of its followers, who can delete their data there, or has. */
export function sendDeletedCalendar(
  req: Request,
  res: Response,
  follower: { readonly key: string } | "erased",
): void {
  const language = languageOf(req.headers["accept-language"]);
  const { erased } = language.texts.follower;
  const more =
    follower === "erased"
      ? html`<p class="notice" role="status">${erased}</p>`
      : eraseSection({ key: follower.key, language, root: rootOf(res) });
  send(req, res, { ...language.texts.errors[410], language, status: 410, headers: {}, back: "/", more });
}

interface ErrorPage {
  readonly language: Language;
  readonly status: ErrorPageStatus;
  readonly title: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the page to go on with. */
  readonly back: string;
  readonly more?: Html;
}

function send(
  req: Request,
  res: Response,
  { language, status, title, text, headers, back, more }: ErrorPage,
): void {
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
    <p><a class="button" href="${rootOf(res)}${back}">${backText(back, language)}</a></p>
    ${more} ${requestId}
  </main>`;
  sendPage(req, res, status, layout({ language, root: rootOf(res), title, kind: "error", body }));
}

/**
 * Returns the path of the calendar's or follower's page that the address belongs to; the start page when there is none, or when
 * that page would answer the same.
 */
function wayBack({ originalUrl, method }: Request, status: ErrorPageStatus): string {
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
export function sendFormError(
  req: Request,
  res: Response,
  invalid: readonly FieldName[],
  calendarPage: string,
): void {
  const language = languageOf(req.headers["accept-language"]);
  const { title, back, ...rules } = language.texts.form;
  const body = html`<main>
    <p class="status" aria-hidden="true">400</p>
    <h1>${title}</h1>
    <ul>
      ${invalid.map((field) => html`<li>${rules[field]}</li>`)}
    </ul>
    <p><a class="button" href="${rootOf(res)}${calendarPage}">${back}</a></p>
  </main>`;
  sendPage(req, res, 400, layout({ language, root: rootOf(res), title, kind: "error", body }));
}
