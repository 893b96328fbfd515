import type { Request, Response } from "express";
import type { FieldName } from "../form-fields.js";
import { html } from "./html.js";
import { languageOf } from "./language.js";
import { layout } from "./layout.js";
import { sendPage } from "./send.js";

interface Words extends Readonly<Record<FieldName, string>> {
  readonly title: string;
  readonly back: string;
}

const en: Words = {
  title: "Something in the form is not right",
  app: "App: choose one of the buttons.",
  name: "Name: at most 255 characters, on one line.",
  email: "E-mail: an address such as ada@example.com, at most 254 characters.",
  back: "Back to the calendar",
};

const words: Readonly<Record<string, Words>> = {
  en,
  de: {
    title: "Etwas im Formular stimmt nicht",
    app: "App: Wählen Sie eine der Schaltflächen.",
    name: "Name: höchstens 255 Zeichen, in einer Zeile.",
    email: "E-Mail: eine Adresse wie ada@example.com, höchstens 254 Zeichen.",
    back: "Zurück zum Kalender",
  },
  fr: {
    title: "Le formulaire contient une erreur",
    app: "Application : choisissez l’un des boutons.",
    name: "Nom : 255 caractères au plus, sur une seule ligne.",
    email: "E-mail : une adresse comme ada@example.com, 254 caractères au plus.",
    back: "Retour au calendrier",
  },
  es: {
    title: "Hay algo incorrecto en el formulario",
    app: "Aplicación: elija uno de los botones.",
    name: "Nombre: 255 caracteres como máximo, en una sola línea.",
    email: "Correo: una dirección como ada@example.com, 254 caracteres como máximo.",
    back: "Volver al calendario",
  },
};

/** Answers a form that was not accepted: which fields are wrong, and what would be right. Repeats nothing of what was sent. */
export function sendFormError(
  req: Request,
  res: Response,
  wrong: readonly FieldName[],
  calendarPage: string,
): void {
  const language = languageOf(req.headers["accept-language"]);
  const { title, back, ...rules } = words[language.texts.language] ?? en;
  const body = html`<main>
    <p class="status" aria-hidden="true">400</p>
    <h1>${title}</h1>
    <ul>
      ${wrong.map((field) => html`<li>${rules[field]}</li>`)}
    </ul>
    <p><a class="button" href="${calendarPage}">${back}</a></p>
  </main>`;
  sendPage(req, res, 400, layout({ language, title, kind: "error", body }));
}
