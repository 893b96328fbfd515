import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import type { Logger } from "pino";
import { findCalendarById, findPublicCalendar } from "../calendars/queries.js";
import { listCategories } from "../categories/queries.js";
import type { Database } from "../db/database.js";
import type { CalendarRow } from "../db/rows.js";
import { baseUrlOf } from "../http/base-url.js";
import { checkHost } from "../http/guards.js";
import { databaseFor, recordOf } from "../http/access-log.js";
import { parseForm } from "../http/query.js";
import { failureOf, recordFailure } from "../http/failures.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { findFollower } from "../subscribers/queries.js";
import { monthIndex } from "../time/formats.js";
import { toLocal } from "../time/zones.js";
import { type ListStart, parseListStart, readMonth } from "./month-events.js";
import { listEventsWithin } from "./queries.js";
import { errorPageStatus } from "./texts/texts.js";
import { commonApps, isAndroid } from "./views/apps.js";
import { allowRequests } from "./views/embed-list.js";
import { embedPage } from "./views/embed-page.js";
import { sendErrorPage } from "./views/error-page.js";
import { followPage, type FollowView } from "./views/follow-page.js";
import { followerPage } from "./views/follower-page.js";
import { languageOf } from "./views/language.js";
import { type Month, parseMonth } from "./views/month.js";
import { pageHeaders, rootOf, sendPage } from "./views/send.js";
import { dayOf } from "./views/shown-events.js";
import { type StaticFile, staticFiles } from "./views/static-files.js";

export interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly publicUrl: string | undefined;
  readonly log: Logger;
}

/** Upcoming events on a page. */
const upcomingLimit = 10;

/** Serves the pages for people and their assets. Unknown paths under /c/ and /f/ get an error page. */
export function followPages(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  const prefixes = ["/c", "/f", "/assets", ...staticFiles.map(({ path }) => path)];
  router.use(prefixes, pageHeaders(services.publicUrl), checkHost);
  for (const file of staticFiles)
    addRoute(router, file.path, "asset", (req, res) => sendFile(req, res, file));
  addRoute(router, "/c/:uniquekey", "followPage", async (req, res) => {
    const traced = { ...services, db: databaseFor(res, services.db) };
    const calendar = await requestedCalendar(req, res, traced);
    if (calendar !== undefined) await showCalendar(req, res, calendar, traced);
  });
  addRoute(router, "/c/:uniquekey/embed", "embedPage", async (req, res) => {
    const calendar = await requestedCalendar(req, res, { ...services, db: databaseFor(res, services.db) });
    if (calendar === undefined) return;
    res.setHeader("Cache-Control", pageCacheControl(services.publicUrl));
    allowRequests(res);
    sendPage(req, res, 200, embedPage({ calendar, ...pageContext(req, res, services.publicUrl) }));
  });
  addRoute(router, "/f/:key", "followerPage", (req, res) =>
    showFollower(req, res, { ...services, db: databaseFor(res, services.db) }),
  );
  router.use(["/c", "/f", "/assets"], (req, res) => sendErrorPage(req, res, 404));
  router.use(prefixes, respondError(services.log));
  return router;
}

type Handler = (req: Request, res: Response) => void | Promise<void>;

export function addRoute(router: Router, path: string, operation: string, handler: Handler): void {
  router.all(path, (req, res) => {
    recordOf(res).operation = operation;
    if (req.method === "GET" || req.method === "HEAD") return handler(req, res);
    sendErrorPage(req, res, 405, { Allow: "GET, HEAD" });
  });
}

/** Returns the calendar of the address; undefined after sending an error page. */
export async function requestedCalendar(
  req: Request,
  res: Response,
  { db }: Services,
): Promise<CalendarRow | undefined> {
  const { uniquekey } = req.params;
  const isKey = typeof uniquekey === "string" && /^[a-z0-9]{1,40}$/.test(uniquekey);
  const calendar = isKey ? await findPublicCalendar(db.read, uniquekey) : undefined;
  if (calendar === undefined) {
    sendErrorPage(req, res, 404);
    return undefined;
  }
  if (calendar.deleted_at === null) return calendar;
  sendErrorPage(req, res, 410);
  return undefined;
}

