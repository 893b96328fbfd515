import Negotiator from "negotiator";
import type { NewsFollower } from "../../followers/mail-request-queries.js";
import { de } from "../texts/de.js";
import { en, type Texts } from "../texts/en.js";
import { es } from "../texts/es.js";
import { fr } from "../texts/fr.js";
import type { Theme } from "../theme.js";
import { accentStylePath } from "./accent-style.js";
import { html, type Html, printHtml } from "./html.js";
import { assets } from "./static-files.js";

type Around = Pick<PageContext, "language" | "root" | "theme">;

interface Page {
  readonly title: string;
  readonly kind: "follow" | "event" | "follower" | "embed" | "error" | "home" | "portal" | "paper" | "frame";
  /** Additional elements for the head, such as Open Graph tags. */
  readonly head?: Html;
  readonly isSearchable?: boolean;
  readonly body: Html;
}

export function layout(around: Around, { title, kind, head, isSearchable, body }: Page): Html {
  const { language, root, theme } = around;
  const robots = isSearchable === true ? undefined : html`<meta name="robots" content="noindex" />`;
  return html`<!doctype html>
    <html lang="${language.texts.language}" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          content="${theme?.colors.light.accent ?? "#f7f5f0"}"
          media="(prefers-color-scheme: light)"
        />
        <meta
          name="theme-color"
          content="${theme?.colors.dark.accent_wash ?? "#131615"}"
          media="(prefers-color-scheme: dark)"
        />
        ${robots}
        <title>${title}</title>
        ${head}
        <link rel="stylesheet" href="${root}${assets.style.path}" />
        <link rel="stylesheet" href="${theme?.stylePath ?? root + accentStylePath("")}" />
        <link rel="icon" href="${root}${assets.icon.path}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${root}${assets.touchIcon.path}" />
        <script src="${root}${assets.script.path}" defer></script>
      </head>
      <body class="${kind}">
        ${masthead(theme)}${body} ${foot(around)}
      </body>
    </html> `;
}

/** Whose page it is: the logo and the name, on the accent. A page of the service itself has none. */
function masthead(theme: Theme | undefined): Html | undefined {
  if (theme === undefined || (theme.name === "" && theme.logo === undefined)) return undefined;
  const { logo, name, website } = theme;
  const image =
    logo &&
    html`<img class="logo" src="${logo.src}" srcset="${logo.srcset}" sizes="160px" alt="${logo.alt}" />`;
  const club = html`${image}<span dir="auto">${name}</span>`;
  return html`<header class="masthead">
    <p>${website === "" ? club : html`<a href="${website}" rel="noopener">${club}</a>`}</p>
  </header>`;
}

/** The links that the law of several countries asks for, and whose software it is. */
function foot({ language: { texts }, root, theme }: Around): Html {
  const t = texts.foot;
  const links = [
    [theme?.website, t.website],
    [theme?.imprint_url, t.imprint],
    [theme?.privacy_url, t.privacy],
  ].flatMap(([href = "", label]) =>
    href === "" ? [] : html`<li><a href="${href}" rel="noopener">${label}</a></li>`,
  );
  return html`<footer>
    ${
      links.length === 0
        ? undefined
        : html`<ul>
            ${links}
          </ul>`
    }
    <p><a href="${root}/">${t.poweredBy}</a></p>
  </footer>`;
}

export function copyField(
  language: Pick<Language, "texts">,
  id: string,
  label: string,
  address: string,
): Html {
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
function copyButton({ texts }: Pick<Language, "texts">, target: string): Html {
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

const translations: ReadonlyMap<string, Texts> = new Map(
  [en, de, fr, es].map((texts) => [texts.language, texts]),
);

export interface Language {
  /** The visitor's preferred translation; English if there is none. */
  readonly texts: Texts;
  /** BCP 47 tag for dates and numbers: the visitor's first choice that Intl supports, translated or not. */
  readonly locale: string;
  /** Attributes of dates; undefined when they are in the language of the texts. */
  readonly foreign: { readonly lang: string; readonly dir: string } | undefined;
}

/** What every page needs besides its content. */
export interface PageContext {
  readonly language: Language;
  /** URL of the service. Its path, if any, is `root`. */
  readonly baseUrl: string;
  readonly root: string;
  /** Whether the browser runs on Android, where Google Calendar cannot subscribe to a feed. */
  readonly isAndroid: boolean;
  /** Of the account that the page is of; undefined on a page of the service itself. */
  readonly theme: Theme | undefined;
}

/** What the page of a person has, of one calendar or of several. */
export interface PersonView extends PageContext {
  /** The person's key. It appears in the addresses of this page and nowhere else. */
  readonly key: string;
  readonly hasChosen: boolean;
  /** Undefined where the service sends no e-mail. */
  readonly address: NewsFollower | undefined;
  readonly isAddressWrong: boolean;
}

/**
 * Returns the language for an Accept-Language header (RFC 9110 12.5.4). Drops extensions, because they could select
 * another calendar system.
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  const accepted = acceptedLocales(acceptLanguage ?? "");
  const texts = accepted.flatMap(({ language }) => translations.get(language) ?? [])[0] ?? en;
  const [first] = accepted;
  if (first === undefined) return { texts, locale: "en", foreign: undefined };
  const { baseName, language } = first;
  if (language === texts.language) return { texts, locale: baseName, foreign: undefined };
  const dir = rightToLeft.has(language) ? "rtl" : "ltr";
  return { texts, locale: baseName, foreign: { lang: baseName, dir } };
}

const rightToLeft = new Set(["ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "syr", "ug", "ur", "yi"]);

/** Bounds the work for one request: the rest of a longer header is ignored. */
const maxHeaderLength = 500;
const maxLanguages = 10;

/** Returns the visitor's languages that Intl supports, the preferred one first. */
function acceptedLocales(header: string): readonly Intl.Locale[] {
  return new Negotiator({ headers: { "accept-language": header.slice(0, maxHeaderLength) } })
    .languages()
    .slice(0, maxLanguages)
    .flatMap((tag) => parseLocale(tag))
    .filter(({ baseName }) => Intl.DateTimeFormat.supportedLocalesOf(baseName).length > 0);
}

/** Returns the locale in a list, or an empty list for "*" and malformed tags. */
function parseLocale(tag: string): readonly Intl.Locale[] {
  try {
    const { language, script, region } = new Intl.Locale(tag);
    return [new Intl.Locale([language, script, region].filter((part) => part !== undefined).join("-"))];
  } catch {
    return [];
  }
}
