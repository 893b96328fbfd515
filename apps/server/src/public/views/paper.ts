import type { PageCalendar } from "../../calendars/public-queries.js";
import { paths } from "../public-paths.js";
import { html, type Html } from "./html.js";
import { layout, type PageContext } from "./layout.js";
import { assets } from "./static-files.js";

export interface PaperView extends PageContext {
  readonly calendar: PageCalendar;
}

type Sheet = "month" | "season" | "poster";

/** Renders a sheet of paper, with what leads to the others beside it, which is not printed. */
export function paper(
  view: PaperView,
  kind: Sheet,
  { title, body, tools }: { readonly title: string; readonly body: Html; readonly tools?: Html },
): Html {
  const { calendar, language, root } = view;
  const t = language.texts.paper;
  const sheets = { month: paths.print, season: paths.season, poster: paths.poster } as const;
  const names: readonly Sheet[] = ["month", "season", "poster"];
  const links = names.map((name) => {
    const current = name === kind ? html` aria-current="page"` : html``;
    return html`<li><a href="${root}${sheets[name](calendar.uniquekey)}" ${current}>${t[name]}</a></li>`;
  });
  return layout(view, {
    title: `${title} · ${calendar.title}`,
    kind: "paper",
    head: html`<link rel="stylesheet" href="${root}${assets.paper.path}" />`,
    body: html`<nav class="tools" aria-label="${t.heading}">
        <a href="${root}${paths.page(calendar.uniquekey)}">${language.texts.form.back}</a>
        <ul>
          ${links}
        </ul>
        ${tools}
        <button type="button" data-print hidden>${t.print}</button>
      </nav>
      <main class="sheet sheet-${kind}">${body}</main>`,
  });
}

/** Whose sheet it is: the logo and the name of the account, and the name of the calendar. */
export function sheetHead({ calendar, theme }: PaperView, heading: Html): Html {
  const logo =
    theme?.logo && html`<img class="sheet-logo" src="${theme.logo.src}" alt="${theme.logo.alt}" />`;
  const club = theme === undefined || theme.name === "" ? undefined : html`<p dir="auto">${theme.name}</p>`;
  return html`<header class="sheet-head">
    ${logo}
    <div>
      ${club}
      <h1 dir="auto">${calendar.title}</h1>
    </div>
    ${heading}
  </header>`;
}
