import type { KeyedAccount, NewsRow } from "../../db/rows.js";
import type { App } from "../../followers/agents.js";
import { monthIndex } from "../../time/formats.js";
import { shownIn } from "../month-events.js";
import type { PortalContent, PortalQuery } from "../portal-content.js";
import { paths } from "../public-paths.js";
import { calendarBoxes } from "./combined-page.js";
import { eventRows } from "./event-rows.js";
import { appChoice, coverPicture, previewPicture } from "./follow-page.js";
import { html, type Html } from "./html.js";
import { layout, type PageContext } from "./layout.js";
import { monthView, moreLink } from "./month.js";
import { notices } from "./news.js";
import { assets, consoleManifest } from "./static-files.js";

export interface PortalView extends PageContext, PortalContent {
  readonly account: KeyedAccount;
  readonly query: PortalQuery;
  /** Where the portal is, below the path of the service. */
  readonly path: string;
  readonly isSearchable: boolean;
  /** Messages that are shown now; undefined where the service sends no e-mail. */
  readonly news: readonly NewsRow[] | undefined;
  readonly commonApps: readonly App[];
}

/** What is on in all calendars of an account, and how to follow them (extensions X11.3). */
export function portalPage(view: PortalView): Html {
  const { account, calendars, language, root, theme, isSearchable, query } = view;
  const t = language.texts.portal;
  const { name } = account;
  const notice = query.isDataDeleted
    ? html`<p class="notice" role="status">${language.texts.follower.erased}</p>`
    : undefined;
  const content =
    calendars.length === 0
      ? html`<p class="lead">${t.noCalendars}</p>`
      : html`${search(view)}
          <div class="side">${followCard(view)}</div>
          ${next(view)} ${months(view)}`;
  return layout(view, {
    title: name === "" ? t.heading : `${name} · ${t.heading}`,
    kind: "portal",
    isSearchable,
    head: html`${openGraph(view)}<link rel="stylesheet" href="${root}${assets.portal.path}" />`,
    body: html`<main>
      ${coverPicture(theme?.cover)}
      <header class="intro">
        ${notice}
        <h1>${t.heading}</h1>
        ${notices(view.news ?? [], language, calendars)}
        ${
          calendars.length === 0
            ? undefined
            : html`<p class="jump"><a class="button" href="#follow">${t.follow}</a></p>`
        }
      </header>
      ${content}
      <p class="printed">${view.baseUrl}${view.path}</p>
      ${organizers(view)}
    </main>`,
  });
}

function openGraph({ account, baseUrl, path, language, theme }: PortalView): Html {
  const address = baseUrl + path;
  const description = language.texts.portal.metaDescription(account.name);
  return html`<link rel="canonical" href="${address}" />
    <meta name="description" content="${description}" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${account.name}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${address}" />
    ${previewPicture(theme?.cover ?? theme?.logo, baseUrl)}`;
}

function search({ query, categories, language, root, path }: PortalView): Html {
  const t = language.texts.portal;
  const kept =
    query.category === undefined
      ? undefined
      : html`<input type="hidden" name="category" value="${query.category}" />`;
  const chip = (label: Html, category: string | undefined): Html => {
    const current = category === query.category ? html` aria-current="true"` : html``;
    return html`<li>
      <a class="chip" href="${root}${path}${addressOf({ q: query.q, category })}" ${current}>${label}</a>
    </li>`;
  };
  const chips = categories.map((name) => chip(html`<bdi>${name}</bdi>`, name));
  return html`<section class="find" aria-label="${t.find}">
    <form role="search" method="get" action="${root}${path}">
      <label class="unseen" for="q">${t.search}</label>
      <div class="copy-row">
        <input
          id="q"
          name="q"
          type="search"
          value="${query.q}"
          maxlength="100"
          placeholder="${t.search}"
          enterkeyhint="search"
          autocomplete="off"
          dir="auto"
        />${kept}<button class="quiet">${t.find}</button>
      </div>
    </form>
    ${
      chips.length === 0
        ? undefined
        : html`<ul class="chips" aria-label="${language.texts.categories.label}">
            ${chip(html`${t.all}`, undefined)}${chips}
          </ul>`
    }
  </section>`;
}

/** Returns the query of an address that narrows the portal; "" when it does not. */
function addressOf({ q, category }: Pick<PortalQuery, "q" | "category">): string {
  const pairs = Object.entries({ q, category: category ?? "" }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(pairs).toString();
  return query === "" ? "" : `?${query}`;
}

function next(view: PortalView): Html {
  const { upcoming, more, month, query, language, root, path } = view;
  const t = language.texts.portal;
  const isNarrowed = query.q !== "" || query.category !== undefined;
  const all = html`<p><a href="${root}${path}">${t.clear}</a></p>`;
  const none = html`<p class="note">${isNarrowed ? t.nothingFound : t.none}</p>`;
  const found = more === undefined ? t.found(upcoming.length) : t.foundMany;
  return html`<section class="next" aria-labelledby="next-title">
    <h2 id="next-title">${isNarrowed ? found : language.texts.follow.next}</h2>
    ${
      upcoming.length === 0
        ? none
        : eventRows(upcoming, { ...view, namesCalendars: true, today: month.today })
    }
    ${moreEvents(view)}${isNarrowed ? all : undefined}
  </section>`;
}

/** Leads to the rest, in the list of a month, which is narrowed in the same way. */
function moreEvents({ more, calendars, query, language, month: { today } }: PortalView): Html | undefined {
  if (more === undefined) return undefined;
  const day = Math.max(today, shownIn({ calendars })(more).firstDay);
  return moreLink(monthIndex(day), { day, page: 1 }, { language, query: keptInMonth(query) });
}

/** Returns what the address of a month keeps of the query, such as `q=summer&`. */
function keptInMonth(query: PortalQuery): string {
  const narrowed = addressOf(query).slice(1);
  return narrowed === "" ? "" : `${narrowed}&`;
}

function months(view: PortalView): Html {
  const { query, calendars } = view;
  const showsOffset = new Set(calendars.map(({ timezone }) => timezone)).size > 1;
  return monthView({ ...view, query: keptInMonth(query), namesCalendars: true, showsOffset });
}

function followCard(view: PortalView): Html {
  const { calendars, language, root } = view;
  const { portal: t, follow } = language.texts;
  const ticked = calendars.map((calendar) => ({ ...calendar, isTicked: calendars.length === 1 }));
  // The disabled button catches the Enter key in the two fields, which would choose the first app.
  return html`<section class="card follow-card" id="follow" aria-labelledby="follow-title">
    <h2 id="follow-title">${t.follow}</h2>
    <p class="lead">${t.followLead}</p>
    <form method="post" action="${root}${paths.followSeveral}">
      <button disabled hidden></button>
      ${calendarBoxes(ticked, root, language)} ${appChoice(view)}
    </form>
    <p class="note">${follow.kept}</p>
  </section>`;
}

/** Where the portal is the start page, organizers and developers find their way from it. */
function organizers({ path, language: { texts }, root }: PortalView): Html | undefined {
  if (path !== "/") return undefined;
  const t = texts.home;
  const signIn =
    consoleManifest === undefined
      ? undefined
      : html`<li><a href="${root}/console" rel="nofollow">${t.signIn}</a></li>`;
  return html`<nav class="inside" aria-label="${t.organizers}">
    <ul>
      ${signIn}
      <li><a href="${root}/docs">${t.reference}</a></li>
    </ul>
  </nav>`;
}
