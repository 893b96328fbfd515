import type { SearchableCalendar } from "../queries.js";
import { sourceUrl, version } from "../../about.js";
import { paths } from "../addresses.js";
import { consoleManifest } from "./console-files.js";
import { html, type Html } from "./html.js";
import type { Language } from "./language.js";
import { layout } from "./layout.js";

export interface HomeView {
  /** Those that search engines may index; no others are listed anywhere. */
  readonly calendars: readonly SearchableCalendar[];
  readonly language: Language;
  readonly root: string;
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

/** Renders the page of the service itself. */
export function homePage({ calendars, language, root }: HomeView): Html {
  const t = language.texts.home;
  const links = documents.map(([name, path]) => html`<li><a href="${root}${path}">${name}</a></li>`);
  const organizers =
    consoleManifest === undefined
      ? undefined
      : html`<section aria-labelledby="organizers-title">
          <h2 id="organizers-title">${t.organizers}</h2>
          <p><a class="button" href="${root}/console">${t.signIn}</a></p>
        </section>`;
  return layout({
    language,
    root,
    title: "Kalends",
    kind: "home",
    body: html`<main>
      <header class="intro">
        <p class="calendarname">${t.version(version)}</p>
        <h1>Kalends</h1>
        <p class="lead">${t.lead}</p>
        <p class="note">${t.follow}</p>
      </header>
      ${calendarList(calendars, language, root)} ${organizers}
      <section aria-labelledby="api-title">
        <h2 id="api-title">${t.developers}</h2>
        <p><a class="button" href="${root}/docs">${t.reference}</a></p>
        <ul class="links">
          <li><a href="${root}/docs/extensions">${t.reference}: Kalends extensions</a></li>
          ${links}
          <li><a href="${sourceUrl}">${t.source}</a></li>
        </ul>
      </section>
    </main>`,
  });
}

function calendarList(
  calendars: readonly SearchableCalendar[],
  { texts }: Language,
  root: string,
): Html | undefined {
  if (calendars.length === 0) return undefined;
  const items = calendars.map(
    ({ uniquekey, title }) =>
      html`<li><a href="${root}${paths.page(uniquekey)}" dir="auto">${title}</a></li>`,
  );
  return html`<section aria-labelledby="calendars-title">
    <h2 id="calendars-title">${texts.home.calendars}</h2>
    <ul class="links">
      ${items}
    </ul>
  </section>`;
}
