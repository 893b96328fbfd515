import { accentColors, defaultAccent } from "@kalends/spec";
import type { PageCalendar } from "../../calendars/public-queries.js";
import { paths } from "../public-paths.js";
import { html, type Html } from "./html.js";
import { code, copyField, type Language, layout, type PageContext } from "./layout.js";
import { assets, kilobytes } from "./static-files.js";

interface EmbedView extends PageContext {
  readonly calendar: PageCalendar;
}

/** What to paste into another site, for people who have a website builder and no idea of HTML. */
export function embedPage(view: EmbedView): Html {
  const { calendar, language, baseUrl, root } = view;
  const t = language.texts.embed;
  const address = baseUrl + paths.page(calendar.uniquekey);
  const label = t.button(calendar.title);
  return layout(view, {
    title: t.pageTitle(calendar.title),
    kind: "embed",
    head: html`<script type="module" src="${root}${assets.component.path}"></script>
      <script type="module" src="${root}${assets.list.path}"></script>
      <script type="module" src="${root}${assets.frame.path}"></script>`,
    body: html`<main>
      <header class="intro">
        <p class="calendarname">
          <a href="${root}${paths.page(calendar.uniquekey)}" dir="auto">${calendar.title}</a>
        </p>
        <h1 class="long">${t.heading}</h1>
        <p class="lead">${t.lead}</p>
      </header>
      ${pasting(language)} ${frameSection("list", view)} ${frameSection("month", view)}
      ${heightSection(language, baseUrl)} ${buttonSection(view, address, label)}
      ${linkSection(view, address, label)} ${listSection(view)}
    </main>`,
  });
}

/** Renders where each of the well-known builders takes what is copied here. */
function pasting({ texts: { embed: t } }: Language): Html {
  return html`<section aria-labelledby="paste-title">
    <h2 id="paste-title">${t.where}</h2>
    <ol class="steps">
      ${t.steps.map((step) => html`<li>${step}</li>`)}
    </ol>
    <dl class="facts">
      ${t.builders.map(
        ([name, place]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${place}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

/** Pixels of a frame whose page cannot say how high it is: five events, or a month and some of its events. */
const heights = { list: 560, month: 760 } as const;

/** Renders a box with the next events or a month: a frame, which every builder takes. */
function frameSection(shows: "list" | "month", { calendar, language, baseUrl, root }: EmbedView): Html {
  const t = language.texts.embed;
  const path = `${paths.frame(calendar.uniquekey)}${shows === "month" ? "?view=month" : ""}`;
  const frame = html`<iframe
    src="${baseUrl}${path}"
    title="${calendar.title}"
    width="100%"
    height="${heights[shows]}"
    style="border:0"
    loading="lazy"
  ></iframe>`;
  const id = `${shows}-frame`;
  return html`<section class="card" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${t[shows].heading}</h2>
    <p class="note">${t[shows].note}</p>
    <iframe
      class="frame-preview"
      src="${root}${path}"
      title="${t.preview}: ${t[shows].heading}"
      height="${heights[shows]}"
      loading="lazy"
    ></iframe>
    ${code(language, `${id}-code`, frame)}
    <details class="fold">
      <summary>${t.linkOnly}</summary>
      ${copyField(language, `${id}-address`, t.linkOnly, baseUrl + path)}
    </details>
  </section>`;
}

function heightSection(language: Language, baseUrl: string): Html {
  const t = language.texts.embed;
  const script = html`<script type="module" src="${baseUrl}${assets.frame.path}"></script>`;
  return html`<section class="card" aria-labelledby="height-title">
    <h2 id="height-title">${t.height}</h2>
    <p class="note">${t.heightNote}</p>
    ${code(language, "height-code", script)}
  </section>`;
}

/** The colours of a button for another site: those of the account, as every site is taken for a light one. */
function colorsOf({ theme }: EmbedView): { readonly accent: string; readonly on_accent: string } {
  return theme?.colors.light ?? accentColors("").light;
}

function buttonSection(view: EmbedView, address: string, label: string): Html {
  const { language, baseUrl } = view;
  const t = language.texts.embed;
  const { accent, on_accent } = colorsOf(view);
  // Without them the button has the default accent, and another one on a dark site.
  const colors = html` style="--kalends-background:${accent};--kalends-color:${on_accent}"`;
  const own = accent === defaultAccent ? undefined : colors;
  const link = html`<a href="${address}">${label}</a>`;
  const preview = html`<kalends-follow calendar="${address}">${link}</kalends-follow>`;
  const button = html`<script type="module" src="${baseUrl}${assets.component.path}"></script>
    <kalends-follow calendar="${address}" ${own}>${link}</kalends-follow>`;
  return html`<section class="card" aria-labelledby="component-title">
    <h2 id="component-title">${t.component}</h2>
    <p class="note">${t.componentNote}</p>
    <div class="preview">${preview}</div>
    ${code(language, "component-code", button)}
  </section>`;
}

function linkSection(view: EmbedView, address: string, label: string): Html {
  const { language } = view;
  const t = language.texts.embed;
  const { accent, on_accent } = colorsOf(view);
  const style = `${linkStyle};background:${accent};color:${on_accent}`;
  const link = html`<a href="${address}" style="${style}">${label}</a>`;
  return html`<section class="card" aria-labelledby="link-title">
    <h2 id="link-title">${t.link}</h2>
    <p class="note">${t.linkNote}</p>
    <div class="preview"><a class="link-preview" href="${address}">${label}</a></div>
    ${code(language, "link-code", link)}
  </section>`;
}

/** Same as .link-preview in the stylesheet, because our own pages do not allow inline styles. */
const linkStyle =
  "display:inline-block;padding:.75em 1.25em;border-radius:999px;font:600 1rem/1.2 system-ui,sans-serif;text-decoration:none";

const listLimit = 5;

/** Renders the part about the list that takes the look of its site: for people who write HTML. */
function listSection({ calendar, language, baseUrl, root }: EmbedView): Html {
  const t = language.texts.embedList;
  const path = paths.page(calendar.uniquekey);
  const element = (address: string): Html => {
    const link = html`<a href="${address}">${calendar.title}</a>`;
    return html`<kalends-events calendar="${address}" limit="${listLimit}">${link}</kalends-events>`;
  };
  const list = html`<script type="module" src="${baseUrl}${assets.list.path}"></script>
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