async function showCalendar(
  req: Request,
  res: Response,
  calendar: CalendarRow,
  services: Services,
): Promise<void> {
  const query = readQuery(req);
  if (query === undefined) {
    sendErrorPage(req, res, 400);
    return;
  }
  const { db, clock, publicUrl } = services;
  const { id, timezone } = calendar;
  const now = clock();
  const today = dayOf(toLocal(now, timezone));
  const upcoming = await listEventsWithin(
    db.read,
    id,
    { from: now, fromLocal: today },
    { limit: upcomingLimit },
  );
  const firstDay = upcoming[0] === undefined ? today : Math.max(today, upcoming[0].start_local);
  // The default is the month of the next event.
  const index = query.month ?? monthIndex(firstDay);
  const month: Month = { index, today, events: await readMonth(db.read, calendar, index, query.start) };
  if (calendar.searchable === 1) res.removeHeader("X-Robots-Tag");
  res.setHeader("Cache-Control", pageCacheControl(publicUrl));
  res.vary("User-Agent"); // by which the apps are sorted
  const page = followPage({
    calendar,
    ...pageContext(req, res, publicUrl),
    commonApps: commonApps(req.headers["user-agent"]),
    isAndroid: isAndroid(req.headers["user-agent"]),
    upcoming,
    month,
    categories: await listCategories(db, id),
    isDataDeleted: query.isDataDeleted,
  });
  sendPage(req, res, 200, page);
}

/** Returns what every page needs besides its content. */
export function pageContext(
  req: Request,
  res: Response,
  publicUrl: string | undefined,
): Pick<FollowView, "language" | "baseUrl" | "root"> {
  const language = languageOf(req.headers["accept-language"]);
  return { language, baseUrl: baseUrlOf(req, publicUrl), root: rootOf(res) };
}

/** Without PUBLIC_URL a page contains the host of the request, so shared caches must not store it. */
export function pageCacheControl(publicUrl: string | undefined): string {
  return `${publicUrl === undefined ? "private" : "public"}, max-age=60`;
}

interface PageQuery {
  /** The month to show; undefined when the query has none. */
  readonly month: number | undefined;
  /** Where the list of the month's events begins; undefined when the query has no day. */
  readonly start: ListStart | undefined;
  /** Whether the visitor comes from deleting their data. */
  readonly isDataDeleted: boolean;
}

/** Returns undefined when the query is invalid. Ignores other parameters, such as those of mailings. */
function readQuery(req: Request): PageQuery | undefined {
  const mark = req.url.indexOf("?");
  const pairs = parseForm(mark === -1 ? "" : req.url.slice(mark + 1));
  if (pairs === undefined || pairs === "too many") return undefined;
  const isDataDeleted = pairs.some(([name, value]) => name === "left" && value === "1");
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (name !== "month" && name !== "day" && name !== "page") continue;
    if (values.has(name)) return undefined;
    values.set(name, value);
  }
  const [text, day, page] = ["month", "day", "page"].map((name) => values.get(name));
  const isList = day !== undefined || page !== undefined;
  if (text === undefined) return isList ? undefined : { month: undefined, start: undefined, isDataDeleted };
  const month = parseMonth(text);
  if (month === undefined) return undefined;
  const start = day === undefined ? undefined : parseListStart(month, day, page ?? "1");
  return isList && start === undefined ? undefined : { month, start, isDataDeleted };
}

async function showFollower(req: Request, res: Response, { db, publicUrl }: Services): Promise<void> {
  const { key } = req.params;
  const isKey = typeof key === "string" && isFollowerKey(key);
  const follower = isKey ? await findFollower(db, hashFollowerKey(key)) : undefined;
  const calendar = follower === undefined ? undefined : await findCalendarById(db.read, follower.calendar_id);
  if (!isKey || follower === undefined || calendar === undefined) {
    sendErrorPage(req, res, 404);
    return;
  }
  if (calendar.deleted_at !== null) {
    sendErrorPage(req, res, 410);
    return;
  }
  const view = {
    calendar,
    follower,
    key,
    isAndroid: isAndroid(req.headers["user-agent"]),
    categories: await listCategories(db, calendar.id),
    hasChosen: req.url.endsWith("?chosen=1"),
  };
  sendPage(req, res, 200, followerPage({ ...view, ...pageContext(req, res, publicUrl) }));
}

function sendFile(req: Request, res: Response, { content, isCrossOrigin, cacheControl }: StaticFile): void {
  res.setHeader("Cache-Control", cacheControl);
  res.setHeader("ETag", content.etag);
  res.removeHeader("X-Robots-Tag");
  if (isCrossOrigin) {
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  }
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.setHeader("Content-Type", content.type);
  res.setHeader("Content-Length", content.bytes.length);
  res.end(content.bytes);
}

/** Sends an error page when a public path throws. */
export function respondError(log: Logger): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return function respondPageError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    const error = failureOf(thrown);
    recordFailure(log, thrown, error, res);
    if (res.headersSent) res.destroy();
    else sendErrorPage(req, res, errorPageStatus(error.status), error.headers);
  };
}
