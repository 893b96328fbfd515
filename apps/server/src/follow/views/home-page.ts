import type { SearchableCalendar } from "../queries.js";
import { sourceUrl, version } from "../../about.js";
import { paths } from "../public-paths.js";
import { consoleManifest } from "./console-files.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { layout } from "./layout.js";

export interface HomeView {
  /** Those that search engines may index; no others are listed anywhere. */
  readonly calendars: readonly SearchableCalendar[];
  readonly language: Language;
  readonly root: string;
  /** The link that a visitor gave and that leads to no calendar; undefined when there is none. */
  readonly wrongLink: string | undefined;
}

/** The documents that describe the API, by what they are called. */
const documents = [
  ["OpenAPI 3.0, for generators (JSON)", "/openapi-generators.json"],
  ["OpenAPI 3.0 (JSON)", "/openapi.json"],
  ["OpenAPI 3.0 (YAML)", "/openapi.yaml"],
  ["OpenAPI 3.1 (JSON)", "/openapi-3.1.json"],
  ["OpenAPI 3.0, extensions, for generators (JSON)", "/openapi-kalends-generators.json"],
  ["OpenAPI 3.1, extensions (JSON)", "/openapi-kalends.json"],
  ["OpenAPI 3.1, extensions (YAML)", "/openapi-kalends.yaml"],
] as const;

/** Renders the page of the service itself: a door for those who follow, those who organize and those who program. */
export function homePage({ calendars, language, root, wrongLink }: HomeView): Html {
  const t = language.texts.home;
  const organizers =
    consoleManifest === undefined
      ? undefined
      : html`<section aria-labelledby="organizers-title">
          <h2 id="organizers-title">${t.organizers}</h2>
          <p>${t.console}</p>
          <p><a class="button" href="${root}/console">${t.signIn}</a></p>
        </section>`;
  return layout({
    language,
    root,
    title: "Kalends",
    kind: "home",
    body: html`<main>
      <header class="intro">
        <h1>Kalends</h1>
        <p class="lead">${t.lead}</p>
      </header>
      <section aria-labelledby="followers-title">
        <h2 id="followers-title">${t.followers}</h2>
        ${linkForm(language, root, wrongLink)} ${calendarList(calendars, language, root)}
      </section>
      ${organizers} ${developers(language, root)}
    </main>`,
  });
}

/** Renders a field for the link of a calendar. @param wrongLink what it had when it led nowhere */
function linkForm({ texts }: Language, root: string, wrongLink?: string): Html {
  const t = texts.home;
  const wrong =
    wrongLink === undefined
      ? undefined
      : html`<p class="wrong" id="link-wrong" role="alert">${t.wrongLink}</p>`;
  const marks = wrong === undefined ? undefined : html`aria-invalid="true" aria-describedby="link-wrong"`;
  return html`<form action="${root}/" method="get">
    <label for="link">${t.link}</label>
    <div class="copy-row">
      <input
        id="link"
        name="link"
        type="text"
        inputmode="url"
        value="${wrongLink ?? ""}"
        placeholder="https://…/c/…"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        maxlength="2000"
        dir="ltr"
        required
        ${marks}
      /><button type="submit">${t.open}</button>
    </div>
    ${wrong}
  </form>`;
}

function developers({ texts }: Language, root: string): Html {
  const t = texts.home;
  const links = documents.map(([name, path]) => html`<li><a href="${root}${path}">${name}</a></li>`);
  return html`<section aria-labelledby="api-title">
    <h2 id="api-title">${t.developers}</h2>
    <ul class="links">
      <li><a href="${root}/docs">${t.reference}</a></li>
      <li><a href="${root}/docs/extensions">${t.reference}: Kalends extensions</a></li>
      <li><a href="${sourceUrl}">${t.source}</a></li>
    </ul>
    <details>
      <summary>${t.documents}</summary>
      <ul class="links">
        ${links}
      </ul>
    </details>
    <p class="note">${t.version(version)}</p>
  </section>`;
}

function calendarList(calendars: readonly SearchableCalendar[], { texts }: Language, root: string) {
  if (calendars.length === 0) return undefined;
  const items = calendars.map(
    ({ uniquekey, title }) =>
      html`<li><a href="${root}${paths.page(uniquekey)}" dir="auto">${title}</a></li>`,
  );
  return html`<h3 id="calendars-title">${texts.home.calendars}</h3>
    <ul class="links" aria-labelledby="calendars-title">
      ${items}
    </ul>`;
}
