import { eventFile } from "@kalends/ical";
import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import type { Logger } from "pino";
import { findPageCalendar, findPublicCalendar, type PageCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../categories/queries.js";
import type { Database, Reader } from "../db/database.js";
import { findDraftByUid } from "../events/find-queries.js";
import { databaseFor } from "../http/access-log.js";
import { cacheable, send } from "../http/answer.js";
import { baseUrlOf } from "../http/base-url.js";
import { answerFailure } from "../http/failures.js";
import { addRead } from "../http/documents.js";
import { checkHost } from "../http/guards.js";
import { heavy, publicOf } from "../http/limiter.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { findFollower } from "../subscribers/queries.js";
import { paths, slug } from "./public-paths.js";
import { type PageQuery, readCalendar, readPageQuery } from "./calendar-page.js";
import { feedEvent, prodId } from "./feed-entries.js";
import { filename } from "./feed-response.js";
import { listDeletions, listEventsByUid, type ShownEventRow } from "./queries.js";
import { commonApps, isAndroid } from "./views/apps.js";
import { allowRequests, embedPage } from "./views/embed-page.js";
import { errorPageStatus, sendDeletedEvent, sendDeletedCalendar, sendErrorPage } from "./views/error-page.js";
import { eventPage } from "./views/event-page.js";
import { followPage } from "./views/follow-page.js";
import { followerPage } from "./views/follower-page.js";
import { languageOf, type PageContext } from "./views/language.js";
import { pageHeaders, rootOf, sendPage } from "./views/page-response.js";
import { shownEvent } from "./views/shown-events.js";
import { type StaticFile, staticFiles } from "./views/static-files.js";
import type { Services } from "../services.js";

export interface PageServices extends Services {
  readonly publicUrl: string | undefined;
}

interface FollowServices extends PageServices {
  /** Whether a calendar's page says how many people follow it. */
  readonly count: "on" | "off";
}

/** Serves the pages for people and their assets. Unknown paths under /c/ and /f/ get an error page. */
export function followPages(services: FollowServices): Router {
  const router = express.Router({ caseSensitive: true });
  const prefixes = ["/c", "/f", "/assets", ...staticFiles.map(({ path }) => path)];
  router.use(prefixes, pageHeaders(services.publicUrl), checkHost);
  for (const file of staticFiles) addRead(router, file.path, "asset", (req, res) => sendFile(req, res, file));
  addRead(router, "/c/:uniquekey", "followPage", async (req, res) => {
    const traced = { ...services, db: databaseFor(res, services.db) };
    const calendar = await requestedCalendar(req, res, traced);
    const query = readPageQuery(req.url);
    if (calendar === undefined) return;
    if (query === undefined) sendErrorPage(req, res, 400);
    else
      await heavy.run(publicOf(calendar.account_id), () =>
        showCalendar(req, res, { calendar, query }, traced),
      );
  });
  addRead(router, "/c/:uniquekey/embed", "embedPage", async (req, res) => {
    const calendar = await requestedCalendar(req, res, { ...services, db: databaseFor(res, services.db) });
    if (calendar === undefined) return;
    res.setHeader("Cache-Control", pageCacheControl(services.publicUrl));
    allowRequests(res);
    await heavy.run(publicOf(calendar.account_id), async () =>
      sendPage(req, res, 200, embedPage({ calendar, ...pageContext(req, res, services.publicUrl) })),
    );
  });
  addRead(router, "/f/:key", "followerPage", (req, res) =>
    showFollower(req, res, { ...services, db: databaseFor(res, services.db) }),
  );
  addEventRoutes(router, services);
  router.use(["/c", "/f", "/assets"], (req, res) => sendErrorPage(req, res, 404));
  router.use(prefixes, respondError(services.log));
  return router;
}

/** Returns the calendar of the address; undefined after sending an error page. */
async function requestedCalendar(req: Request, res: Response, { db }: PageServices) {
  const { uniquekey } = req.params;
  const isKey = typeof uniquekey === "string" && /^[a-z0-9]{1,40}$/.test(uniquekey);
  const calendar = isKey ? await findPublicCalendar(db, uniquekey) : undefined;
  if (calendar === undefined) {
    sendErrorPage(req, res, 404);
    return undefined;
  }
  if (calendar.deleted_at === null) return calendar;
  if (req.url.endsWith("?left=1")) sendDeletedCalendar(req, res, "erased");
  else sendErrorPage(req, res, 410);
  return undefined;
}

async function showCalendar(
  req: Request,
  res: Response,
  { calendar, query }: { readonly calendar: PageCalendar; readonly query: PageQuery },
  { db, clock, publicUrl, count }: FollowServices,
): Promise<void> {
  const { id, account_id } = calendar;
  const read = await db.list(publicOf(account_id), (on) => readCalendar(on, id, query, clock()));
  if (read === undefined) {
    sendErrorPage(req, res, 410);
    return;
  }
  if (read.calendar.searchable === 1) res.removeHeader("X-Robots-Tag");
  res.setHeader("Cache-Control", pageCacheControl(publicUrl));
  res.vary("User-Agent"); // by which the apps are sorted
  const page = followPage({
    ...read,
    ...pageContext(req, res, publicUrl),
    commonApps: commonApps(req.headers["user-agent"]),
    isAndroid: isAndroid(req.headers["user-agent"]),
    isDataDeleted: query.isDataDeleted,
    showsFollowers: count === "on",
  });
  sendPage(req, res, 200, page);
}

function pageContext(req: Request, res: Response, publicUrl: string | undefined): PageContext {
  const language = languageOf(req.headers["accept-language"]);
  return { language, baseUrl: baseUrlOf(req, publicUrl), root: rootOf(res) };
}

/** Without PUBLIC_URL a page contains the host of the request, so shared caches must not store it. */
function pageCacheControl(publicUrl: string | undefined): string {
  return `${publicUrl === undefined ? "private" : "public"}, max-age=60`;
}

async function showFollower(req: Request, res: Response, { db, publicUrl }: PageServices): Promise<void> {
  const { key } = req.params;
  const isKey = typeof key === "string" && isFollowerKey(key);
  const follower = isKey ? await findFollower(db, hashFollowerKey(key)) : undefined;
  if (!isKey || follower === undefined) return sendErrorPage(req, res, 404);
  if (follower.deleted_at !== null) return sendDeletedCalendar(req, res, { key });
  const { account_id, calendar_id } = follower;
  await heavy.run(publicOf(account_id), async () => {
    const [calendar, categories] = await db.list(publicOf(account_id), async (on) => [
      await findPageCalendar(on.read, calendar_id),
      await listCategories(on, calendar_id),
    ]);
    if (calendar === undefined) return sendErrorPage(req, res, 404);
    const hasChosen = req.url.endsWith("?chosen=1");
    const view = {
      calendar,
      follower,
      key,
      categories,
      hasChosen,
      isAndroid: isAndroid(req.headers["user-agent"]),
    };
    sendPage(req, res, 200, followerPage({ ...view, ...pageContext(req, res, publicUrl) }));
  });
}

function sendFile(req: Request, res: Response, { content, isCrossOrigin, cacheControl }: StaticFile): void {
  res.setHeader("Cache-Control", cacheControl);
  res.removeHeader("X-Robots-Tag");
  if (isCrossOrigin) {
    res.setHeader("Access-Control-Allow-Origin", "*");
    res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  }
  send(req, res, content);
}

export function respondError(log: Logger): ErrorRequestHandler {
  // Express recognizes an error handler by its four parameters.
  return function respondPageError(thrown: unknown, req: Request, res: Response, _next: NextFunction): void {
    answerFailure(log, thrown, req, res, ({ status, headers }) =>
      sendErrorPage(req, res, errorPageStatus(status), headers),
    );
  };
}

interface Found {
  readonly calendar: PageCalendar;
  readonly event: ShownEventRow;
  readonly publicUrl: string | undefined;
}

/** Adds the page of each event, `/c/{uniquekey}/e/{uid}`, and the event as a file, the same with `.ics` (extensions X7.1). */
function addEventRoutes(router: Router, services: PageServices): void {
  const show = async (req: Request, res: Response, send: typeof sendEventPage): Promise<void> => {
    const db = databaseFor(res, services.db);
    const calendar = await requestedCalendar(req, res, { ...services, db });
    if (calendar === undefined) return;
    const { id, account_id: accountId, uniquekey } = calendar;
    const { uid } = req.params;
    const isUid = typeof uid === "string" && /^\P{Cc}{1,255}$/u.test(uid); // PostgreSQL takes no NUL
    if (!isUid) return sendErrorPage(req, res, 404);
    await heavy.run(publicOf(accountId), async () => {
      const event = await db.list(publicOf(accountId), (on) => findShownEvent(on, id, uid));
      const isShown = event !== undefined && event !== "deleted";
      const draft = isShown || send !== sendEventPage ? undefined : await findPreview(db, req, id, uid);
      if (draft !== undefined)
        sendDraftPage(req, res, { calendar, event: draft, publicUrl: services.publicUrl });
      else if (event === undefined) sendErrorPage(req, res, 404);
      else if (event === "deleted") sendDeletedEvent(req, res, paths.page(uniquekey));
      else send(req, res, { calendar, event, publicUrl: services.publicUrl });
    });
  };
  const path = "/c/:uniquekey/e/:uid";
  addRead(router, `${path}.ics`, "eventFile", (req, res) => show(req, res, sendEventFile));
  addRead(router, path, "eventPage", (req, res) => show(req, res, sendEventPage));
}

/** Returns the event of the calendar, or that it was deleted; undefined when there never was one, or it is not remembered. */
async function findShownEvent({ read }: Reader, calendarId: number, uid: string) {
  const [event] = await listEventsByUid(read, uid);
  if (event?.calendar_id === calendarId) return event;
  const [deletion] = await listDeletions(read, calendarId, uid);
  return deletion === undefined ? undefined : "deleted";
}

function sendEventPage(req: Request, res: Response, { calendar, event, publicUrl }: Found): void {
  if (calendar.searchable === 1) res.removeHeader("X-Robots-Tag");
  res.setHeader("Cache-Control", pageCacheControl(publicUrl));
  const shown = shownEvent(event, calendar.timezone);
  sendPage(req, res, 200, eventPage({ calendar, shown, ...pageContext(req, res, publicUrl) }));
}

/** Returns the draft that the address has the key of (extensions X8.5). */
async function findPreview(db: Database, req: Request, calendarId: number, uid: string) {
  const [, key] = /[?&]draft=([\w-]{22})(?:&|$)/.exec(req.url) ?? [];
  const draft = key === undefined ? undefined : await findDraftByUid(db.read, calendarId, uid);
  return draft?.preview_key === key ? draft : undefined;
}

/** Sends a draft, to whoever has its link: no search engine lists it and nothing keeps it. */
function sendDraftPage(req: Request, res: Response, { calendar, event, publicUrl }: Found): void {
  const shown = shownEvent(event, calendar.timezone);
  const view = { calendar: { ...calendar, searchable: 0 }, shown, isDraft: true };
  sendPage(req, res, 200, eventPage({ ...view, ...pageContext(req, res, publicUrl) }));
}

/** Sends the event as its feed has it, alone. */
function sendEventFile(req: Request, res: Response, { calendar, event, publicUrl }: Found): void {
  const settings = { publicUrl: baseUrlOf(req, publicUrl) };
  const file = Buffer.from(eventFile({ prodId }, feedEvent(event, calendar, settings)));
  res.setHeader("Cache-Control", pageCacheControl(publicUrl));
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  res.setHeader("Content-Disposition", `inline; ${filename(slug(event.title))}`);
  send(req, res, cacheable("text/calendar; charset=utf-8", file));
}
