import { eventFile } from "@kalends/ical";
import express, { type Request, type Response, type Router } from "express";
import { findPageCalendar, findPublicCalendar, type PageCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../calendars/category-queries.js";
import type { Database, Reader } from "../db/database.js";
import { findDraftByUid } from "../events/find-queries.js";
import { cacheable, send } from "../http/answer.js";
import { addRead } from "../http/documents.js";
import { queryString } from "../http/paths.js";
import { heavy, publicOf } from "../http/quota.js";
import type { RouteName } from "../http/request-names.js";
import { type Follower, findFollower } from "../followers/subscriber-queries.js";
import { findNewsFollower } from "../followers/mail-request-queries.js";
import { hashFollowerKey, isFollowerKey } from "../followers/subscribe.js";
import { combinedOf, showCombined } from "./combined.js";
import { readCalendar, readPageQuery } from "./calendar-page.js";
import { feedEvent, prodId } from "./feed-entries.js";
import { sendNewsFeed } from "./news-feed.js";
import { listNotices } from "./news-queries.js";
import {
  keep,
  pageGuards,
  type PageServices,
  respondError,
  sendDeletedCalendar,
  sendDeletedEvent,
  sendErrorPage,
  sendPage,
  sendText,
  themed,
  type Visit,
  visitOf,
} from "./page.js";
import { showMonthOnPaper, showPoster, showSeason } from "./paper.js";
import { filename } from "./polls.js";
import { paths, slug } from "./public-paths.js";
import { listDeletions, listEventsByUid, type ShownEventRow } from "./public-queries.js";
import { commonApps } from "./views/apps.js";
import { shownEvent } from "./views/dates.js";
import { embedPage } from "./views/embed-page.js";
import { eventPage } from "./views/event-page.js";
import { framePage } from "./views/frame-page.js";
import { followPage } from "./views/follow-page.js";
import { followerPage } from "./views/follower-page.js";
import { accentFile, type StaticFile, staticFiles } from "./views/static-files.js";

interface FollowServices extends PageServices {
  /** Whether a calendar's page says how many people follow it. */
  readonly count: "on" | "off";
}

/** Serves the pages for people and their assets. Unknown paths under /c/ and /f/ get an error page. */
export function followPages(services: FollowServices): Router {
  const router = express.Router({ caseSensitive: true });
  const prefixes = ["/c", "/f", "/assets", ...staticFiles.map(({ path }) => path)];
  router.use(prefixes, ...pageGuards(services.publicUrl));
  for (const file of staticFiles) addRead(router, file.path, "asset", (req, res) => sendFile(req, res, file));
  addRead(router, "/assets/accent-:digits.css", "asset", (req, res) => {
    const file = accentFile(req.path);
    return file === undefined ? sendErrorPage(visitOf(req, res, services), 404) : sendFile(req, res, file);
  });
  const add = (path: string, name: RouteName, show: (visit: Visit) => Promise<void>): void =>
    addRead(router, path, name, (req, res) => show(visitOf(req, res, services)));
  const addOfCalendar = (path: string, name: RouteName, show: ShowCalendar): void =>
    add(path, name, (visit) => withCalendar(visit, (own, calendar) => show(own, calendar, services)));
  addOfCalendar(paths.page(":uniquekey"), "followPage", showCalendar);
  addOfCalendar(paths.embed(":uniquekey"), "embedPage", showEmbed);
  addOfCalendar(paths.frame(":uniquekey"), "framePage", showFrame);
  addOfCalendar(paths.print(":uniquekey"), "printPage", showMonthOnPaper);
  addOfCalendar(paths.season(":uniquekey"), "printPage", showSeason);
  addOfCalendar(paths.poster(":uniquekey"), "posterPage", showPoster);
  add(paths.follower(":key"), "followerPage", (visit) => showFollower(visit, services));
  if (services.mail !== undefined)
    addOfCalendar(paths.news(":uniquekey"), "newsFeed", (visit, calendar) =>
      sendNewsFeed(visit, calendar, services.clock),
    );
  // The page of each event, and the event as a file (extensions X7.1).
  addOfCalendar("/c/:uniquekey/e/:uid.ics", "eventFile", (visit, calendar, { publicUrl }) =>
    showEvent(visit, calendar, (event) => sendEventFile(visit, calendar, event, publicUrl)),
  );
  addOfCalendar("/c/:uniquekey/e/:uid", "eventPage", showEventPage);
  router.use("/c/:uniquekey", (req, res) => sendUnknownPath(visitOf(req, res, services)));
  router.use(["/c", "/f", "/assets"], (req, res) => sendErrorPage(visitOf(req, res, services), 404));
  router.use(prefixes, respondError(services));
  return router;
}

type ShowCalendar = (visit: Visit, calendar: PageCalendar, services: FollowServices) => void | Promise<void>;

/** Shows the calendar of the address when the limiter has room, or sends an error page. */
async function withCalendar(
  visit: Visit,
  show: (visit: Visit, calendar: PageCalendar) => void | Promise<void>,
): Promise<void> {
  const { req, db } = visit;
  const calendar = await findRequested(req, db);
  if (calendar === undefined) return sendErrorPage(visit, 404);
  const own = await themed(visit, calendar);
  if (calendar.deleted_at === null)
    await heavy.run(publicOf(calendar.account_id), async () => show(own, calendar));
  else if (req.url.endsWith("?left=1")) sendDeletedCalendar(own, "erased");
  else sendErrorPage(own, 410);
}

/** An address below that of a calendar has its look, although nothing is there. */
async function sendUnknownPath(visit: Visit): Promise<void> {
  const calendar = await findRequested(visit.req, visit.db);
  sendErrorPage(calendar === undefined ? visit : await themed(visit, calendar), 404);
}

/** Returns the calendar that the address names, deleted or not. */
export async function findRequested(
  { params: { uniquekey } }: Request,
  db: Database,
): Promise<PageCalendar | undefined> {
  const isKey = typeof uniquekey === "string" && /^[a-z0-9]{1,40}$/.test(uniquekey);
  return isKey ? findPublicCalendar(db, uniquekey) : undefined;
}

async function showCalendar(
  visit: Visit,
  { id, account_id }: PageCalendar,
  { clock, publicUrl, count, mail }: FollowServices,
): Promise<void> {
  const { req, res, db } = visit;
  const query = readPageQuery(queryString(req));
  if (query === undefined) return sendErrorPage(visit, 400);
  const read = await db.list(publicOf(account_id), (on) => readCalendar(on, id, query, clock()));
  if (read === undefined) return sendErrorPage(visit, 410);
  const news = mail && (await listNotices(db.read, [id], clock()));
  if (read.calendar.searchable === 1) res.removeHeader("X-Robots-Tag");
  keep(res, publicUrl);
  res.vary("User-Agent"); // by which the apps are sorted
  const page = followPage({
    ...read,
    ...visit,
    news,
    commonApps: commonApps(req.headers["user-agent"]),
    isDataDeleted: query.isDataDeleted,
    showsFollowers: count === "on",
  });
  sendPage(visit, 200, page);
}

function showEmbed(visit: Visit, calendar: PageCalendar, { publicUrl }: FollowServices): void {
  const { res } = visit;
  keep(res, publicUrl);
  // The list reads its events, and frames show what they look like, which the policy of the other pages does not allow.
  const policy = String(res.getHeader("Content-Security-Policy"));
  res.setHeader("Content-Security-Policy", `${policy};connect-src 'self';frame-src 'self'`);
  sendPage(visit, 200, embedPage({ calendar, ...visit }));
}

/** Shows the next events, or with `view=month` a month, in a frame of another site. */
async function showFrame(
  visit: Visit,
  { id, account_id }: PageCalendar,
  { clock, publicUrl }: FollowServices,
): Promise<void> {
  const query = readPageQuery(queryString(visit.req));
  if (query === undefined) return sendErrorPage(visit, 400);
  const read = await visit.db.list(publicOf(account_id), (on) => readCalendar(on, id, query, clock()));
  if (read === undefined) return sendErrorPage(visit, 410);
  keep(visit.res, publicUrl);
  const shows = /[?&]view=month(?:&|$)/.test(visit.req.url) ? "month" : "list";
  sendPage(visit, 200, framePage({ ...visit, ...read, shows }));
}

async function showFollower(visit: Visit, { mail }: FollowServices): Promise<void> {
  const { req, db } = visit;
  const found = await followerOf(req, db);
  if (found === undefined) {
    const combined = await combinedOf(visit);
    return combined === undefined ? sendErrorPage(visit, 404) : showCombined(visit, combined, mail);
  }
  const { key, follower } = found;
  if (follower.deleted_at !== null) return sendDeletedCalendar(visit, { key });
  const { account_id, calendar_id } = follower;
  await heavy.run(publicOf(account_id), async () => {
    const [calendar, categories] = await db.list(publicOf(account_id), async (on) => [
      await findPageCalendar(on.read, calendar_id),
      await listCategories(on, calendar_id),
    ]);
    if (calendar === undefined) return sendErrorPage(visit, 404);
    const hasChosen = req.url.endsWith("?chosen=1");
    const address = mail && (await findNewsFollower(db, follower.subscriber_id));
    const view = {
      ...found,
      calendar,
      categories,
      hasChosen,
      address,
      isAddressWrong: req.url.endsWith("?email=wrong"),
    };
    sendPage(visit, 200, followerPage({ ...view, ...(await themed(visit, calendar)) }));
  });
}

/** Returns the follower whose key the address has. */
export async function followerOf(
  { params: { key } }: Request,
  db: Database,
): Promise<{ readonly key: string; readonly follower: Follower } | undefined> {
  if (typeof key !== "string" || !isFollowerKey(key)) return undefined;
  const follower = await findFollower(db, hashFollowerKey(key));
  return follower === undefined ? undefined : { key, follower };
}

function sendFile(req: Request, res: Response, { content, isCrossOrigin, cacheControl }: StaticFile): void {
  res.setHeader("Cache-Control", cacheControl);
  res.removeHeader("X-Robots-Tag");
  if (isCrossOrigin) allowOtherSites(res);
  if (/^text|svg/.test(content.type)) sendText(req, res, content);
  else send(req, res, content);
}

function allowOtherSites(res: Response): void {
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
}

/** Shows the event of the address, or a draft to whoever has its link, or sends an error page. */
async function showEvent(
  visit: Visit,
  { id, account_id, uniquekey }: PageCalendar,
  show: (event: ShownEventRow) => void,
  showDraft?: (draft: ShownEventRow) => void,
): Promise<void> {
  const { req, db } = visit;
  const { uid } = req.params;
  if (typeof uid !== "string" || !/^\P{Cc}{1,255}$/u.test(uid)) return sendErrorPage(visit, 404); // PostgreSQL takes no NUL
  const event = await db.list(publicOf(account_id), (on) => findShownEvent(on, id, uid));
  if (event !== undefined && event !== "deleted") return show(event);
  const draft = showDraft && (await findPreview(db, req, id, uid));
  if (draft !== undefined) return showDraft?.(draft);
  return event === undefined ? sendErrorPage(visit, 404) : sendDeletedEvent(visit, paths.page(uniquekey));
}

/** Returns the event of the calendar, or that it was deleted; undefined when there never was one, or it is not remembered. */
async function findShownEvent({ read }: Reader, calendarId: number, uid: string) {
  const [event] = await listEventsByUid(read, uid);
  if (event?.calendar_id === calendarId) return event;
  const [deletion] = await listDeletions(read, calendarId, uid);
  return deletion === undefined ? undefined : "deleted";
}

/** Returns the draft that the address has the key of (extensions X8.5). */
async function findPreview(db: Database, req: Request, calendarId: number, uid: string) {
  const [, key] = /[?&]draft=([\w-]{22})(?:&|$)/.exec(req.url) ?? [];
  const draft = key === undefined ? undefined : await findDraftByUid(db.read, calendarId, uid);
  return draft?.preview_key === key ? draft : undefined;
}

function showEventPage(visit: Visit, calendar: PageCalendar, { publicUrl }: FollowServices): Promise<void> {
  const { res } = visit;
  const show = (event: ShownEventRow, isDraft: boolean): void => {
    const shown = shownEvent(event, calendar.timezone);
    // No search engine lists a draft.
    const searchable = isDraft ? 0 : calendar.searchable;
    if (searchable === 1) res.removeHeader("X-Robots-Tag");
    if (!isDraft) keep(res, publicUrl);
    sendPage(visit, 200, eventPage({ ...visit, calendar: { ...calendar, searchable }, shown, isDraft }));
  };
  return showEvent(
    visit,
    calendar,
    (event) => show(event, false),
    (draft) => show(draft, true),
  );
}

/** Sends the event as its feed has it, alone. */
function sendEventFile(
  { req, res, baseUrl }: Visit,
  calendar: PageCalendar,
  event: ShownEventRow,
  publicUrl: string | undefined,
): void {
  const file = Buffer.from(eventFile({ prodId }, feedEvent(event, calendar, { publicUrl: baseUrl })));
  keep(res, publicUrl);
  allowOtherSites(res);
  res.setHeader("Content-Disposition", `inline; ${filename(slug(event.title))}`);
  send(req, res, cacheable("text/calendar; charset=utf-8", file));
}
