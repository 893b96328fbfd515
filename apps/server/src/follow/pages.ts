import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import type { Logger } from "pino";
import { findCalendarById, findPublicCalendar } from "../calendars/queries.js";
import type { Database } from "../db/database.js";
import { storageFailure } from "../db/failures.js";
import type { CalendarRow } from "../db/rows.js";
import { baseUrlOf } from "../http/base-url.js";
import { ApiError } from "../http/errors.js";
import { checkHost } from "../http/guards.js";
import { recordOf } from "../http/log.js";
import { parseForm } from "../http/query.js";
import { logFailure } from "../http/respond-error.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { findFollower } from "../subscribers/queries.js";
import { monthIndex, monthStart } from "../time/formats.js";
import { toLocal, toUnix } from "../time/zones.js";
import { listEventsWithin } from "./queries.js";
import { embedPage } from "./views/embed-page.js";
import { sendErrorPage } from "./views/error-page.js";
import { followPage } from "./views/follow-page.js";
import { followerPage } from "./views/follower-page.js";
import { languageOf } from "./views/language.js";
import { type Month, parseMonth } from "./views/month.js";
import { pageHeaders, rootOf, sendPage } from "./views/send.js";
import { dayOf } from "./views/shown-events.js";
import { type StaticFile, staticFiles } from "./views/static-files.js";

interface Services {
  readonly db: Database;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly publicUrl: string | undefined;
  readonly log: Logger;
}

/** How many events a page shows: the next ones, and those of a month. */
const upcomingLimit = 10;
const monthLimit = 120;

/** The pages that people see, and the files they need. Everything under /c/ and /f/ that is not found here gets a page too. */
export function followPages(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  const places = ["/c", "/f", "/assets", ...staticFiles.map(({ path }) => path)];
  router.use(places, pageHeaders(services.publicUrl), checkHost);
  for (const file of staticFiles) read(router, file.path, "asset", (req, res) => sendFile(req, res, file));
  read(router, "/c/:uniquekey", "followPage", async (req, res) => {
    const calendar = await requestedCalendar(req, res, services);
    if (calendar !== undefined) await showCalendar(req, res, calendar, services);
  });
  read(router, "/c/:uniquekey/embed", "embedPage", async (req, res) => {
    const calendar = await requestedCalendar(req, res, services);
    if (calendar === undefined) return;
    res.setHeader("Cache-Control", keptFor(services.publicUrl));
    sendPage(req, res, 200, embedPage({ calendar, ...frame(req, res, services.publicUrl) }));
  });
  read(router, "/f/:key", "followerPage", (req, res) => showFollower(req, res, services));
  router.use(["/c", "/f", "/assets"], (req, res) => sendErrorPage(req, res, 404));
  router.use(places, respondError(services.log));
  return router;
}

type Handler = (req: Request, res: Response) => void | Promise<void>;

function read(router: Router, path: string, operation: string, handler: Handler): void {
  router.all(path, (req, res) => {
    recordOf(res).operation = operation;
    if (req.method === "GET" || req.method === "HEAD") return handler(req, res);
    sendErrorPage(req, res, 405, { Allow: "GET, HEAD" });
  });
}

/** The calendar of the address; undefined once a page was sent that says it is not there. */
async function requestedCalendar(
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
  const wishes = readWishes(req);
  if (wishes === undefined) {
    sendErrorPage(req, res, 400);
    return;
  }
  const { db, clock, publicUrl } = services;
  const { id, timezone } = calendar;
  const now = clock();
  const today = dayOf(toLocal(now, timezone));
  const upcoming = await listEventsWithin(db.read, id, { from: now, fromLocal: today }, upcomingLimit);
  const firstDay = upcoming[0] === undefined ? today : Math.max(today, upcoming[0].start_local);
  // Without a wish it is the month in which something happens next.
  const index = wishes.month ?? monthIndex(firstDay);
  const [fromLocal, local] = [monthStart(index), monthStart(index + 1)];
  const found = await listEventsWithin(
    db.read,
    id,
    { from: toUnix(fromLocal, timezone), fromLocal, before: { at: toUnix(local, timezone), local } },
    monthLimit + 1,
  );
  const month: Month = { index, today, isCut: found.length > monthLimit };
  if (calendar.searchable === 1) res.removeHeader("X-Robots-Tag");
  res.setHeader("Cache-Control", keptFor(publicUrl));
  const page = followPage({
    calendar,
    ...frame(req, res, publicUrl),
    upcoming,
    month,
    monthEvents: found.slice(0, monthLimit),
    hasLeft: wishes.hasLeft,
  });
  sendPage(req, res, 200, page);
}

/** What every page depends on besides its content. */
function frame(req: Request, res: Response, publicUrl: string | undefined) {
  const language = languageOf(req.headers["accept-language"]);
  return { language, baseUrl: baseUrlOf(req, publicUrl), root: rootOf(res) };
}

/** Without an address of its own the page repeats the host that it was asked by, which is nothing for others' caches. */
function keptFor(publicUrl: string | undefined): string {
  return `${publicUrl === undefined ? "private" : "public"}, max-age=60`;
}

interface Wishes {
  /** The month to show; undefined when the visitor named none. */
  readonly month: number | undefined;
  readonly hasLeft: boolean;
}

/** What the query asks for; undefined when it cannot be read. Other parameters, such as those of mailings, do not matter. */
function readWishes(req: Request): Wishes | undefined {
  const mark = req.url.indexOf("?");
  const pairs = parseForm(mark === -1 ? "" : req.url.slice(mark + 1));
  if (pairs === undefined) return undefined;
  const hasLeft = pairs.some(([name, value]) => name === "left" && value === "1");
  const [text, ...more] = pairs.flatMap(([name, value]) => (name === "month" ? [value] : []));
  if (text === undefined) return { month: undefined, hasLeft };
  const month = parseMonth(text);
  return month === undefined || more.length > 0 ? undefined : { month, hasLeft };
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
  sendPage(req, res, 200, followerPage({ calendar, follower, key, ...frame(req, res, publicUrl) }));
}

function sendFile(req: Request, res: Response, { content, isForOthers, cacheControl }: StaticFile): void {
  res.setHeader("Cache-Control", cacheControl);
  res.setHeader("ETag", content.etag);
  res.removeHeader("X-Robots-Tag");
  if (isForOthers) {
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

/** Answers what went wrong under the public paths, with a page. */
export function respondError(log: Logger): ErrorRequestHandler {
  // Express tells an error handler by its four parameters.
  return function respondPageError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    const record = recordOf(res);
    // checkHost's, and the router's own for an address that is not percent-encoded UTF-8.
    const isRequest = thrown instanceof ApiError || thrown instanceof URIError;
    const storage = storageFailure(thrown);
    const code = isRequest ? "malformed_request" : (storage ?? "internal_error");
    record.errorType = code;
    if (!isRequest) logFailure(log, thrown, record.requestId, code);
    if (res.headersSent) res.destroy();
    else if (isRequest) sendErrorPage(req, res, 400);
    else if (storage === undefined) sendErrorPage(req, res, 500);
    else sendErrorPage(req, res, 503, { "Retry-After": storage === "overloaded" ? "1" : "5" });
  };
}
