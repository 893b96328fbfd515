import express, {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import type { Logger } from "pino";
import { findCalendarById, findPublicCalendar } from "../calendars/queries.js";
import type { Database } from "../db/connect.js";
import { bodyPairs } from "../http/body.js";
import { ApiError } from "../http/errors.js";
import { checkHost } from "../http/guards.js";
import { recordOf } from "../http/log.js";
import { createRateLimit, type RateLimit } from "../http/rate-limit.js";
import { canonicalAddress, networkOf, storedAddress, type StoreIp } from "../subscribers/addresses.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { deleteSubscriber, follow, renewKey, unfollow } from "../subscribers/life.js";
import type { FindLocation } from "../subscribers/locations.js";
import { findFollower } from "../subscribers/queries.js";
import { paths } from "./addresses.js";
import { readFollowForm } from "./form-fields.js";
import { respondError } from "./pages.js";
import { isOwnForm } from "./same-origin.js";
import { sendErrorPage } from "./views/error-page.js";
import { sendFormError } from "./views/form-error.js";
import { pageHeaders, rootOf } from "./views/send.js";

export interface FormServices {
  readonly db: Database;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly publicUrl: string | undefined;
  readonly storeIp: StoreIp;
  /** Processes that count the forms of an address together. */
  readonly workers: number;
  readonly findLocation: FindLocation;
  readonly log: Logger;
}

/** Forms that one address may send in a minute. */
const formsPerMinute = 10;

/** Largest form in bytes: the longest name and e-mail address, percent-encoded, take a quarter. */
const maxFormBytes = 16 * 1024;

/** The forms of the follow page and of a follower's own page. They come before those pages, which answer every other path. */
export function followForm(services: FormServices): Router {
  const router = express.Router({ caseSensitive: true });
  const limit = createRateLimit("form", formsPerMinute, services.workers);
  const readBody = express.raw({ type: () => true, limit: maxFormBytes, inflate: false });
  const form = (path: string, operation: string, handler: Handler): void => {
    const route = router.route(path);
    route.all(
      (_req, res, next) => {
        recordOf(res).operation = operation;
        next();
      },
      pageHeaders(services.publicUrl),
      checkHost,
      onlyPost,
    );
    const act = async (req: Request, res: Response): Promise<void> => {
      if (await mayAct(req, res, services, limit)) await handler(req, res, services);
    };
    route.post(readBody, (req, res) => act(req, res));
  };
  form(paths.follow(":uniquekey"), "follow", startFollowing);
  form(paths.unfollow(":key"), "unfollow", stopFollowing);
  form(paths.renew(":key"), "renewKey", giveNewKey);
  form(paths.deleteData(":key"), "deleteFollower", deleteData);
  router.use(respondFormError(services.log));
  return router;
}

type Handler = (req: Request, res: Response, services: FormServices) => Promise<void>;

/** What follows a link, such as a prefetch or a mail scanner, changes nothing. */
function onlyPost(req: Request, res: Response, next: NextFunction): void {
  if (req.method === "POST") {
    next();
    return;
  }
  sendErrorPage(req, res, 405, { Allow: "POST" });
}

/** Whether the form came from a page of ours and not too often; otherwise a page has told. */
async function mayAct(
  req: Request,
  res: Response,
  { publicUrl }: FormServices,
  limit: RateLimit,
): Promise<boolean> {
  if (!isOwnForm(req, publicUrl)) {
    sendErrorPage(req, res, 403);
    return false;
  }
  try {
    await limit(networkOf(addressOf(req) ?? "0.0.0.0", { ipv4: 32, ipv6: 64 }));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    recordOf(res).errorType = error.code;
    sendErrorPage(req, res, 429, { "Retry-After": error.headers["Retry-After"] ?? "60" });
    return false;
  }
}

/** The visitor's address: by Express's rules for TRUST_PROXY, and when a proxy named none, that of the connection. */
function addressOf(req: Request): string | undefined {
  return canonicalAddress(req.ip) ?? canonicalAddress(req.socket.remoteAddress);
}

/** The answer is the same whether or not the e-mail address follows already, so nobody can learn that. */
async function startFollowing(req: Request, res: Response, services: FormServices): Promise<void> {
  const { db, clock, storeIp, findLocation } = services;
  const { uniquekey } = req.params;
  const isKey = typeof uniquekey === "string" && /^[a-z0-9]{1,40}$/.test(uniquekey);
  const calendar = isKey ? await findPublicCalendar(db.read, uniquekey) : undefined;
  if (calendar === undefined) return sendErrorPage(req, res, 404);
  if (calendar.deleted_at !== null) return sendErrorPage(req, res, 410);
  const form = readFollowForm(bodyPairs(req));
  if (!("app" in form)) return sendFormError(req, res, form, paths.page(calendar.uniquekey));
  const address = addressOf(req);
  const { app, name, email } = form;
  const person = { name, email, calendar_type: app, ip: storedAddress(address, storeIp) };
  // The place comes from the whole address, whatever is kept of it.
  const key = await follow(db, calendar.id, { ...person, ...(await findLocation(address)) }, clock());
  if (key === undefined) return sendErrorPage(req, res, 410); // deleted since it was looked up
  seeOther(res, paths.follower(key));
}

async function stopFollowing(req: Request, res: Response, { db, clock }: FormServices): Promise<void> {
  const found = await followerOf(req, db);
  if (found === undefined) return sendErrorPage(req, res, 404);
  await unfollow(db, found.follower.subscriber_id, clock());
  seeOther(res, paths.follower(found.key));
}

async function giveNewKey(req: Request, res: Response, services: FormServices): Promise<void> {
  const found = await followerOf(req, services.db);
  if (found === undefined) return sendErrorPage(req, res, 404);
  const { subscriber_id, key_hash } = found.follower;
  const key = await renewKey(services.db, subscriber_id, key_hash);
  if (key === undefined) return sendErrorPage(req, res, 404); // renewed or deleted since it was looked up
  seeOther(res, paths.follower(key));
}

async function deleteData(req: Request, res: Response, { db }: FormServices): Promise<void> {
  const found = await followerOf(req, db);
  const calendar =
    found === undefined ? undefined : await findCalendarById(db.read, found.follower.calendar_id);
  if (found === undefined || calendar === undefined) return sendErrorPage(req, res, 404);
  await deleteSubscriber(db, found.follower.subscriber_id);
  seeOther(res, `${paths.page(calendar.uniquekey)}?left=1`);
}

async function followerOf(req: Request, db: Database) {
  const { key } = req.params;
  if (typeof key !== "string" || !isFollowerKey(key)) return undefined;
  const follower = await findFollower(db, hashFollowerKey(key));
  return follower === undefined ? undefined : { key, follower };
}

/** Sends the browser to a page; the address of this form and the key in it go nowhere. */
function seeOther(res: Response, path: string): void {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res
    .status(303)
    .location(`${rootOf(res)}${path}`)
    .end();
}

/** A body that cannot be read as a form is the sender's fault; all else is answered as on every page. */
function respondFormError(log: Logger): ErrorRequestHandler {
  const respond = respondError(log);
  // Express tells an error handler by its four parameters.
  return function respondToForm(thrown: unknown, req: Request, res: Response, next: NextFunction): void {
    const isBody = thrown instanceof Error && "type" in thrown && "status" in thrown;
    // A body that was not read to its end would be taken for the next request.
    if (isBody && !req.complete) res.setHeader("Connection", "close");
    respond(isBody ? new ApiError("malformed_request") : thrown, req, res, next);
  };
}
