import express, { type NextFunction, type Request, type Response, type Router } from "express";
import Negotiator from "negotiator";
import { sourceUrl, version } from "../about.js";
import { recordOf } from "../http/access-log.js";
import { send } from "../http/answer.js";
import { createCache } from "../http/cache.js";
import { addRead } from "../http/documents.js";
import { queryString } from "../http/paths.js";
import {
  consoleHeaders,
  pageGuards,
  type PageServices,
  referenceHeaders,
  respondError,
  sendErrorPage,
  sendHtml,
  sendPage,
  type Visit,
  visitOf,
} from "./page.js";
import { findHome, showPortal } from "./portal.js";
import { pagePathIn, paths } from "./public-paths.js";
import { listSearchableCalendars, type SearchableCalendar } from "./public-queries.js";
import { html, type Html } from "./views/html.js";
import { type Language, layout, type PageContext } from "./views/layout.js";
import { assets, type ConsoleFile, consoleFiles, consoleManifest } from "./views/static-files.js";

/** How long the list of calendars is kept, in seconds: no index finds them, and the page is public. */
const listSeconds = 60;

const listLimit = 100;

interface SiteServices extends PageServices {
  /** What the start page is (setting HOME_PAGE). */
  readonly home: string;
}

/** Serves the start page, which is a portal or the page of the service itself, and the API reference. */
export function sitePages(services: SiteServices): Router {
  const { db, clock, home } = services;
  const router = express.Router({ caseSensitive: true });
  const guards = pageGuards(services.publicUrl);
  const lists = createCache<readonly SearchableCalendar[]>(1_000_000, (rows) => rows.length * 2_000);

  const showHome = async (visit: Visit): Promise<void> => {
    const { req, res, root } = visit;
    recordOf(res).operation = "homePage";
    const link = new URLSearchParams(queryString(req)).get("link") ?? undefined;
    const found = link === undefined ? undefined : pagePathIn(link);
    if (found !== undefined) return res.redirect(303, root + found);
    const account = link === undefined ? await findHome(db, home, clock()) : undefined;
    if (account !== undefined) return showPortal(visit, account, services, "/");
    const minute = Math.floor(clock() / listSeconds);
    const listed = () => listSearchableCalendars(db.read, listLimit);
    const calendars = await lists.forceFetch(`searchable ${minute}`, { context: listed });
    res.setHeader("Cache-Control", `public, max-age=${listSeconds}`);
    sendPage(visit, link === undefined ? 200 : 400, homePage({ ...visit, calendars, wrongLink: link }));
  };
  router.get("/", leaveToApi, ...guards, (req, res) => showHome(visitOf(req, res, services)));
  for (const shown of references) {
    const show = (req: Request, res: Response): void => {
      res.setHeader("Cache-Control", "public, max-age=3600");
      const visit = visitOf(req, res, services);
      sendHtml(visit, 200, referencePage(shown, visit.root));
    };
    addRead(router, shown.path, "reference", show, [...guards, referenceHeaders]);
  }
  router.use(respondError(services));
  return router;
}

/** Programs that prefer JSON get the error that every unknown path has (rulings R2.3). */
function leaveToApi(req: Request, res: Response, next: NextFunction): void {
  res.vary("Accept");
  const preferred = new Negotiator(req).mediaType(["text/html", "application/json"]);
  next(preferred === "text/html" ? undefined : "router");
}

/** Serves the organizer's console: its files, and one page at every other address below /console. */
export function consolePages(services: PageServices): Router {
  const router = express.Router({ caseSensitive: true });
  if (consoleManifest === undefined) return router;
  const files = consoleFiles();
  // What is below is of the API, errors included.
  router.use("/console/api", (_req, _res, next) => next("router"));
  const add = (path: string | string[], name: "asset" | "console", show: (visit: Visit) => void): void =>
    addRead(router, path, name, (req, res) => show(visitOf(req, res, services)), [
      ...pageGuards(services.publicUrl),
      consoleHeaders,
    ]);
  add("/console/assets/:name", "asset", (visit) => sendFile(visit, files));
  add(["/console", "/console/*path"], "console", (visit) => {
    // Validated each time: a new release has other files.
    visit.res.setHeader("Cache-Control", "no-cache");
    sendPage(visit, 200, consolePage(visit.language.texts.language, visit.root));
  });
  router.use("/console", respondError(services));
  return router;
}

