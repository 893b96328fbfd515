import { eventFile } from "@kalends/ical";
import express, { type Request, type Response, type Router } from "express";
import type { PageCalendar } from "../calendars/public.js";
import type { Reader } from "../db/database.js";
import { databaseFor } from "../http/access-log.js";
import { endAnswer, etagOf } from "../http/answer.js";
import { baseUrlOf } from "../http/base-url.js";
import { checkHost } from "../http/guards.js";
import { paths, slug } from "./addresses.js";
import { feedEvent, prodId } from "./feed-entries.js";
import { filename } from "./feed-response.js";
import {
  addRoute,
  pageCacheControl,
  pageContext,
  requestedCalendar,
  respondError,
  type Services,
} from "./pages.js";
import { listDeletions, listEventsByUid, type ShownEventRow } from "./queries.js";
import { sendInTurn, publicOf } from "./turns.js";
import { sendDeletedEvent, sendErrorPage } from "./views/error-page.js";
import { eventPage } from "./views/event-page.js";
import { pageHeaders, sendPage } from "./views/send.js";
import { shownEvent } from "./views/shown-events.js";

interface Found {
  readonly calendar: PageCalendar;
  readonly event: ShownEventRow;
  readonly publicUrl: string | undefined;
}

/** Serves the page of each event, `/c/{uniquekey}/e/{uid}`, and the event as a file, the same with `.ics` (extensions X7.1). */
export function eventPages(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  const path = "/c/:uniquekey/e/:uid";
  const show = async (req: Request, res: Response, send: typeof sendEventPage): Promise<void> => {
    const traced = { ...services, db: databaseFor(res, services.db) };
    const calendar = await requestedCalendar(req, res, traced);
    if (calendar === undefined) return;
    const { db } = traced;
    const { id, account_id: accountId, uniquekey } = calendar;
    const { uid } = req.params;
    const isUid = typeof uid === "string" && /^\P{Cc}{1,255}$/u.test(uid); // PostgreSQL takes no NUL
    if (!isUid) return sendErrorPage(req, res, 404);
    await sendInTurn(db, res, accountId, async () => {
      const event = await db.list(publicOf(accountId), (on) => findShownEvent(on, id, uid));
      if (event === undefined) sendErrorPage(req, res, 404);
      else if (event === "deleted") sendDeletedEvent(req, res, paths.page(uniquekey));
      else send(req, res, { calendar, event, publicUrl: services.publicUrl });
    });
  };
  router.use(path, pageHeaders(services.publicUrl), checkHost);
  addRoute(router, `${path}.ics`, "eventFile", (req, res) => show(req, res, sendEventFile));
  addRoute(router, path, "eventPage", (req, res) => show(req, res, sendEventPage));
  router.use(path, respondError(services.log));
  return router;
}

/** Returns the event of the calendar, or that it was deleted; undefined when there never was one, or it is not remembered. */
async function findShownEvent(
  { read }: Reader,
  calendarId: number,
  uid: string,
): Promise<ShownEventRow | "deleted" | undefined> {
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

/** Sends the event as its feed has it, alone. */
function sendEventFile(req: Request, res: Response, { calendar, event, publicUrl }: Found): void {
  const settings = { publicUrl: baseUrlOf(req, publicUrl) };
  const bytes = Buffer.from(eventFile({ prodId }, feedEvent(event, calendar, settings)));
  res.setHeader("Cache-Control", pageCacheControl(publicUrl));
  res.setHeader("ETag", etagOf([bytes]));
  res.setHeader("Access-Control-Allow-Origin", "*");
  res.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
  if (req.fresh) {
    res.status(304).end();
    return;
  }
  res.setHeader("Content-Type", "text/calendar; charset=utf-8");
  res.setHeader("Content-Disposition", `inline; ${filename(slug(event.title))}`);
  res.setHeader("Content-Length", bytes.length);
  endAnswer(res, bytes);
}
