import { html, type Html, printHtml } from "./views/html.js";
import { type Language, languageOf } from "./views/layout.js";
import { richText } from "./views/text.js";

/** A message in parts, of which its text and its HTML are made. Texts of people are in it as they were written. */
export interface Letter {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly items?: readonly Item[];
  readonly button?: { readonly label: string; readonly url: string };
  /** Why someone gets it, and how to get no more. */
  readonly end: readonly string[];
  readonly stop?: { readonly label: string; readonly url: string };
}

export interface Item {
  /** Before the title, such as "Moved". */
  readonly label: string;
  readonly title: string;
  readonly url?: string | undefined;
  readonly lines: readonly string[];
}

/** Returns a text as one line, without what could end a header, hide something or turn its direction. */
export function oneLine(text: string, most = 200): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu, " ")
    .replace(/\s+/g, " ")
    .replaceAll("=?", "= ?") // in a header it would begin an encoded word (RFC 2047)
    .trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Characters of a name that strangers get. */
const mostOfName = 60;

/**
 * Returns a name that someone has chosen, for a message to people who have not asked for it: no program takes a part of it for a link,
 * with invisible characters in it or without, which browsers leave out (UTS #46).
 */
export function nameForStrangers(text: string): string {
  const apart = oneLine(text)
    .replace(/:\p{DI}*\/+/gu, ": ")
    .replace(/([.\u3002\uff0e\uff61])(?=\p{DI}*[\p{L}\p{N}])/gu, "$1 ")
    .replace(/:(?=\p{DI}*\p{L})/gu, ": ");
  return oneLine(apart, mostOfName);
}

export function letterText({ language, title, paragraphs, items = [], button, end, stop }: Letter): string {
  const { colon } = languageOf(language).texts;
  const blocks = [
    title,
    ...paragraphs,
    ...items.map(({ label, title: name, url, lines }) =>
      [`${label}${colon} ${oneLine(name, 300)}`, ...lines, ...(url === undefined ? [] : [url])].join("\n"),
    ),
    ...(button === undefined ? [] : [`${button.label}${colon}\n${button.url}`]),
    ...(end.length === 0
      ? []
      : [["-- ", ...end, ...(stop === undefined ? [] : [`${stop.label}${colon} ${stop.url}`])].join("\n")]),
  ];
  return `${blocks.join("\n\n").replace(/\r\n?/g, "\n")}\n`;
}

const style = `body{margin:0;background:#fff;color:#1c1f1e}a{color:#0b5a4a}.end,.end a{color:#5a605e}
@media (prefers-color-scheme:dark){body{background:#131615;color:#e8e6e1}a{color:#7fd1bd}.end,.end a{color:#a3a8a6}
.button{background:#7fd1bd!important;color:#131615!important}}`;

/** Nothing in it is loaded from anywhere. It is one column, so that it fits a phone. */
export function letterHtml({ language, title, paragraphs, items = [], button, end, stop }: Letter): string {
  const markup = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <div style="max-width:36em;margin:0 auto;padding:1.25em;font:16px/1.5 system-ui,sans-serif">
          <h1 style="font-size:1.3em;line-height:1.25;margin:0 0 .8em" dir="auto">${title}</h1>
          ${paragraphs.map((text) => html`<p dir="auto" style="overflow-wrap:anywhere">${broken(text)}</p>`)}
          ${items.map((item) => itemHtml(item, languageOf(language)))}
          ${button === undefined ? undefined : buttonHtml(button)}
          <p class="end" style="margin-top:2em;font-size:.875em">
            ${end.map((text) => html`${text}<br />`)}
            ${stop === undefined ? undefined : html`<a href="${stop.url}">${stop.label}</a>`}
          </p>
        </div>
      </body>
    </html> `;
  return printHtml(markup);
}

function itemHtml({ label, title, url, lines }: Item, { texts }: Language): Html {
  const name = url === undefined ? html`${title}` : html`<a href="${url}">${title}</a>`;
  return html`<p style="overflow-wrap:anywhere">
    <strong>${label}${texts.colon} <bdi>${name}</bdi></strong
    >${lines.map((line) => html`<br /><span dir="auto">${line}</span>`)}
  </p>`;
}

function buttonHtml({ label, url }: { readonly label: string; readonly url: string }): Html {
  const look =
    "display:inline-block;padding:.6em 1.1em;border-radius:.4em;background:#0b5a4a;color:#fff;text-decoration:none";
  return html`<p><a class="button" href="${url}" style="${look}">${label}</a></p>
    <p class="end" style="font-size:.875em;overflow-wrap:anywhere">${url}</p>`;
}

function broken(text: string): Html {
  return html`${text
    .split(/\r\n|\r|\n/)
    .map((line, index) => (index === 0 ? richText(line) : html`<br />${richText(line)}`))}`;
}
