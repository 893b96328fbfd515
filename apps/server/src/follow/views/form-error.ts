import type { Request, Response } from "express";
import type { FieldName } from "../form-fields.js";
import { html } from "./html.js";
import { languageOf } from "./language.js";
import { layout } from "./layout.js";
import { rootOf, sendPage } from "./send.js";

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
