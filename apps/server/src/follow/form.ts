import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { findPageCalendar, findPublicCalendar } from "../calendars/public-queries.js";
import { listCategories } from "../categories/queries.js";
import type { Database } from "../db/open-database.js";
import { databaseFor, recordOf } from "../http/access-log.js";
import { baseUrlOf } from "../http/base-url.js";
import { readBytes } from "../http/body-bytes.js";
import { bodyPairs } from "../http/body.js";
import { ApiError } from "../http/errors.js";
import { checkHost } from "../http/guards.js";
import { addressKey, addressOf } from "../http/ip-address.js";
import { heavy, publicOf } from "../http/limiter.js";
import { budgets } from "../http/limits.js";
import type { Pair } from "../http/query-string.js";
import { createRateLimit, type RateLimit } from "../http/rate-limit.js";
import type { RouteName } from "../http/request-names.js";
import { storedAddress, type StoreIp } from "../subscribers/stored-ip.js";
import { subscribe } from "../subscribers/subscribe.js";
import { hashFollowerKey, isFollowerKey } from "../subscribers/keys.js";
import { chooseCategories, deleteSubscriber, renewKey, unfollow } from "../subscribers/life-job.js";
import type { FindLocation } from "../subscribers/locations.js";
import { findFollower } from "../subscribers/queries.js";
import { paths } from "./public-paths.js";
import { type FollowForm, readCategories, readFollowForm } from "./form-fields.js";
import { respondError } from "./pages.js";
import { sendErrorPage, sendFormError } from "./views/error-page.js";
import { pageHeaders, rootOf } from "./views/page-response.js";
import type { Services } from "../services.js";

interface FormServices extends Services {
  readonly publicUrl: string | undefined;
  readonly storeIp: StoreIp;
  /** Follow forms per minute; 0 means no limit. */
  readonly followLimits: { readonly perAddress: number; readonly perCalendar: number };
  readonly findLocation: FindLocation;
}

/** Forms per minute and IP address that stop, renew or delete. Not a setting: only people with a key send them. */
const leavesPerMinute = 240;

/** Size limit of a form. The longest name and e-mail address, percent-encoded, take a quarter of it. */
const maxFormBytes = budgets.page.bytesIn;

/** Handles the forms of the follow and follower pages. Mount it before the pages, which answer every other path. */
export function followForm(services: FormServices): Router {
  const router = express.Router({ caseSensitive: true });
  const { followLimits } = services;
  const perAddress = createRateLimit(followLimits.perAddress);
  const perCalendar = createRateLimit(followLimits.perCalendar);
  const leaving = createRateLimit(leavesPerMinute);
  const form = (path: string, operation: RouteName, limit: RateLimit, handler: Handler): void => {
    const route = router.route(path);
    route.all(
      (_req, res, next) => {
        recordOf(res).operation = operation;
        next();
      },
      pageHeaders(services.publicUrl),
      checkHost,
      requirePost,
    );
    const handleForm = async (req: Request, res: Response): Promise<void> => {
      const body = await readBytes(req, res, { bytes: maxFormBytes, owner: undefined });
      if (await isAccepted(req, res, services, limit))
        await handler(req, res, { ...services, db: databaseFor(res, services.db), body });
    };
    route.post((req, res) => handleForm(req, res));
  };
  form(paths.follow(":uniquekey"), "follow", perAddress, startFollowing(perCalendar));
  form(paths.unfollow(":key"), "unfollow", leaving, stopFollowing);
  form(paths.renew(":key"), "renewKey", leaving, replaceKey);
  form(paths.categories(":key"), "chooseCategories", leaving, pickCategories);
  form(paths.deleteData(":key"), "deleteFollower", leaving, deleteData);
  router.use(respondError(services.log));
  return router;
}

interface Form extends FormServices {
  readonly body: Uint8Array;
}

type Handler = (req: Request, res: Response, form: Form) => Promise<void>;

/** Requests that follow a link, such as prefetches and mail scanners, must not change anything. */
function requirePost(req: Request, res: Response, next: NextFunction): void {
  if (req.method === "POST") {
    next();
    return;
  }
  sendErrorPage(req, res, 405, { Allow: "POST" });
}

/** Returns whether the form came from our own page and within the rate limit; otherwise sends an error page. */
async function isAccepted(req: Request, res: Response, { publicUrl }: FormServices, limit: RateLimit) {
  if (!isSameOrigin(req, publicUrl)) {
    sendErrorPage(req, res, 403);
    return false;
  }
  return isWithin(limit, addressKey(req), req, res);
}

/** Counts the form under the key and returns whether it is within the limit; otherwise sends an error page. */
async function isWithin(limit: RateLimit, key: string | number, req: Request, res: Response) {
  try {
    await limit(key);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    recordOf(res).errorType = error.code;
    sendErrorPage(req, res, 429, { "Retry-After": error.headers["Retry-After"] ?? "60" });
    return false;
  }
}

