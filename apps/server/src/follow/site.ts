import express, { type NextFunction, type Request, type Response, type Router } from "express";
import Negotiator from "negotiator";
import { recordOf } from "../http/access-log.js";
import { createCache } from "../http/cache.js";
import { checkHost } from "../http/guards.js";
import { addRead } from "../http/documents.js";
import { queryString } from "../http/paths.js";
import { pagePathIn } from "./public-paths.js";
import { respondError, type PageServices } from "./pages.js";
import { listSearchableCalendars, type SearchableCalendar } from "./queries.js";
import { homePage } from "./views/home-page.js";
import { languageOf } from "./views/language.js";
import { protectReference, type Reference, referencePage, references } from "./views/reference-page.js";
import { pageHeaders, rootOf, sendHtml, sendPage } from "./views/page-response.js";

/** How long the list of calendars is kept, in seconds: no index finds them, and the page is public. */
const listSeconds = 60;

/** Calendars on the page. */
const listLimit = 100;

/** Serves the page of the service itself and the API reference. */
export function sitePages({ db, clock, publicUrl, log }: PageServices): Router {
  const router = express.Router({ caseSensitive: true });
  const guards = [pageHeaders(publicUrl), checkHost];
  const lists = createCache<readonly SearchableCalendar[]>(1_000_000, (rows) => rows.length * 2_000);

  const showHome = async (req: Request, res: Response): Promise<void> => {
    recordOf(res).operation = "homePage";
    const link = new URLSearchParams(queryString(req)).get("link") ?? undefined;
    const found = link === undefined ? undefined : pagePathIn(link);
    if (found !== undefined) {
      res.redirect(303, `${rootOf(res)}${found}`);
      return;
    }
    const minute = Math.floor(clock() / listSeconds);
    const listed = () => listSearchableCalendars(db.read, listLimit);
    const calendars = await lists.forceFetch(`searchable ${minute}`, { context: listed });
    const language = languageOf(req.headers["accept-language"]);
    res.setHeader("Cache-Control", `public, max-age=${listSeconds}`);
    const page = homePage({ calendars, language, root: rootOf(res), wrongLink: link });
    sendPage(req, res, link === undefined ? 200 : 400, page);
  };
  router.get("/", leaveToApi, ...guards, (req, res) => showHome(req, res));
  const ofReference = [...guards, protectReference];
  for (const shown of references)
    addRead(router, shown.path, "reference", (req, res) => showReference(shown, req, res), ofReference);
  router.use(respondError(log));
  return router;
}

function showReference(shown: Reference, req: Request, res: Response): void {
  res.setHeader("Cache-Control", "public, max-age=3600");
  sendHtml(req, res, 200, referencePage(shown, rootOf(res)));
}

/** Programs that prefer JSON get the error that every unknown path has (rulings R2.3). */
function leaveToApi(req: Request, res: Response, next: NextFunction): void {
  res.vary("Accept");
  const preferred = new Negotiator(req).mediaType(["text/html", "application/json"]);
  next(preferred === "text/html" ? undefined : "router");
}
