import { html, type Html, printHtml } from "./html.js";
import type { Language } from "./language.js";
import { assets } from "./static-files.js";

interface Page {
  readonly language: Language;
  readonly root: string;
  readonly title: string;
  /** Class of the body, for the stylesheet. */
  readonly kind: "follow" | "event" | "follower" | "embed" | "error" | "home";
  /** Additional elements for the head, such as Open Graph tags. */
  readonly head?: Html;
  readonly isSearchable?: boolean;
  readonly body: Html;
}

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
function copyButton({ texts }: Language, target: string): Html {
  const { copy, copied } = texts.follow;
  return html`<button type="button" class="quiet" data-copy="${target}" data-done="${copied}" hidden>
    ${copy}
  </button>`;
}

export function code(language: Language, id: string, snippet: Html): Html {
  return html`<div class="code">
    <pre
      id="${id}"
      tabindex="0"
      role="group"
      aria-label="${language.texts.embed.code}"
    ><code>${printHtml(snippet)}</code></pre>
    ${copyButton(language, id)}
  </div>`;
}

/** Renders a box for each category; undefined when there is none. The field `choose` says that boxes were offered. */
export function categoryBoxes(
  categories: readonly string[],
  isTicked: (name: string) => boolean,
  { texts }: Language,
): Html | undefined {
  if (categories.length === 0) return undefined;
  const boxes = categories.map(
    (name) =>
      html`<label
        ><input
          type="checkbox"
          name="category"
          value="${name}"
          ${isTicked(name) ? html`checked` : undefined}
        /><span dir="auto">${name}</span></label
      >`,
  );
  return html`<fieldset class="categories" aria-describedby="categories-note">
    <legend>${texts.categories.which}</legend>
    <input type="hidden" name="choose" value="1" />
    <div class="boxes">${boxes}</div>
    <p class="note" id="categories-note">${texts.categories.note}</p>
  </fieldset>`;
}