/** The response does not depend on whether the e-mail address follows already, so it does not reveal that. */
function startFollowing(perCalendar: RateLimit): Handler {
  return async (req, res, services) => {
    const { db, body } = services;
    const { uniquekey } = req.params;
    const isKey = typeof uniquekey === "string" && /^[a-z0-9]{1,40}$/.test(uniquekey);
    const calendar = isKey ? await findPublicCalendar(db, uniquekey) : undefined;
    if (calendar === undefined) return sendErrorPage(req, res, 404);
    if (calendar.deleted_at !== null) return sendErrorPage(req, res, 410);
    const pairs = await bodyPairs(req, body);
    const form = readFollowForm(pairs);
    if (!("app" in form)) return sendFormError(req, res, form, paths.page(calendar.uniquekey));
    if (!(await isWithin(perCalendar, calendar.id, req, res))) return;
    recordOf(res).calendarId = calendar.id;
    const key = await heavy.run(publicOf(calendar.account_id), () =>
      storeFollower(calendar.id, form, { ...services, pairs, address: addressOf(req) }),
    );
    if (key === undefined) return sendErrorPage(req, res, 410); // deleted since the query
    redirect(res, paths.follower(key));
  };
}

interface SentForm extends FormServices {
  readonly pairs: readonly Pair[];
  /** Of the visitor. */
  readonly address: string | undefined;
}

/** Stores a follower. Returns the key of their addresses; undefined when the calendar was deleted. */
async function storeFollower(
  calendarId: number,
  { app, name, email }: FollowForm,
  { db, clock, storeIp, findLocation, pairs, address }: SentForm,
): Promise<string | undefined> {
  const categories = readCategories(pairs, await listCategories(db, calendarId));
  const person = { name, email, calendar_type: app, ip: storedAddress(address, storeIp), categories };
  // The location needs the full address, even if only a part of it is stored.
  return subscribe(db, calendarId, { ...person, ...(await findLocation(address)) }, clock());
}

async function stopFollowing(req: Request, res: Response, { db, clock }: FormServices): Promise<void> {
  const found = await followerOf(req, db);
  if (found === undefined) return sendErrorPage(req, res, 404);
  await unfollow(db, found.follower.subscriber_id, clock());
  redirect(res, paths.follower(found.key));
}

async function replaceKey(req: Request, res: Response, services: FormServices): Promise<void> {
  const found = await followerOf(req, services.db);
  if (found === undefined) return sendErrorPage(req, res, 404);
  const { subscriber_id, key_hash } = found.follower;
  const key = await renewKey(services.db, subscriber_id, key_hash);
  if (key === undefined) return sendErrorPage(req, res, 404); // renewed or deleted since the query
  redirect(res, paths.follower(key));
}

async function pickCategories(req: Request, res: Response, { db, body, clock }: Form): Promise<void> {
  const found = await followerOf(req, db);
  if (found === undefined) return sendErrorPage(req, res, 404);
  const { subscriber_id, calendar_id } = found.follower;
  const offered = await listCategories(db, calendar_id);
  const categories = readCategories(await bodyPairs(req, body), offered);
  await chooseCategories(db, subscriber_id, categories, clock());
  redirect(res, `${paths.follower(found.key)}?chosen=1`);
}

async function deleteData(req: Request, res: Response, { db, clock }: FormServices): Promise<void> {
  const found = await followerOf(req, db);
  const calendar =
    found === undefined ? undefined : await findPageCalendar(db.read, found.follower.calendar_id);
  if (found === undefined || calendar === undefined) return sendErrorPage(req, res, 404);
  await deleteSubscriber(db, found.follower.subscriber_id, clock());
  redirect(res, `${paths.page(calendar.uniquekey)}?left=1`);
}

async function followerOf(req: Request, db: Database) {
  const { key } = req.params;
  if (typeof key !== "string" || !isFollowerKey(key)) return undefined;
  const follower = await findFollower(db, hashFollowerKey(key));
  return follower === undefined ? undefined : { key, follower };
}

/** Redirects to a page. No referrer: the address of this form contains the key. */
function redirect(res: Response, path: string): void {
  res.setHeader("Cache-Control", "no-store");
  res.setHeader("Referrer-Policy", "no-referrer");
  res
    .status(303)
    .location(`${rootOf(res)}${path}`)
    .end();
}

/**
 * Returns whether a form was submitted from a page of this service, according to its browser.
 *
 * Sec-Fetch-Site is decisive, because pages cannot set it. Browsers send it only to https and to localhost, and old ones not
 * at all; then Origin decides, which browsers send with every form. `Origin: null` is refused: our pages never cause it,
 * since their Referrer-Policy is same-origin. A request with neither header comes from a program, which cannot misuse a
 * visitor's browser; there are no cookies.
 */
function isSameOrigin(req: Request, publicUrl: string | undefined): boolean {
  const site = req.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";
  const { origin } = req.headers;
  return origin === undefined || origin === originOf(baseUrlOf(req, publicUrl));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
