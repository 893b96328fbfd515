import { eventFile } from "@kalends/ical";
import express, { type Request, type Response, type Router } from "express";
import type { CalendarRow, EventRow } from "../db/rows.js";
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
import { listDeletions, listEventsByUid } from "./queries.js";
import { sendDeletedEvent, sendErrorPage } from "./views/error-page.js";
import { eventPage } from "./views/event-page.js";
import { pageHeaders, sendPage } from "./views/send.js";
import { shownEvent } from "./views/shown-events.js";

interface Found {
  readonly calendar: CalendarRow;
  readonly event: EventRow;
  readonly publicUrl: string | undefined;
}

/** Serves the page of each event, `/c/{uniquekey}/e/{uid}`, and the event as a file, the same with `.ics`. */
export function eventPages(services: Services): Router {
  const router = express.Router({ caseSensitive: true });
  const path = "/c/:uniquekey/e/:uid";
  const show = async (req: Request, res: Response, send: typeof sendEventPage): Promise<void> => {
    const traced = { ...services, db: databaseFor(res, services.db) };
    const calendar = await requestedCalendar(req, res, traced);
    const event = calendar && (await requestedEvent(req, res, calendar, traced));
    if (calendar && event) send(req, res, { calendar, event, publicUrl: services.publicUrl });
  };
  router.use(path, pageHeaders(services.publicUrl), checkHost);
  addRoute(router, `${path}.ics`, "eventFile", (req, res) => show(req, res, sendEventFile));
  addRoute(router, path, "eventPage", (req, res) => show(req, res, sendEventPage));
  router.use(path, respondError(services.log));
  return router;
}

/** Returns the event of the address; undefined after sending an error page. */
async function requestedEvent(
  req: Request,
  res: Response,
  calendar: CalendarRow,
  { db }: Services,
): Promise<EventRow | undefined> {
  const { uid } = req.params;
  const isUid = typeof uid === "string" && /^\P{Cc}{1,255}$/u.test(uid); // PostgreSQL takes no NUL
  const [event] = isUid ? await listEventsByUid(db.read, uid) : [];
  if (event?.calendar_id === calendar.id) return event;
  const [deletion] = isUid ? await listDeletions(db.read, calendar.id, uid) : [];
  if (deletion === undefined) sendErrorPage(req, res, 404);
  else sendDeletedEvent(req, res, paths.page(calendar.uniquekey));
  return undefined;
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