function sendFile(visit: Visit, files: ReadonlyMap<string, ConsoleFile>): void {
  const { req, res } = visit;
  const { name } = req.params;
  const file = (typeof name === "string" ? files.get(name) : undefined) ?? [];
  const accepted = new Negotiator(req).encodings(file.map(([encoding]) => encoding));
  const found = file.find(([encoding]) => accepted.includes(encoding)) ?? file.at(-1);
  if (found === undefined) return sendErrorPage(visit, 404);
  const [encoding, content] = found;
  res.setHeader("Cache-Control", "public, max-age=31536000, immutable");
  res.vary("Accept-Encoding");
  if (encoding !== "identity") res.setHeader("Content-Encoding", encoding);
  send(req, res, content);
}

function consolePage(language: string, root: string): Html {
  const { script = "", style = "", preload = [], texts = {} } = consoleManifest ?? {};
  const base = `${root}/console/assets/`;
  const early = [...preload, texts[language] ?? ""].filter((name) => name !== "");
  return html`<!doctype html>
    <html lang="${language}" dir="ltr" data-root="${root}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#f7f5f0" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#131615" media="(prefers-color-scheme: dark)" />
        <meta name="robots" content="noindex" />
        <title>Kalends</title>
        <link rel="stylesheet" href="${base}${style}" />
        ${early.map((name) => html`<link rel="modulepreload" href="${base}${name}" />`)}
        <link rel="icon" href="${root}${assets.icon.path}" type="image/svg+xml" />
        <script type="module" src="${base}${script}"></script>
      </head>
      <body>
        <div id="app"></div>
        <noscript><p>This page needs JavaScript.</p></noscript>
      </body>
    </html> `;
}

interface Reference {
  readonly path: string;
  readonly name: string;
  readonly documentPath: string;
}

const references: readonly Reference[] = [
  // This document has each operation once, writes as POST.
  { path: "/docs", name: "API", documentPath: "/openapi-generators.json" },
  { path: "/docs/extensions", name: "Extensions", documentPath: "/openapi-kalends.json" },
];

function referencePage(shown: Reference, root: string): Html {
  const { name, documentPath } = shown;
  const links = references.map(({ path, name }) =>
    path === shown.path
      ? html`<a href="${root}${path}" aria-current="page">${name}</a> `
      : html`<a href="${root}${path}">${name}</a> `,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${name} reference · Kalends</title>
        <link rel="stylesheet" href="${root}${assets.referenceLibraryStyle.path}" />
        <link rel="stylesheet" href="${root}${assets.referenceStyle.path}" />
        <link rel="icon" href="${root}${assets.icon.path}" type="image/svg+xml" />
        <script src="${root}${assets.referenceLibrary.path}" defer></script>
        <script src="${root}${assets.referenceScript.path}" defer></script>
      </head>
      <body>
        <nav>
          <a href="${root}/">Kalends</a> ${links}<a href="${root}${documentPath}">OpenAPI document</a>
        </nav>
        <main id="reference" data-root="${root}" data-document="${root}${documentPath}">
          <noscript><p>This page needs JavaScript. The OpenAPI document has the same content.</p></noscript>
        </main>
      </body>
    </html> `;
}

interface HomeView extends Pick<PageContext, "language" | "root" | "theme"> {
  /** Those that search engines may index; no others are listed anywhere. */
  readonly calendars: readonly SearchableCalendar[];
  readonly wrongLink: string | undefined;
}

const documents = [
  ["OpenAPI 3.0, for generators (JSON)", "/openapi-generators.json"],
  ["OpenAPI 3.0 (JSON)", "/openapi.json"],
  ["OpenAPI 3.0 (YAML)", "/openapi.yaml"],
  ["OpenAPI 3.1 (JSON)", "/openapi-3.1.json"],
  ["OpenAPI 3.0, extensions, for generators (JSON)", "/openapi-kalends-generators.json"],
  ["OpenAPI 3.1, extensions (JSON)", "/openapi-kalends.json"],
  ["OpenAPI 3.1, extensions (YAML)", "/openapi-kalends.yaml"],
] as const;

function homePage(view: HomeView): Html {
  const { calendars, language, root, wrongLink } = view;
  const t = language.texts.home;
  const organizers =
    consoleManifest === undefined
      ? undefined
      : html`<section aria-labelledby="organizers-title">
          <h2 id="organizers-title">${t.organizers}</h2>
          <p>${t.console}</p>
          <p><a class="button" href="${root}/console">${t.signIn}</a></p>
        </section>`;
  return layout(view, {
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
