import type { PageCalendar } from "../../calendars/public-queries.js";
import { paths } from "../public-paths.js";
import { html, type Html } from "./html.js";
import { code, type Language, layout, type PageContext } from "./layout.js";
import { assets, kilobytes } from "./static-files.js";

export function embedPage({ calendar, language, baseUrl, root, theme }: EmbedView): Html {
  const t = language.texts.embed;
  const address = baseUrl + paths.page(calendar.uniquekey);
  const label = t.button(calendar.title);
  const button = html`<script type="module" src="${baseUrl}${assets.component}"></script>
    <kalends-follow calendar="${address}"><a href="${address}">${label}</a></kalends-follow>`;
  return layout({
    language,
    root,
    theme,
    title: t.pageTitle(calendar.title),
    kind: "embed",
    head: html`<script type="module" src="${root}${assets.component}"></script>
      <script type="module" src="${root}${assets.list}"></script>`,
    body: html`<main>
      <header class="intro">
        <p class="calendarname">
          <a href="${root}${paths.page(calendar.uniquekey)}" dir="auto">${calendar.title}</a>
        </p>
        <h1>${t.heading}</h1>
        <p class="lead">${t.lead}</p>
      </header>
      <section class="card" aria-labelledby="component-title">
        <h2 id="component-title">${t.component}</h2>
        <p class="note">${t.componentNote(kilobytes.component)}</p>
        <div class="preview">
          <kalends-follow calendar="${address}"><a href="${address}">${label}</a></kalends-follow>
        </div>
        ${code(language, "component-code", button)}
      </section>
      ${linkSection(language, address, label)}${listSection({ calendar, language, baseUrl, root })}
    </main>`,
  });
}

function linkSection(language: Language, address: string, label: string): Html {
  const t = language.texts.embed;
  const link = html`<a href="${address}" style="${linkStyle}">${label}</a>`;
  return html`<section class="card" aria-labelledby="link-title">
    <h2 id="link-title">${t.link}</h2>
    <p class="note">${t.linkNote}</p>
    <div class="preview"><a class="link-preview" href="${address}">${label}</a></div>
    ${code(language, "link-code", link)}
  </section>`;
}

/** Same as .link-preview in the stylesheet, because our own pages do not allow inline styles. */
const linkStyle =
  "display:inline-block;padding:.75em 1.25em;border-radius:999px;background:#17594f;color:#fff;font:600 1rem/1.2 system-ui,sans-serif;text-decoration:none";

interface EmbedView extends PageContext {
  readonly calendar: PageCalendar;
}

const listLimit = 5;

/** Renders the part of the embed page about the list of next events. */
function listSection({ calendar, language, baseUrl, root }: Omit<EmbedView, "theme">): Html {
  const t = language.texts.embedList;
  const path = paths.page(calendar.uniquekey);
  const element = (address: string): Html => {
    const link = html`<a href="${address}">${calendar.title}</a>`;
    return html`<kalends-events calendar="${address}" limit="${listLimit}">${link}</kalends-events>`;
  };
  const list = html`<script type="module" src="${baseUrl}${assets.list}"></script>
    ${element(baseUrl + path)}`;
  const rule = html`kalends-events { display: block; min-height: calc(4.25em * ${listLimit}); }`;
  return html`<section class="card" aria-labelledby="list-title">
    <h2 id="list-title">${t.heading}</h2>
    <p class="note">${t.note(kilobytes.list)}</p>
    <div class="list-preview">${element(root + path)}</div>
    ${code(language, "list-code", list)}
    <p class="note">${t.height}</p>
    ${code(language, "list-style", rule)}
  </section>`;
}
