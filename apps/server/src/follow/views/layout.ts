import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { assets } from "./static-files.js";

export interface Page {
  readonly language: Language;
  /** Path prefix of the service (`rootOf`). */
  readonly root: string;
  readonly title: string;
  /** Class of the body, for the stylesheet. */
  readonly kind: "follow" | "event" | "follower" | "embed" | "error" | "home";
  /** Additional elements for the head, such as Open Graph tags. */
  readonly head?: Html;
  readonly isSearchable?: boolean;
  readonly body: Html;
}

/** Renders the document around the body of a page. */
export function layout({ language, root, title, kind, head, isSearchable, body }: Page): Html {
  const robots = isSearchable === true ? undefined : html`<meta name="robots" content="noindex" />`;
  return html`<!doctype html>
    <html lang="${language.texts.language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f7f5f0" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#131615" media="(prefers-color-scheme: dark)" />
        ${robots}
        <title>${title}</title>
        ${head}
        <link rel="stylesheet" href="${root}${assets.style}" />
        <link rel="icon" href="${root}${assets.icon}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${root}${assets.touchIcon}" />
        <script src="${root}${assets.script}" defer></script>
      </head>
      <body class="${kind}">
        ${body}
        <footer>
          <p><a href="${root}/">${language.texts.follow.poweredBy}</a></p>
        </footer>
      </body>
    </html> `;
}

/** Renders a read-only field with an address and a button to copy it. */
export function copyField(language: Language, id: string, label: string, address: string): Html {
  return html`<div class="copy-row">
    <input
      id="${id}"
      type="text"
      value="${address}"
      aria-label="${label}"
      readonly
      dir="ltr"
      spellcheck="false"
    />${copyButton(language, id)}
  </div>`;
}

/** Renders a hidden button; page.js shows it, because it needs a script. */
export function copyButton({ texts }: Language, target: string): Html {
  const { copy, copied } = texts.follow;
  return html`<button type="button" class="quiet" data-copy="${target}" data-done="${copied}" hidden>
    ${copy}
  </button>`;
}
